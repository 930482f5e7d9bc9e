//! Bounds that keep a hostile or mistaken text from exhausting memory or stack.

use alloc::format;

use crate::{Diagnostic, Position};

/// The largest text that is read: 64 MiB.
pub const MAXIMUM_BYTES: usize = 64 * 1024 * 1024;
/// How deep lists and objects may nest.
pub const MAXIMUM_DEPTH: usize = 100;
/// How many values one text may hold.
pub const MAXIMUM_VALUES: usize = 8_000_000;
/// How many values may come from YAML anchors and aliases, all copies together.
pub const MAXIMUM_ALIAS_VALUES: usize = 1_000_000;

/// The text of a file.
///
/// # Errors
/// When it is larger than [`MAXIMUM_BYTES`] or not UTF-8; the position is that of the first
/// broken byte.
pub fn decode(bytes: &[u8]) -> Result<&str, Diagnostic> {
    check_size(bytes.len())?;
    core::str::from_utf8(bytes).map_err(|error| {
        let good = bytes.get(..error.valid_up_to()).unwrap_or_default();
        let good = core::str::from_utf8(good).unwrap_or_default();
        Diagnostic::error("config/encoding", "the text is not UTF-8").at("", end_of(good))
    })
}

/// Refuses a text above [`MAXIMUM_BYTES`].
pub(crate) fn check_size(bytes: usize) -> Result<(), Diagnostic> {
    if bytes <= MAXIMUM_BYTES {
        return Ok(());
    }
    Err(
        Diagnostic::error("config/too-large", "the text is too large")
            .found(format!("{bytes} bytes"))
            .expected(format!("at most {MAXIMUM_BYTES} bytes")),
    )
}

/// The fault of a text nested deeper than [`MAXIMUM_DEPTH`].
pub(super) fn too_deep(position: Position) -> Diagnostic {
    Diagnostic::error(
        "config/too-deep",
        format!("lists and objects nest deeper than {MAXIMUM_DEPTH} levels"),
    )
    .at("", position)
}

/// The fault of a text with more values than [`MAXIMUM_VALUES`].
pub(super) fn too_many_values(position: Position) -> Diagnostic {
    Diagnostic::error(
        "config/too-large",
        format!("the text holds more than {MAXIMUM_VALUES} values"),
    )
    .at("", position)
}

/// The position just after the last character. Lines end as YAML ends them.
pub(super) fn end_of(text: &str) -> Position {
    const BREAKS: [char; 2] = ['\n', '\r'];
    let breaks = text.matches(BREAKS).count();
    let line = breaks.saturating_sub(text.matches("\r\n").count());
    let last = text.rsplit(BREAKS).next().unwrap_or_default();
    Position {
        line: to_u32(line.saturating_add(1)),
        column: to_u32(last.chars().count().saturating_add(1)),
    }
}

/// Positions count in 32 bits; texts are shorter than that.
pub(super) fn to_u32(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}
