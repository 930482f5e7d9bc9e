//! The engine inside Envoy: a proxy-wasm HTTP filter.
//!
//! The filter adapts [`spillgate_steer`] to proxy-wasm: [`host`] implements its host environment,
//! [`callbacks`] receives the calls of Envoy for [`root`] and [`http`] contexts, and
//! [`configuration`] reads the bytes of a plugin's configuration.
//!
//! Several configurations may share a VM, so all state belongs to root contexts; the only static is
//! the table of contexts in [`callbacks`]. Deliberately absent: decisions, health checks and YAML.

mod abi;
mod callbacks;
mod configuration;
mod host;
mod http;
mod root;
mod route;
mod structs;
