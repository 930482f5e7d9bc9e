//! Hostcalls on properties.

use crate::memory::{Guest, Outcome};
use crate::properties::Property;

pub(super) fn get(
    guest: &mut Guest<'_>,
    at: u32,
    length: u32,
    address_at: u32,
    length_at: u32,
) -> Outcome {
    let path = guest.read(at, length)?;
    let value = guest.state().properties.get(&path)?;
    guest.give(&value, address_at, length_at)
}

pub(super) fn set(
    guest: &mut Guest<'_>,
    at: u32,
    length: u32,
    value_at: u32,
    value_length: u32,
) -> Outcome {
    let path = guest.read(at, length)?;
    let value = guest.read(value_at, value_length)?;
    guest.state().properties.set(path, Property::Value(value));
    Ok(())
}
