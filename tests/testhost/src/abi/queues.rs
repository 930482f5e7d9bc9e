//! Hostcalls on shared queues.

use crate::memory::{Guest, Outcome};

pub(super) fn register(guest: &mut Guest<'_>, at: u32, length: u32, out: u32) -> Outcome {
    let name = guest.read_text(at, length)?;
    let id = guest.state().shared.register(&name);
    guest.write_u32(out, id)
}

/// All queues of this host belong to one `vm_id`, so that part of the name is not looked at.
pub(super) fn resolve(
    guest: &mut Guest<'_>,
    _vm_at: u32,
    _vm_length: u32,
    at: u32,
    length: u32,
    out: u32,
) -> Outcome {
    let name = guest.read_text(at, length)?;
    let id = guest.state().shared.resolve(&name)?;
    guest.write_u32(out, id)
}

pub(super) fn enqueue(guest: &mut Guest<'_>, queue: u32, at: u32, length: u32) -> Outcome {
    let value = guest.read(at, length)?;
    Ok(guest.state().shared.enqueue(queue, value)?)
}

pub(super) fn dequeue(
    guest: &mut Guest<'_>,
    queue: u32,
    address_at: u32,
    length_at: u32,
) -> Outcome {
    let value = guest.state().shared.dequeue(queue)?;
    guest.give(&value, address_at, length_at)
}
