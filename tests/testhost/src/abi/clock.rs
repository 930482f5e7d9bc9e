//! Hostcalls on time: the fake clock, and ticks.

use crate::memory::{Guest, Outcome};

pub(super) fn now(guest: &mut Guest<'_>, out: u32) -> Outcome {
    let now = guest.state().clock_ns;
    guest.write_u64(out, now)
}

/// The period belongs to the root context that sets it.
pub(super) fn set_tick_period(guest: &mut Guest<'_>, period_ms: u32) -> Outcome {
    let state = guest.state();
    state
        .ticks
        .set(state.effective_context, period_ms, state.monotonic_ns);
    Ok(())
}
