//! Reads the admin interface of a running Envoy.
//!
//! An [`AdminUrl`] names the interface: a TCP address or a Unix socket. An [`AdminClient`] sends GET requests
//! for the [`AdminPath`]s, a fixed list of paths that only read, and returns the text of the response within
//! the [`AdminLimits`] of time and size. It follows no redirects and ignores the environment variables for
//! proxies, so that a response always comes from the named interface.
//!
//! [`capture`] joins the responses to one file without secrets, and [`mark_rejected`] marks in a dump the
//! filter configurations that Envoy rejected. [`local`] runs an Envoy of its own, for commands that compare
//! their answers with one. `spillgate-config` reads configurations, and `spillgate-observe` reads counters.
//! [`PrometheusClient`] sends one instant query to a Prometheus server, with the same settings.
//! This crate is for native programs only; the playground and the filter do not contain it.
//!
//! The interface accepts requests that change or stop Envoy, so paths are an enum and the URL has
//! no path; a redirect could lead a request to any other service. `ureq` without default features
//! is a blocking HTTP/1.1 client without TLS, which the interface does not have; `hyper` would add
//! an asynchronous runtime.
#![forbid(unsafe_code)]

pub mod local;

mod capture;
mod client;
mod fault;
mod limits;
mod path;
mod prometheus;
mod serving;
mod url;

#[cfg(unix)]
mod unix;

pub use capture::{CapturedNames, capture};
pub use client::AdminClient;
pub use limits::AdminLimits;
pub use path::AdminPath;
pub use prometheus::{PrometheusAnswer, PrometheusClient, PrometheusSample, PrometheusUrl};
pub use serving::mark_rejected;
pub use url::{AdminAddress, AdminUrl};
