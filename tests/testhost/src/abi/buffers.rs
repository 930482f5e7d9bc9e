//! Hostcalls on buffers: configurations and the bodies of callouts.

use crate::memory::{Guest, Outcome};
use crate::status::Status;

pub(super) fn get(
    guest: &mut Guest<'_>,
    kind: u32,
    start: u32,
    most: u32,
    address_at: u32,
    length_at: u32,
) -> Outcome {
    let buffer = guest.state().buffers.get(&kind).ok_or(Status::NotFound)?;
    let start = start as usize;
    let end = start.saturating_add(most as usize).min(buffer.len());
    let part = buffer.get(start..end).unwrap_or_default().to_vec();
    guest.give(&part, address_at, length_at)
}

/// Only the bodies of the stream could be changed, and this host has none.
pub(super) fn set(
    _guest: &mut Guest<'_>,
    _kind: u32,
    _start: u32,
    _size: u32,
    _at: u32,
    _length: u32,
) -> Outcome {
    Err(Status::BadArgument.into())
}
