//! A deterministic world of sessions: hosts that appear, fail, drain and vanish, gateways that learn
//! of it late, clients that keep tokens, and some that forge them.
//!
//! A run is a function of a [`WorldScenario`] and a seed. Every gateway runs the filter's own request path,
//! [`spillgate_steer`], on simulated requests. [Checks](check) that know the true state of the hosts
//! and the true content of every token look at each answer.

mod check;
mod client;
mod gateway;
mod ground;
mod moment;
mod plan;
mod run;
mod setup;
mod tally;

pub use check::{Check, Violation};
pub use client::Brings;
pub use gateway::{Behavior, SimulatedRequest, SteerGateway};
pub use moment::Moment;
pub use plan::Plan;
pub use run::{RunOutcome, World, run, run_with};
pub use setup::{
    EventKind, Happening, KeyChange, Layout, LayoutFault, Millis, Rates, Scripted, SessionRules,
    WorldFallback, WorldScenario, drawn,
};
pub use tally::{Counts, Phase, Seen};

use {
    client::{Client, Issued, Kept, Sent},
    gateway::{Answer, Delivery, Gateway, Keys, Response, SCOPE, Surroundings},
    ground::{Ground, News, Report, Standing},
};
