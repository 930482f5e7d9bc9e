//! The Live screen: predicted shares, and those that a running Envoy serves.
//!
//! The playground polls `/live/` of its own server, the read-only part of Envoy's admin interface. [`LiveMonitor`]
//! keeps the readings and the pace, [`LiveStage`] applies the reported hosts to the settings of the playground, and
//! [`LiveComparison`] compares the engine's shares with the counted requests. [`Follow`] decides when the first
//! screen shows the reported state. [`view`] polls and draws.
//!
//! The playground's own module has no reader and no timer: this module draws one line on the first screen
//! and passes each new state to the playground. A followed state is no step of the user: undo does not
//! return to it, and the address keeps no link, so a reload follows again. Any scenario other than
//! the last one sent ends following. The server announces `/live/` in a `server-timing` header;
//! otherwise the playground of a plain file server would send a request that fails.

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
