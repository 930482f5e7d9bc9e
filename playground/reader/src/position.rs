//! Positions in the format of the playground.

use spillgate_codec::import::TextPosition;

/// A position in the format of the playground.
pub(crate) const fn position(position: spillgate_config::Position) -> TextPosition {
    TextPosition {
        line: position.line,
        column: position.column,
    }
}
