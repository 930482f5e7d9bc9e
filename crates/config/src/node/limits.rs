//! Limits that protect memory and stack from hostile or broken inputs.

use alloc::format;

use crate::{Diagnostic, Position};

/// Maximum size of an input: 64 MiB.
pub const MAXIMUM_BYTES: usize = 64 * 1024 * 1024;
/// Maximum nesting of lists and objects.
pub const MAXIMUM_DEPTH: usize = 100;
/// Maximum number of values in an input.
pub const MAXIMUM_VALUES: usize = 8_000_000;
/// Maximum number of values from YAML anchors and aliases, counting all copies.
pub const MAXIMUM_ALIAS_VALUES: usize = 1_000_000;

/// The line breaks of YAML; those of JSON are among them.
const BREAKS: [char; 2] = ['\n', '\r'];

/// The text of a file.
///
/// # Errors
/// If it is larger than [`MAXIMUM_BYTES`] or not UTF-8; the position is that of the first invalid
/// byte.
pub fn decode(bytes: &[u8]) -> Result<&str, Diagnostic> {
    check_size(bytes.len())?;
    core::str::from_utf8(bytes).map_err(|_| {
        let good = bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid());
        Diagnostic::error("config/encoding", "input is not UTF-8").at("", end_of(good))
    })
}

/// Rejects an input larger than [`MAXIMUM_BYTES`].
pub(crate) fn check_size(bytes: usize) -> Result<(), Diagnostic> {
    if bytes <= MAXIMUM_BYTES {
        return Ok(());
    }
    Err(
        Diagnostic::error("config/too-large", "input exceeds 64 MiB; split it")
            .found(format!("{} MiB", bytes.div_ceil(1 << 20))),
    )
}

/// Rejects the texts of an input that have more than [`MAXIMUM_BYTES`] together.
///
/// # Errors
/// If they have.
pub fn check_total_size(sizes: impl IntoIterator<Item = usize>) -> Result<(), Diagnostic> {
    let bytes = sizes.into_iter().fold(0, usize::saturating_add);
    if bytes <= MAXIMUM_BYTES {
        return Ok(());
    }
    let message = "all files together exceed 64 MiB; pass fewer files";
    Err(Diagnostic::error("config/too-large", message)
        .found(format!("{} MiB", bytes.div_ceil(1 << 20))))
}

/// The fault of an input nested deeper than [`MAXIMUM_DEPTH`].
pub(super) fn too_deep(position: Position) -> Diagnostic {
    Diagnostic::error(
        "config/too-deep",
        format!("nesting is deeper than {MAXIMUM_DEPTH}"),
    )
    .at("", position)
}

/// The fault of an input with more values than [`MAXIMUM_VALUES`].
pub(super) fn too_many_values(position: Position) -> Diagnostic {
    Diagnostic::error(
        "config/too-large",
        format!("input exceeds {MAXIMUM_VALUES} values"),
    )
    .at("", position)
}

/// The number of lines that positions in a text can have.
pub(crate) fn count_lines(text: &str) -> u32 {
    let breaks = text.matches(BREAKS).count();
    let pairs = text.as_bytes().windows(2);
    let line = breaks.saturating_sub(pairs.filter(|pair| pair == b"\r\n").count());
    to_u32(line.saturating_add(1))
}

/// The position after the last character.
pub(super) fn end_of(text: &str) -> Position {
    let last = text.rsplit(BREAKS).next().unwrap_or_default();
    Position {
        line: count_lines(text),
        column: to_u32(last.chars().count().saturating_add(1)),
    }
}

/// The position, or the end of its line if it is beyond.
#[cfg(feature = "yaml")]
pub(super) fn within_line(text: &str, position: Position) -> Position {
    let before = usize::try_from(position.line).unwrap_or(usize::MAX);
    let line = text.lines().nth(before.saturating_sub(1)).unwrap_or(text);
    let end = to_u32(line.chars().count().saturating_add(1));
    Position {
        column: position.column.min(end),
        ..position
    }
}

/// Positions have 32 bits; inputs are shorter.
pub(super) fn to_u32(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}
