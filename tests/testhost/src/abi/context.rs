//! Hostcalls on contexts.

use crate::memory::{Guest, Outcome};
use crate::status::Status;

pub(super) fn set_effective(guest: &mut Guest<'_>, id: u32) -> Outcome {
    let state = guest.state();
    if !state.contexts.contains(&id) {
        return Err(Status::BadArgument.into());
    }
    state.effective_context = id;
    Ok(())
}

/// A context that had requested more time is done. Nothing here waits for it.
pub(super) fn done(_guest: &mut Guest<'_>) -> Outcome {
    Ok(())
}
