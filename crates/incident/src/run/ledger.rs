//! Sums of requests over the periods of a run.

use core::time::Duration;

use crate::traffic::Flow;

/// Requests, as expectations.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct RequestTotals {
    /// Requests of clients.
    pub requests: f64,
    /// Requests that fail, with retries and those without a host.
    pub failed: f64,
    /// Requests that would fail without any retry: the worst case if circuit breakers allow none.
    pub failed_without_retries: f64,
    /// Retries.
    pub retried: f64,
    /// Requests without a host, which Envoy answers with 503.
    pub no_host: f64,
    /// Requests that circuit breakers refuse, which Envoy answers with 503.
    pub refused: f64,
    /// Requests that are not retried because too many retries are active.
    pub retries_refused: f64,
    /// Requests whose session moves to another host.
    pub moved: f64,
}

impl RequestTotals {
    /// Adds a period.
    pub(super) fn add(&mut self, flow: &Flow, rps: f64, time: Duration) {
        let requests = rps * time.as_secs_f64();
        self.requests += requests;
        self.failed += requests * flow.failed;
        self.failed_without_retries += requests * flow.failed_first;
        self.retried += requests * flow.retried;
        self.no_host += requests * flow.no_host;
        self.refused += requests * flow.refused;
        self.retries_refused += requests * flow.retries_refused;
        self.moved += requests * flow.sessions.moved;
    }

    /// A part of these requests in percent; 0 without requests.
    #[must_use]
    pub fn percent(&self, part: f64) -> f64 {
        if self.requests > 0.0 {
            part / self.requests * 100.0
        } else {
            0.0
        }
    }
}
