//! The engine inside Envoy: a proxy-wasm HTTP filter.
//!
//! It takes one configuration, decides for each request which host should get it, and tells Envoy
//! through headers: an ordered list of hosts and the cluster that owns them, or the subset that
//! serves. What it decides is `spillgate-core`'s answer; nothing here chooses.
//!
//! The way of a configuration: [`root`] takes it, [`plugin`] makes it whole or lists every fault,
//! and only a whole one replaces the one that serves, in [`balancing`]. The way of a host's health:
//! [`health`]. The way of a request: [`http`] drops what a client must not say, asks [`worker`],
//! and writes the answer with [`headers`].
//!
//! Deliberately absent: health checks of its own, YAML, and anything kept in statics: several
//! configurations may share a VM, so all state hangs on the root context. The exception is the table
//! of contexts in [`abi`].

mod abi;
mod active;
mod balancing;
mod configuration;
mod counters;
mod criteria;
mod entropy;
mod headers;
mod health;
mod host;
mod http;
mod logger;
mod plugin;
mod request_headers;
mod root;
mod route;
mod secret;
mod sessions;
mod structs;
mod targets;
mod worker;
