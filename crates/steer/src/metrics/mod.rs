//! Counters and gauges, with their names. The environment adds a prefix of its own, such as Envoy's
//! `wasmcustom.`. `docs/operations.md` describes all of them.

mod build;
mod counter;
mod decisions;
mod kinds;
mod labeled_counters;
mod not_followed;
mod poll_counters;
mod sessions;

pub(crate) use build::BUILD_COUNTER;
pub use build::count_build;
pub(crate) use counter::Counter;
pub(crate) use decisions::DecisionCounters;
pub use kinds::{COUNTERS, DECISIONS, DECISIONS_WITH_STEP};
pub(crate) use not_followed::{NotFollowed, NotFollowedCounters};
pub(crate) use poll_counters::{AgeGauges, Ages, PollCounters, UpdateCounters};
pub(crate) use sessions::SessionCounters;
