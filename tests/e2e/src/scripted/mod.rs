//! Hosts that follow a script, and the settings of health of their clusters, for tests over time.

mod clock;
mod host;
mod open;
mod ports;
mod script;
mod settings;
mod switches;

pub(crate) use clock::{ScriptClock, now, parse as parse_time};
pub use host::ReceivedCall;
pub(crate) use host::ScriptedHost;
pub(crate) use open::open_hosts;
pub(crate) use ports::TrialPorts;
pub(crate) use script::MOST_CHECKS;
pub use script::{HostPhase, HostScript, ScriptedAnswer};
pub(crate) use settings::{address, detection, event_logger, health_check, seconds};
pub(crate) use switches::run_switches;
