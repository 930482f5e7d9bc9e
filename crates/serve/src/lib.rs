//! Serves the built playground over HTTP, for `spillgate ui` and for the tests with a browser, and the metrics of
//! `spillgate exporter`.
//!
//! | module | part |
//! |---|---|
//! | [`listener`], [`connections`] | an address and its connections: one request each, in a thread each, at most 64 |
//! | [`server`], [`metrics`] | the server of the playground, and that of metrics |
//! | [`request`] | the head of a request, within limits of time and size |
//! | [`answer`] | which response a request gets, and the headers of responses |
//! | [`files`] | the files of the playground: a folder, or a table in the program |
//! | [`live`] | the Envoy that the Live screen reads |
//!
//! The responses have the headers of the demo's Envoy (`envoy-config/demo/envoy.yaml`): a strict content security
//! policy, and for files the permission to load them from pages of other origins. Requests for another host name
//! than that of this machine are refused, so that a foreign name that resolves to 127.0.0.1 reads nothing.
//! `/live/` has the two paths that the Live screen reads, and nothing else.
//!
//! `httparse` reads heads; a library with a whole server would add threads or a runtime for one request at a time.
#![forbid(unsafe_code)]

mod answer;
mod connections;
mod files;
mod listener;
mod live;
mod metrics;
mod request;
mod server;

pub use files::{EmbeddedFile, PageFiles};
pub use live::{LivePath, LiveSource};
pub use metrics::{MetricsServer, MetricsSource};
pub use server::PageServer;
