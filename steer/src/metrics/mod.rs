//! Counters and gauges: their names and meaning. The environment adds a prefix of its own, such as
//! Envoy's `wasmcustom.`.

mod counter;
mod decisions;
mod health;
mod sessions;

pub(crate) use counter::{configuration_accepted, configuration_refused};
pub(crate) use decisions::DecisionCounters;
pub(crate) use health::{AgeGauges, PollCounters, UpdateCounters};
pub(crate) use sessions::SessionCounters;
