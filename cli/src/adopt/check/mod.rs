//! `adopt --check`: runs the old and the new configuration in a real Envoy with test hosts, and compares.
//!
//! Both run on free ports of 127.0.0.1, one after the other, without contact to other machines: every host
//! is a server in this process. Session keys exist for the check only.

mod both;
mod cast;
mod command;
mod fields;
mod hosts;
mod joined;
mod kinds;
mod observe;
mod rows;
mod run;
mod sessions;
mod settle;
mod shares;
mod stage;
mod stats;
mod steering;

pub(super) use command::{WASM_FILE, checked};
pub(crate) use steering::filter_configuration;
