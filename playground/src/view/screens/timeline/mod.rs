//! The Timeline screen, a part of What-if: sessions and loads while hosts fail and recover.
//!
//! The simulator of `spillgate simulate` runs in a module of its own and returns a recording. This
//! module chooses the scenario, adds events and arranges the recording, and [`view`] draws it.

mod command;
mod event;
mod figures;
mod input;
mod reasons;
mod rows;
mod scenario;
mod script;
mod sentences;
mod view;

pub use command::{about, command};
pub use event::{HostFault, with_event};
pub use figures::{LoadBar, SessionBar, load_bars, most_sessions, session_bars, without_host};
pub use input::TimelineInput;
pub use reasons::{reasons, term_text};
pub use rows::{HeatPath, HostLine, PERIODS, Period, host_rows, periods};
pub use scenario::{SimulatedClusters, page_script};
pub use script::{PAGE_ABOUT, SCENARIOS, TimelineScenario, scenario_named};
pub use sentences::{
    headline, heat_caption, load_caption, row_text, sessions_caption, subtitle,
    without_unknown_hosts,
};
pub(crate) use view::Timeline;

#[cfg(test)]
mod tests;
