//! The Fleet screen: the load of each host over all callers, and what is left of it without a zone.
//!
//! `spillgate_sim::fleet` computes the figures, as for `spillgate fleet`; this module arranges them, and [`view`] draws
//! them.
//!
//! | file | content |
//! |---|---|
//! | `input` | what the user sets |
//! | `stage` | what depends on the scenario alone: the zones of callers, and what their proxies receive |
//! | `outcome` | the report of the fleet, or why there is no report |
//! | `rows` | the loads as rows of tables, and the geometry of their bars |
//! | `sentences`, `text` | the words that the report does not have |

mod command;
mod input;
mod outcome;
mod rows;
mod sentences;
mod stage;
#[cfg(test)]
mod tests;
mod text;
mod view;

pub use command::fleet_command;
pub use input::{FleetInput, ZoneCallers, amount_of_text};
pub use outcome::{FleetOutcome, FleetRefusal};
pub use rows::{
    BarShape, LISTED_CLASSES, LoadFigure, LoadRow, TrafficLine, bar_shape, class_rows,
    priority_rows, traffic_lines, zone_rows,
};
pub use sentences::{
    SurvivalVerdict, case_sentence, headline_sentence, imbalance_sentence, senders_sentence,
    survival,
};
pub use stage::{CallerZone, FleetStage};
pub(crate) use view::FleetScreen;
