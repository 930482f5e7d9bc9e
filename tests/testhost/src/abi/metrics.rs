//! Hostcalls on metrics.

use crate::memory::{Guest, Outcome};

pub(super) fn define(guest: &mut Guest<'_>, kind: u32, at: u32, length: u32, out: u32) -> Outcome {
    let name = guest.read_text(at, length)?;
    let id = guest.state().metrics.define(kind, &name)?;
    guest.write_u32(out, id)
}

pub(super) fn get(guest: &mut Guest<'_>, id: u32, out: u32) -> Outcome {
    let value = guest.state().metrics.get(id)?;
    guest.write_u64(out, value)
}

pub(super) fn record(guest: &mut Guest<'_>, id: u32, value: u64) -> Outcome {
    Ok(guest.state().metrics.record(id, value)?)
}

pub(super) fn increment(guest: &mut Guest<'_>, id: u32, offset: i64) -> Outcome {
    Ok(guest.state().metrics.increment(id, offset)?)
}
