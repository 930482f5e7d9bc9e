//! What a host environment offers to the request path.
//!
//! A [`Stream`] is one request with its response, a [`Plugin`] is what lasts between requests, and
//! a [`HealthPort`] is a plugin that can also follow the health of hosts. Hosts themselves are data:
//! an environment that learns of them in its own way passes them to
//! [`Balancing::update`](crate::Balancing::update).

mod health;
mod outcome;
mod plugin;
mod stream;
mod write;

pub use health::{AdminResponse, CallId, HealthPort};
pub use outcome::TokenOutcome;
pub use plugin::{LogLevel, MetricId, Plugin};
pub use stream::{LocalResponse, Side, Stream};
pub use write::{Steered, SteeringChoice};
