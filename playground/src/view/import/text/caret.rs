//! Between a caret in a text field and a line with a column.
//!
//! Browsers count a text field's characters in UTF-16 units, from 0; positions count characters
//! of a line, from 1.

use spillgate_scenario::{ImportFault, ImportField, TextPosition};

use crate::state::Direction;

/// The caret at a position; at the end of the line if the line is shorter.
#[must_use]
pub(crate) fn caret_offset(text: &str, position: TextPosition) -> u32 {
    let mut here = Walk::new(text);
    while here.position < position && !(here.position.line == position.line && here.at_line_end()) {
        if !here.step() {
            break;
        }
    }
    here.offset
}

/// The line and column of a caret.
#[must_use]
pub(crate) fn position_at(text: &str, caret: u32) -> TextPosition {
    let mut here = Walk::new(text);
    while here.offset < caret && here.step() {}
    here.position
}

/// The next fault of a field in that direction from the caret. The first fault follows the last one. `None` if
/// no fault of the field has a position.
#[must_use]
pub(crate) fn next_fault(
    faults: &[ImportFault],
    field: ImportField,
    caret: TextPosition,
    direction: Direction,
) -> Option<usize> {
    let mut placed: Vec<(TextPosition, usize)> = faults
        .iter()
        .enumerate()
        .filter(|(_, fault)| fault.field == field)
        .filter_map(|(index, fault)| Some((fault.position?, index)))
        .collect();
    placed.sort();
    let found = match direction {
        Direction::Forward => {
            let after = placed.iter().find(|(position, _)| *position > caret);
            after.or_else(|| placed.first())
        }
        Direction::Back => {
            let before = placed.iter().rfind(|(position, _)| *position < caret);
            before.or_else(|| placed.last())
        }
    };
    found.map(|(_, index)| *index)
}

/// A walk through a text.
struct Walk<'t> {
    rest: std::iter::Peekable<std::str::Chars<'t>>,
    position: TextPosition,
    offset: u32,
}

impl<'t> Walk<'t> {
    fn new(text: &'t str) -> Self {
        Self {
            rest: text.chars().peekable(),
            position: TextPosition::START,
            offset: 0,
        }
    }

    fn at_line_end(&mut self) -> bool {
        matches!(self.rest.peek(), None | Some('\n'))
    }

    fn step(&mut self) -> bool {
        let Some(c) = self.rest.next() else {
            return false;
        };
        self.offset = self.offset.saturating_add(c.len_utf16() as u32);
        if c == '\n' {
            self.position.line += 1;
            self.position.column = 1;
        } else {
            self.position.column += 1;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use spillgate_scenario::page_error;

    use super::*;

    const TEXT: &str = "ab\nc\u{1f600}d\n";

    #[test]
    fn a_caret_is_before_its_character() {
        let at = |line, column| caret_offset(TEXT, TextPosition { line, column });
        assert_eq!(at(1, 1), 0);
        assert_eq!(at(1, 3), 2);
        assert_eq!(at(1, 9), 2, "the end of a shorter line");
        assert_eq!(at(2, 3), 6, "an astral character counts twice");
        assert_eq!(at(9, 9), 8);
    }

    #[test]
    fn caret_and_position_convert_both_ways() {
        for (line, column) in [(1, 1), (1, 3), (2, 1), (2, 3), (2, 4), (3, 1)] {
            let position = TextPosition { line, column };
            assert_eq!(position_at(TEXT, caret_offset(TEXT, position)), position);
        }
        assert_eq!(position_at(TEXT, 99), TextPosition { line: 3, column: 1 });
    }

    #[test]
    fn faults_follow_each_other_and_start_over() {
        let at = |field, place: Option<(u32, u32)>| ImportFault {
            field,
            position: place.map(|(line, column)| TextPosition { line, column }),
            ..page_error("", String::new())
        };
        let faults = [
            at(ImportField::Config, Some((5, 1))),
            at(ImportField::Clusters, Some((1, 1))),
            at(ImportField::Config, None),
            at(ImportField::Config, Some((2, 3))),
        ];
        let next = |line, column, direction| {
            next_fault(
                &faults,
                ImportField::Config,
                TextPosition { line, column },
                direction,
            )
        };
        assert_eq!(next(1, 1, Direction::Forward), Some(3));
        assert_eq!(next(2, 3, Direction::Forward), Some(0));
        assert_eq!(
            next(5, 1, Direction::Forward),
            Some(3),
            "the first fault follows the last"
        );
        assert_eq!(next(5, 1, Direction::Back), Some(3));
        assert_eq!(next(1, 1, Direction::Back), Some(0));
        assert_eq!(
            next_fault(
                &faults[2..3],
                ImportField::Config,
                TextPosition::START,
                Direction::Forward
            ),
            None
        );
    }
}
