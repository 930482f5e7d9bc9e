//! The traits that a host environment implements for the request path.
//!
//! A [`Stream`] is one request with its response. A [`Plugin`] lasts between requests. A
//! [`HealthPort`] is a plugin that also reads live health. Hosts themselves are data: an
//! environment that learns about them in its own way passes them to
//! [`Balancing::update`](crate::Balancing::update).

mod header_bytes;
mod health_source;
mod name_lengths;
mod outcome;
mod passed;
mod plugin;
mod stream;
mod write;

pub use header_bytes::HeaderBytes;
pub use health_source::{AdminBody, AdminResponse, CallId, HealthPort, ShareOutcome, SharedValue};
pub use name_lengths::NameLengths;
pub use outcome::TokenOutcome;
pub use passed::PassedHosts;
pub use plugin::{CounterName, MetricId, Plugin};
pub use stream::{LocalResponse, RouteEnd, Side, Stream};
pub use write::{Steered, SteeringChoice};
