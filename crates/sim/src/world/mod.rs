//! A deterministic simulation of session affinity: hosts appear, fail, drain and vanish, gateways
//! receive updates late, clients keep tokens, and some forge them.
//!
//! A run is a function of a [`WorldScenario`] and a seed. Every gateway runs the filter's own
//! request path, [`spillgate_steer`], on simulated requests. [Checks](check) that know the true
//! state of the hosts and the true content of every token examine each answer.

mod check;
mod client;
mod gateway;
mod log_entry;
mod phase;
mod plan;
mod run;
mod setup;
mod true_hosts;

pub use check::{Check, Violation};
pub use client::TokenSource;
pub use gateway::{GatewayBehavior, SimulatedRequest, SteerGateway};
pub use log_entry::LogEntry;
pub use phase::{Counts, Phase, RequestOutcome};
pub use plan::Plan;
pub use run::{RunOutcome, World, run, run_with};
pub use setup::{
    EventKind, KeyChange, Layout, Millis, Rates, ScriptedEvent, SessionRules, WorldEvent,
    WorldFallback, WorldScenario, random_scenario,
};
pub use true_hosts::WorldHost;

use {
    client::{Client, KeptToken, SentRequest, TokenFacts},
    gateway::{Delivery, Gateway, GatewayAnswer, GatewayContext, Keys, Period, ResponseUse, SCOPE},
    true_hosts::{HostsUpdate, ReportedHost, TrueHost, TrueHosts},
};
