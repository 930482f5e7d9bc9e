//! An excerpt of an imported text.

use spillgate_codec::import::TextPosition;

/// A line of an excerpt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineView {
    /// Its number, from 1.
    pub number: u32,
    /// Its text, at most 160 characters.
    pub text: String,
    /// Whether it is the line of the position.
    pub marked: bool,
}

/// The lines around a position.
#[must_use]
pub fn excerpt(text: &str, position: TextPosition, around: u32) -> Vec<LineView> {
    const LONGEST: usize = 160;
    let first = position.line.saturating_sub(around).max(1);
    let last = position.line.saturating_add(around);
    (1..)
        .zip(text.lines())
        .skip_while(|(number, _)| *number < first)
        .take_while(|(number, _)| *number <= last)
        .map(|(number, line)| LineView {
            number,
            text: line.chars().take(LONGEST).collect(),
            marked: number == position.line,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_marks_its_line() {
        let text = "a\nb\nc\nd\ne\n";
        let position = TextPosition { line: 2, column: 1 };
        let lines = excerpt(text, position, 2);
        let numbers: Vec<_> = lines.iter().map(|l| (l.number, l.marked)).collect();
        assert_eq!(numbers, [(1, false), (2, true), (3, false), (4, false)]);
        assert!(excerpt("", position, 2).is_empty());
    }
}
