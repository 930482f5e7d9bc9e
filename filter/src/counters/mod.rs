//! What the filter counts. Envoy prefixes every name with `wasmcustom.`.

mod counter;
mod decisions;
mod health;
mod sessions;

pub(crate) use counter::{configuration_accepted, configuration_refused};
pub(crate) use decisions::Decisions;
pub(crate) use health::{Freshness, Polls, Updates};
pub(crate) use sessions::Sessions;
