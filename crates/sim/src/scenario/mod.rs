//! Scenario files of `spillgate simulate` (docs/simulate.md).

mod event;
mod host_selector;
mod layout;
mod millis;
mod rates;
mod read;
mod sessions;

pub use read::{ScenarioFile, read};
