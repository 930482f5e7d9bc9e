//! Scenarios: clusters, hosts, gateways, clients, and events.

mod event;
mod layout;
mod random;
mod rates;
mod scenario;

pub use event::{KeyChange, Millis, WorldEvent};
pub use layout::Layout;
pub use random::random_scenario;
pub use rates::{EventKind, Rates};
pub use scenario::{ScriptedEvent, SessionRules, WorldFallback, WorldScenario};
