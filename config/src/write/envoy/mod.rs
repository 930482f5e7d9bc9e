//! The legal model as Envoy's messages.
//!
//! What is Envoy's default is left out, and so is what has no effect: slow start under RANDOM, the
//! settings of zones under a hash policy. A policy is written in classic fields where those can
//! say all of it, else in its typed form.

mod action;
mod address;
mod assignment;
mod bootstrap;
mod cluster;
mod endpoint;
mod filters;
mod hash_policy;
mod listener;
mod locality_lb;
mod metadata;
mod policy;
mod retry;
mod route_match;
mod subset;

pub(super) use bootstrap::bootstrap;
pub(crate) use cluster::cluster;
pub(crate) use hash_policy::hash_policies;
pub(crate) use metadata::{structure, value};
pub(crate) use route_match::route_match;
