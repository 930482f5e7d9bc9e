//! Hostcalls on header maps.

use crate::headers::HeaderMap;
use crate::memory::{Guest, Outcome};
use crate::status::Status;

pub(super) fn get_pairs(
    guest: &mut Guest<'_>,
    map: u32,
    address_at: u32,
    length_at: u32,
) -> Outcome {
    let wire = guest.state().map(map)?.to_wire();
    guest.give(&wire, address_at, length_at)
}

pub(super) fn set_pairs(guest: &mut Guest<'_>, map: u32, at: u32, length: u32) -> Outcome {
    let wire = guest.read(at, length)?;
    let headers = HeaderMap::from_wire(&wire).ok_or(Status::BadArgument)?;
    *guest.state().map(map)? = headers;
    Ok(())
}

/// Only the first of several values: that is Envoy's answer too.
pub(super) fn get(
    guest: &mut Guest<'_>,
    map: u32,
    at: u32,
    length: u32,
    address_at: u32,
    length_at: u32,
) -> Outcome {
    let name = guest.read_text(at, length)?;
    let headers = guest.state().map(map)?;
    let value = headers.first(&name).ok_or(Status::NotFound)?.to_vec();
    guest.give(&value, address_at, length_at)
}

pub(super) fn remove(guest: &mut Guest<'_>, map: u32, at: u32, length: u32) -> Outcome {
    let name = guest.read_text(at, length)?;
    guest.state().map(map)?.remove(&name);
    Ok(())
}

pub(super) fn replace(
    guest: &mut Guest<'_>,
    map: u32,
    at: u32,
    length: u32,
    value_at: u32,
    value_length: u32,
) -> Outcome {
    let name = guest.read_text(at, length)?;
    let value = guest.read(value_at, value_length)?;
    guest.state().map(map)?.replace(&name, value);
    Ok(())
}

pub(super) fn add(
    guest: &mut Guest<'_>,
    map: u32,
    at: u32,
    length: u32,
    value_at: u32,
    value_length: u32,
) -> Outcome {
    let name = guest.read_text(at, length)?;
    let value = guest.read(value_at, value_length)?;
    guest.state().map(map)?.add(&name, value);
    Ok(())
}
