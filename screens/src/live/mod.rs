//! The Live screen: predicted shares, and those that a running Envoy serves.
//!
//! The page polls `/live/` of its own server, the read-only part of Envoy's admin interface. [`LiveMonitor`]
//! keeps the readings and the pace, [`LiveStage`] applies the reported hosts to the settings of the page, and
//! [`LiveComparison`] compares the engine's shares with the counted requests. [`Follow`] decides when the first
//! screen shows the reported state. [`view`] polls and draws.

mod commands;
mod comparison;
mod follow;
mod input;
mod messages;
mod monitor;
mod pace;
mod sentences;
mod stage;
mod view;

pub use commands::{LiveCommand, live_commands};
pub use comparison::{ComparedHost, ComparedPriority, LiveComparison};
pub use follow::Follow;
pub use input::{INTERVALS, LiveInput, SPANS};
pub use messages::{LiveMessage, SNIPPET, live_message_examples};
pub use monitor::{LiveFault, LiveMonitor};
pub use pace::delay_ms;
pub use sentences::{headline, health_text, window_text};
pub use stage::{LiveStage, SettingsSource, clusters_to_watch};
pub(crate) use view::{Following, Live};

#[cfg(test)]
mod tests;
