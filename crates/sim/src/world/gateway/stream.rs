//! The host environment of simulated gateways.

use alloc::{
    rc::Rc,
    string::{String, ToString as _},
    vec::Vec,
};
use core::cell::RefCell;

use spillgate_core::{
    decide::Decision,
    draw::{Draw as _, SplitMix64},
    route::Headers,
};
use spillgate_steer::{
    RouteSettings,
    port::{HealthPort, LocalResponse, Plugin, Side, Stream, TokenOutcome},
};

use super::{
    SimulatedRequest,
    config::{self, CLUSTER, HOSTS, SCOPE, USER},
};

/// A gateway's clock and source of randomness.
#[derive(Debug)]
pub(super) struct SimulatedPlugin {
    /// The gateway's wall clock: nanoseconds since the Unix epoch.
    pub(super) wall_clock: u64,
    /// The true time in nanoseconds.
    pub(super) monotonic_clock: u64,
    pub(super) draw: RefCell<SplitMix64>,
}

impl Plugin for SimulatedPlugin {
    fn wall_clock(&self) -> u64 {
        self.wall_clock
    }

    fn monotonic_clock(&self) -> Option<u64> {
        Some(self.monotonic_clock)
    }

    fn random(&self, bytes: &mut [u8]) -> bool {
        let mut draw = self.draw.borrow_mut();
        for chunk in bytes.chunks_mut(8) {
            let drawn = draw.draw().to_le_bytes();
            chunk
                .iter_mut()
                .zip(drawn)
                .for_each(|(byte, drawn)| *byte = drawn);
        }
        true
    }
}

/// Gateways receive their hosts from the simulation, not from an admin interface.
impl HealthPort for SimulatedPlugin {}

/// One request through a gateway, and its outcome.
pub(super) struct SimulatedStream<'a> {
    pub(super) plugin: &'a SimulatedPlugin,
    pub(super) request: &'a SimulatedRequest,
    /// The address of the host that responds.
    pub(super) upstream: Option<&'a str>,
    /// The host list that was set on the request.
    pub(super) hosts: Option<String>,
    /// The cluster that was set on it.
    pub(super) cluster: Option<String>,
    /// The value of the response's `set-cookie`.
    pub(super) cookie: Option<String>,
    pub(super) decided: Option<(Decision, TokenOutcome)>,
}

impl<'a> SimulatedStream<'a> {
    pub(super) const fn new(plugin: &'a SimulatedPlugin, request: &'a SimulatedRequest) -> Self {
        Self {
            plugin,
            request,
            upstream: None,
            hosts: None,
            cluster: None,
            cookie: None,
            decided: None,
        }
    }
}

/// The headers of a simulated request.
#[derive(Default)]
pub(super) struct SimulatedHeaders<'a> {
    user: Option<&'a str>,
    cookie: Option<Vec<u8>>,
}

impl Headers for SimulatedHeaders<'_> {
    fn values<'h>(&'h self, name: &'h str) -> impl Iterator<Item = &'h [u8]> + 'h {
        let value = match name {
            ":method" => Some(&b"GET"[..]),
            ":authority" => Some(SCOPE.as_bytes()),
            USER => self.user.map(str::as_bytes),
            "cookie" => self.cookie.as_deref(),
            _ => None,
        };
        value.into_iter()
    }
}

impl<'a> Stream for SimulatedStream<'a> {
    type Headers = SimulatedHeaders<'a>;
    type Plugin = SimulatedPlugin;

    fn plugin(&self) -> &SimulatedPlugin {
        self.plugin
    }

    fn request_headers(&mut self) -> SimulatedHeaders<'a> {
        SimulatedHeaders {
            user: self.request.user.as_deref(),
            cookie: self.request.token.as_deref().map(config::cookie_with),
        }
    }

    fn header(&mut self, _: Side, _: &str) -> Option<Vec<u8>> {
        None
    }

    /// The simulated hosts set no headers.
    fn header_values(&mut self, _: Side, _: &str) -> Vec<Vec<u8>> {
        Vec::new()
    }

    fn set_header(&mut self, side: Side, name: &str, value: &str) -> bool {
        match (side, name) {
            (Side::Request, HOSTS) => self.hosts = Some(value.to_string()),
            (Side::Request, CLUSTER) => self.cluster = Some(value.to_string()),
            _ => {}
        }
        true
    }

    fn add_header(&mut self, side: Side, name: &str, value: &[u8]) -> bool {
        if side == Side::Response && name == "set-cookie" {
            self.cookie = core::str::from_utf8(value).ok().map(Into::into);
        }
        true
    }

    fn remove_header(&mut self, _: Side, _: &str) -> bool {
        true
    }

    fn respond(&mut self, response: &LocalResponse<'_>) -> bool {
        for (name, value) in response.headers {
            self.add_header(Side::Response, name, value.as_bytes());
        }
        true
    }

    fn route(&mut self) -> Rc<RouteSettings> {
        self.request.route.clone()
    }

    fn upstream_address(&mut self) -> Option<Vec<u8>> {
        self.upstream.map(|address| address.as_bytes().to_vec())
    }

    fn store_for_logs(&mut self, _: &str, _: &str) -> bool {
        true
    }

    fn decided(&mut self, decision: &Decision, token: TokenOutcome) {
        self.decided = Some((*decision, token));
    }
}
