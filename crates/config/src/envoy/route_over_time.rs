//! What decides when requests of a route end, for routes that a control plane would write.

use alloc::{string::String, vec::Vec};

use spillgate_core::route::RetryPolicy;

use super::RetryTime;
use crate::Diagnostic;

/// The retries and timeouts of a route that no text of Envoy has: that of documents of a mesh.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RouteOverTime {
    /// The retries, with those of policies that the control plane creates itself.
    pub retry: RetryPolicy,
    /// The timeouts, and how long retries wait.
    pub time: RetryTime,
    /// How often a TCP proxy connects (`max_connect_attempts`); `None` for HTTP.
    pub connect_attempts: Option<u32>,
    /// What is assumed, in sentences.
    pub assumptions: Vec<String>,
    /// The settings that simulations do not model, each with the number of its file.
    pub limits: Vec<(usize, Diagnostic)>,
}
