//! The few WASI calls that filters make.

use crate::memory::{Guest, Outcome};

/// Seeded, so that a test sees the same draws on every run.
pub(super) fn random_get(guest: &mut Guest<'_>, at: u32, length: u32) -> Outcome {
    let bytes = guest.state().random.bytes(length as usize);
    guest.write(at, &bytes)
}

/// Every clock is the fake one.
pub(super) fn clock_time_get(
    guest: &mut Guest<'_>,
    _clock: u32,
    _precision: u64,
    out: u32,
) -> Outcome {
    let now = guest.state().clock_ns;
    guest.write_u64(out, now)
}
