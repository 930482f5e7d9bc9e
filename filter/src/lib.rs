//! The engine inside Envoy: a proxy-wasm HTTP filter.
//!
//! The filter adapts [`spillgate_steer`] to proxy-wasm: [`host`] implements what the request path
//! requires of a host environment, [`callbacks`] are called by Envoy and passed on by
//! [`root`] and [`http`], and [`configuration`] reads the bytes of a plugin's configuration.
//!
//! Deliberately absent: decisions, health checks, YAML, and state in statics: several configurations
//! may share a VM, so all state belongs to the root context. The exception is the table of contexts
//! in [`callbacks`].

mod abi;
mod callbacks;
mod configuration;
mod host;
mod http;
mod request_headers;
mod root;
mod route;
mod structs;
