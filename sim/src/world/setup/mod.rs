//! What is simulated: clusters and hosts, gateways and clients, and what happens to them.

mod drawn;
mod happening;
mod layout;
mod rates;
mod scenario;

pub use drawn::drawn;
pub use happening::{Happening, KeyChange, Millis};
pub use layout::{Layout, LayoutFault};
pub use rates::{EventKind, Rates};
pub use scenario::{Scripted, SessionRules, WorldFallback, WorldScenario};
