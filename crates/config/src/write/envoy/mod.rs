//! Writes the legal model as Envoy's messages.
//!
//! Defaults and settings without effect are omitted: slow start under RANDOM, zone settings of a
//! hash policy. A policy is written in classic fields if they can express all of it, else in its
//! typed form.

mod action;
mod address;
mod assignment;
mod bootstrap;
mod cluster;
mod cluster_matcher;
mod dynamic_module;
mod endpoint;
mod filters;
mod hash_policy;
mod headers;
mod listener;
mod locality_lb;
mod manager;
mod metadata;
mod network;
mod policy;
mod retry;
mod route_match;
mod subset;

pub(super) use bootstrap::bootstrap;
pub(crate) use cluster::cluster;
pub(crate) use dynamic_module::native_bootstrap;
pub(crate) use hash_policy::hash_policies;
pub(crate) use metadata::{structure, value};
pub(crate) use route_match::route_match;
