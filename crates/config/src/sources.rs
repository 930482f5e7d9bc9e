//! The files of an input: from a [`Position`] to a file, a line and a column.
//!
//! Several texts are read as one input. The lines of a text continue those of the text before it, so
//! that a position needs no file and stays small.
//!
//! So the documents of all files are sorted together, and text order is file order. Paths start at
//! a document of one file.

use alloc::{format, string::String, vec::Vec};

use crate::{Diagnostic, Position};

/// A text and its name in errors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedText {
    /// The path as given, `-` for the standard input, or the URL.
    pub name: String,
    /// The whole text.
    pub text: String,
}

/// The names of an input's texts and their first lines.
///
/// Without texts, it describes an input of one text without a name.
///
/// # Examples
/// ```
/// use spillgate_config::{Position, SourceMap};
///
/// let mut files = SourceMap::default();
/// files.add("clusters.yaml", 10);
/// files.add("endpoints.yaml", 5);
/// let place = files.place(Position { line: 12, column: 3 });
/// assert_eq!((place.name, place.position.line), ("endpoints.yaml", 2));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SourceMap {
    files: Vec<SourceFile>,
    /// The number of lines of all texts.
    lines: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct SourceFile {
    name: String,
    /// The number of lines of all texts before it.
    before: u32,
}

/// A position within one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SourcePlace<'m> {
    /// The index of the file.
    pub file: usize,
    /// Its name; empty if it has none.
    pub name: &'m str,
    /// The position within the file.
    pub position: Position,
}

impl SourceMap {
    /// Adds a text with a number of lines.
    pub fn add(&mut self, name: &str, lines: u32) {
        self.files.push(SourceFile {
            name: name.into(),
            before: self.lines,
        });
        self.lines = self.lines.saturating_add(lines);
    }

    /// The number of lines of all texts before a text.
    pub(crate) fn lines_before(&self, file: usize) -> u32 {
        self.files.get(file).map_or(0, |file| file.before)
    }

    /// Whether the input has more than one text.
    #[must_use]
    pub const fn is_several(&self) -> bool {
        self.files.len() > 1
    }

    /// The start of a text, if the input has several.
    pub(crate) fn start(&self, file: usize) -> Option<Position> {
        self.is_several()
            .then(|| Position::START.below(self.lines_before(file)))
    }

    /// The file of a position.
    #[must_use]
    pub fn place(&self, position: Position) -> SourcePlace<'_> {
        let after = self
            .files
            .partition_point(|file| file.before < position.line);
        let index = after.saturating_sub(1);
        let (name, before) = match self.files.get(index) {
            Some(file) => (file.name.as_str(), file.before),
            None => ("", 0),
        };
        SourcePlace {
            file: index,
            name,
            position: Position {
                line: position.line.saturating_sub(before),
                ..position
            },
        }
    }

    /// Another position in a message: its line, with file and column if the input has several texts.
    #[must_use]
    pub fn refer(&self, position: Position) -> String {
        let place = self.place(position);
        if self.is_several() {
            format!("{}:{}", place.name, place.position)
        } else {
            format!("line {}", place.position.line)
        }
    }

    /// The place of `first`, if it is in another file than `second`.
    #[must_use]
    pub fn elsewhere(&self, first: Position, second: Position) -> Option<String> {
        let other = self.place(first).file != self.place(second).file;
        other.then(|| self.refer(first))
    }

    /// The name of the whole input, for messages without a position.
    #[must_use]
    pub fn name(&self) -> String {
        match self.files.as_slice() {
            [] => String::new(),
            [only] => only.name.clone(),
            [first, second] => format!("{}, {}", first.name, second.name),
            [first, others @ ..] => format!("{} and {} more files", first.name, others.len()),
        }
    }

    /// A diagnostic with the name of its file and the position within it.
    #[must_use]
    pub fn render(&self, diagnostic: &Diagnostic) -> String {
        match diagnostic.position {
            Some(position) => {
                let place = self.place(position);
                format!("{}:{}: {diagnostic}", place.name, place.position)
            }
            None => diagnostic.render(&self.name()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(line: u32) -> Position {
        Position { line, column: 2 }
    }

    #[test]
    fn every_line_belongs_to_one_text() {
        let mut map = SourceMap::default();
        map.add("a", 2);
        map.add("b", 1);
        map.add("c", 3);
        let found: Vec<_> = (1..=7)
            .map(|line| {
                let place = map.place(at(line));
                (place.name, place.position.line)
            })
            .collect();
        let expected = [
            ("a", 1),
            ("a", 2),
            ("b", 1),
            ("c", 1),
            ("c", 2),
            ("c", 3),
            ("c", 4),
        ];
        assert_eq!(found, expected);
        assert_eq!(map.refer(at(3)), "b:1:2");
        assert_eq!(map.name(), "a and 2 more files");
    }

    #[test]
    fn a_single_text_needs_no_name() {
        let map = SourceMap::default();
        assert_eq!(map.place(at(7)).position, at(7));
        assert_eq!(map.refer(at(7)), "line 7");
    }
}
