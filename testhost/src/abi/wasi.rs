//! The few WASI calls that filters make.

use crate::memory::{Fault, Guest, Outcome};
use crate::status::Status;

/// Seeded, so that a test sees the same draws on every run.
pub(super) fn random_get(guest: &mut Guest<'_>, at: u32, length: u32) -> Outcome {
    let bytes = guest.state().random.bytes(length as usize);
    guest.write(at, &bytes)
}

/// The wall clock is 0 and the monotonic one 1; Envoy offers no others.
pub(super) fn clock_time_get(
    guest: &mut Guest<'_>,
    clock: u32,
    _precision: u64,
    out: u32,
) -> Outcome {
    let state = guest.state();
    let now = match clock {
        0 => state.clock_ns,
        1 if state.offers_monotonic => state.monotonic_ns,
        _ => return Err(Fault::Status(Status::Unimplemented)),
    };
    guest.write_u64(out, now)
}
