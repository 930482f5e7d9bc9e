//! One request with its response.

use alloc::{rc::Rc, vec::Vec};

use spillgate_core::{
    decide::{Decision, Request},
    route::Headers,
    snapshot::{ClusterId, Snapshot},
};

use super::{Plugin, Steered, SteeringChoice, TokenOutcome};
use crate::RouteSettings;

/// Request or response headers. Each exist only in their own phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The headers that the client sent and the upstream host will receive.
    Request,
    /// The headers that the upstream host sent and the client will receive.
    Response,
}

/// Where the route of a request leads, as far as the environment knows before it forwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RouteEnd {
    /// To an upstream host.
    Host,
    /// To a response of the proxy itself: a redirect, a direct response, or that no route matches.
    Proxy,
    /// To a response of the proxy itself, or to a host of the cluster that a request header names.
    Unknown,
}

/// A response that the proxy sends instead of forwarding the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LocalResponse<'a> {
    /// The HTTP status, 200 to 599.
    pub status: u32,
    /// The reason for access logs (`%RESPONSE_CODE_DETAILS%`).
    pub details: &'a str,
    /// The body.
    pub body: &'a str,
    /// Further headers.
    pub headers: &'a [(&'a str, &'a str)],
}

/// One request with its response, in a host environment.
///
/// Methods that change something return whether the change was made.
pub trait Stream: Sized {
    /// All headers of the request.
    type Headers: Headers + Default;
    /// The environment between requests.
    type Plugin: Plugin;
    /// Whether the environment weighs all decisions that can be made, and not only the one that is.
    const WEIGHS_ALTERNATIVES: bool = false;

    /// The plugin of the request.
    fn plugin(&self) -> &Self::Plugin;

    /// All request headers, with every value of a repeated header.
    fn request_headers(&mut self) -> Self::Headers;

    /// The first value of a header.
    fn header(&mut self, side: Side, name: &str) -> Option<Vec<u8>>;

    /// Every value of a header, in order.
    fn header_values(&mut self, side: Side, name: &str) -> Vec<Vec<u8>>;

    /// Sets a header, and replaces every value of it.
    fn set_header(&mut self, side: Side, name: &str, value: &str) -> bool;

    /// Adds a header value, and keeps the present ones.
    fn add_header(&mut self, side: Side, name: &str, value: &[u8]) -> bool;

    /// Removes every value of a header.
    fn remove_header(&mut self, side: Side, name: &str) -> bool;

    /// Sends a response instead of forwarding the request.
    fn respond(&mut self, response: &LocalResponse<'_>) -> bool;

    /// The settings in the metadata of the request's route.
    fn route(&mut self) -> Rc<RouteSettings>;

    /// The address (`IP:port`) of the upstream host that the proxy tried last; `None` if it tried
    /// none.
    fn upstream_address(&mut self) -> Option<Vec<u8>>;

    /// Whether the response comes from this host. The proxy itself responds if no host accepts the
    /// request, or if none responds in time. By default, every response of a proxy that tried a
    /// host comes from the host.
    fn is_upstream_response(&mut self) -> bool {
        true
    }

    /// How often the proxy has tried to find a host for the request; `None` if the environment does not
    /// know it.
    fn attempts(&mut self) -> Option<u64> {
        None
    }

    /// Whether the proxy responds because it finds no host for the request, or no cluster.
    fn has_no_host(&mut self) -> bool {
        false
    }

    /// Stores a value for access logs.
    fn store_for_logs(&mut self, name: &str, value: &str) -> bool;

    /// Passes the decision to the proxy; by default in the configured request headers.
    fn steer(&mut self, choice: &SteeringChoice<'_>) -> Steered {
        choice.write(|name, value| self.set_header(Side::Request, name, value))
    }

    /// Lets the proxy choose a host of a cluster; by default with the request header of this name.
    /// Returns whether the request goes to the cluster.
    fn pass_to(&mut self, header: &str, cluster: &str) -> bool {
        self.set_header(Side::Request, header, cluster)
    }

    /// Where the route of the request leads. `header` and `cluster` are those of [`Stream::pass_to`]: an environment
    /// may know only after it has tried a cluster. By default, to a host.
    fn route_end(&mut self, header: &str, cluster: &str) -> RouteEnd {
        let _ = (header, cluster);
        RouteEnd::Host
    }

    /// Whether the proxy responds because the route leads to no cluster that exists.
    fn has_no_cluster(&mut self) -> bool {
        false
    }

    /// Observes the input of a decision, before the decision uses random numbers.
    fn deciding<H: Headers>(&mut self, snapshot: &Snapshot, request: &Request<'_, H>) {
        let _ = (snapshot, request);
    }

    /// Observes the decision for later attempts, if the first one goes to a host of `owner`; for
    /// [`WEIGHS_ALTERNATIVES`](Self::WEIGHS_ALTERNATIVES).
    fn following(&mut self, owner: ClusterId, next: &Decision) {
        let _ = (owner, next);
    }

    /// Observes the decision and the outcome of the session token that the request carried.
    fn decided(&mut self, decision: &Decision, token: TokenOutcome) {
        let _ = (decision, token);
    }
}
