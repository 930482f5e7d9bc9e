//! The Incident screen, a part of What-if: when Envoy notices failures, what fails until then, and when traffic is as
//! before.
//!
//! A module of its own simulates (`spillgate_incident`, as for `spillgate incident`) and returns a record. This module
//! keeps the script and arranges the record, and [`view`] draws it.
//!
//! | file | content |
//! |---|---|
//! | `event` | what happens to some hosts for some time |
//! | `input` | what the user sets, also as a text in links |
//! | `stage` | what depends on the scenario alone: the clusters, and the hosts that events can select |
//! | `run` | a record with what all pictures need |
//! | `tracks` | the geometry of the pictures |
//! | `moment` | the scenario at a time of the record |
//! | `changes` | the lines of the table of changes |
//! | `sentences` | the words about a time |
//! | `command` | the command with the same answer |

mod changes;
mod command;
mod event;
mod input;
mod moment;
mod run;
mod sentences;
mod stage;
#[cfg(test)]
mod tests;
mod tracks;
mod view;

pub use changes::{ChangeLine, change_lines};
pub use command::incident_command;
pub use event::{EventAmount, HostAction, OutageEvent};
pub use input::IncidentInput;
pub use moment::scenario_at;
pub use run::ShownIncident;
pub use sentences::{moment_sentence, source_text};
pub use stage::{IncidentStage, SelectableHosts};
pub use tracks::{
    HostTrack, TrackBar, failure_bars, host_tracks, load_bars, most_failures, session_bars,
};
pub(crate) use view::IncidentScreen;
