//! One request with its response.

use alloc::{rc::Rc, vec::Vec};

use spillgate_core::{
    decide::{Decision, Request},
    route::Headers,
    snapshot::Snapshot,
};

use super::{Plugin, Steered, SteeringChoice, TokenOutcome};
use crate::RouteFacts;

/// Which headers of an exchange are meant. Each exist only in their own phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Those that the client sent and the upstream host will receive.
    Request,
    /// Those that the upstream host sent and the client will receive.
    Response,
}

/// A response that the proxy sends instead of forwarding the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LocalResponse<'a> {
    /// The HTTP status.
    pub status: u32,
    /// The reason for access logs (`%RESPONSE_CODE_DETAILS%`).
    pub details: &'a str,
    /// The body.
    pub body: &'a str,
    /// Further headers.
    pub headers: &'a [(&'a str, &'a str)],
}

/// What a host environment offers for one request.
///
/// Calls that change something return whether it worked.
pub trait Stream: Sized {
    /// All headers of the request.
    type Headers: Headers + Default;
    /// What lasts between requests.
    type Plugin: Plugin;

    /// The plugin that the request belongs to.
    fn plugin(&self) -> &Self::Plugin;

    /// All request headers, with every copy of a repeated one.
    fn request_headers(&mut self) -> Self::Headers;

    /// The first value of a header.
    fn header(&mut self, side: Side, name: &str) -> Option<Vec<u8>>;

    /// Sets a header; it replaces every copy.
    fn set_header(&mut self, side: Side, name: &str, value: &str) -> bool;

    /// Adds a header to those of the same name.
    fn add_header(&mut self, side: Side, name: &str, value: &str) -> bool;

    /// Removes every copy of a header.
    fn remove_header(&mut self, side: Side, name: &str) -> bool;

    /// Sends a response instead of forwarding the request.
    fn respond(&mut self, response: &LocalResponse<'_>) -> bool;

    /// The settings in the metadata of the request's route.
    fn route(&mut self) -> Rc<RouteFacts>;

    /// The address of the upstream host that responded; `None` if the proxy itself did.
    fn upstream_address(&mut self) -> Option<Vec<u8>>;

    /// Stores a value for access logs.
    fn store_for_logs(&mut self, name: &str, value: &str) -> bool;

    /// Passes the decision to the proxy: by default in request headers, as the configuration names
    /// them.
    fn steer(&mut self, choice: &SteeringChoice<'_>) -> Steered {
        choice.write(|name, value| self.set_header(Side::Request, name, value))
    }

    /// Observes the question that the engine is asked, before it draws the answer.
    fn asked<H: Headers>(&mut self, snapshot: &Snapshot, request: &Request<'_, H>) {
        let _ = (snapshot, request);
    }

    /// Observes the decision and the outcome of the session token that the request carried.
    fn decided(&mut self, decision: &Decision, token: TokenOutcome) {
        let _ = (decision, token);
    }
}
