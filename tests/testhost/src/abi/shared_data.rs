//! Hostcalls on shared data, with compare-and-swap.

use crate::memory::{Guest, Outcome};

pub(super) fn get(
    guest: &mut Guest<'_>,
    at: u32,
    length: u32,
    address_at: u32,
    length_at: u32,
    cas_at: u32,
) -> Outcome {
    let key = guest.read_text(at, length)?;
    let (value, cas) = guest.state().shared.get(&key)?;
    guest.give(&value, address_at, length_at)?;
    guest.write_u32(cas_at, cas)
}

pub(super) fn set(
    guest: &mut Guest<'_>,
    at: u32,
    length: u32,
    value_at: u32,
    value_length: u32,
    cas: u32,
) -> Outcome {
    let key = guest.read_text(at, length)?;
    let value = guest.read(value_at, value_length)?;
    Ok(guest.state().shared.set(&key, &value, cas)?)
}
