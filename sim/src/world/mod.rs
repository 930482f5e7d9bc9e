//! A deterministic world of sessions: hosts that come, fail, drain and go, gateways that hear of
//! it late, clients that keep tokens, and some that forge them.
//!
//! A run is a function of a [`Scenario`] and a seed. Every request is opened, decided and answered
//! by the engine's own functions, as in the filter; [checks](check) that know how the hosts really
//! are, and what every token really says, look at each of them.

mod behaviour;
mod check;
mod client;
mod drawn;
mod gateway;
mod ground;
mod happen;
mod happening;
mod keys;
mod layout;
mod moment;
mod plan;
mod random;
mod rates;
mod request;
mod run;
mod scenario;
mod state;
mod tally;
mod time;
mod view;
mod visit;

pub use behaviour::{Behaviour, Engine, NoHeaders};
pub use check::{Check, Violation};
pub use client::Brings;
pub use drawn::drawn;
pub use happening::{Happening, KeyChange};
pub use layout::{Layout, LayoutFault};
pub use moment::Moment;
pub use plan::Plan;
pub use rates::{Kind, Rates};
pub use run::{Outcome, run, run_with};
pub use scenario::{Fallback, Millis, Scenario, Scripted, SessionRules};
pub use state::World;
pub use tally::{Counts, Phase, Seen};

use {ground::Ground, keys::Keys, view::View};
