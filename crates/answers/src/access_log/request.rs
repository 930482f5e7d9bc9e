//! The request of a line: its headers and addresses as the client sent them, and what the line omits.

use std::net::SocketAddr;

use spillgate_config::envoy::{EnvoyConfig, ListenerConfig};
use spillgate_core::route::{AddressDetection, ClientAddress, RouteAction, RouteTable};

use super::AccessLogLine;
use crate::pick::{PickRequest, add_sent};

/// The header with the addresses of client and proxies.
const FORWARDED_FOR: &str = "x-forwarded-for";

impl AccessLogLine {
    /// The host of the request: before a rewrite, if the line has it.
    #[must_use]
    pub fn host_of_request(&self) -> Option<&str> {
        self.original_host.as_deref().or(self.authority.as_deref())
    }

    /// The client address of the connection. An address without a port is one of a header, which the headers
    /// of the request state.
    #[must_use]
    pub fn client(&self) -> Option<SocketAddr> {
        self.source.filter(|source| source.port() != 0)
    }

    /// Adds the headers of the line that the request does not have.
    pub fn add_headers(&self, request: &mut PickRequest) {
        let headers = [
            (FORWARDED_FOR, &self.forwarded_for),
            ("user-agent", &self.user_agent),
            ("x-request-id", &self.request_id),
        ];
        for (name, value) in headers {
            if let Some(value) = value
                && !has(request, name)
            {
                add_sent(&mut request.headers, name.to_owned(), value.clone());
            }
        }
    }

    /// Undoes what the connection manager of these routes did before the line was written: it appended the
    /// address of the connection to `x-forwarded-for`.
    pub fn undo_changes(&self, routes: &RouteTable, request: &mut PickRequest) {
        let appends = routes
            .manager
            .as_ref()
            .is_some_and(|manager| match &manager.client {
                ClientAddress::Connection { append, .. } => *append,
                ClientAddress::Headers(all) => all.iter().any(|one| match one {
                    AddressDetection::Hops { append, .. } => *append,
                    AddressDetection::Trusted { append, .. } => *append,
                    AddressDetection::Header { .. } => false,
                }),
            });
        let logged = self.forwarded_for.as_deref().filter(|_| appends);
        let header = |(name, value): &(String, String)| {
            name == FORWARDED_FOR && Some(value.as_str()) == logged
        };
        let Some(at) = request.headers.iter().position(header) else {
            return;
        };
        let (_, value) = request.headers.remove(at);
        let (before, last) = match value.rsplit_once(',') {
            Some((before, last)) => (Some(before.trim_end()), last),
            None => (None, value.as_str()),
        };
        if let Some(before) = before {
            request
                .headers
                .push((FORWARDED_FOR.to_owned(), before.to_owned()));
        }
        if !request.given.source
            && let Ok(address) = last.trim().parse()
        {
            request.source = SocketAddr::new(address, 0).to_string();
            request.given.source = true;
        }
    }

    /// The listener of the line's local address: its address, or any address with its port.
    #[must_use]
    pub fn listener<'c>(&self, config: &'c EnvoyConfig) -> Option<&'c str> {
        let local = self.local?;
        let by = |is: &dyn Fn(SocketAddr) -> bool| {
            let is = |listener: &&ListenerConfig| listener.address.parse().is_ok_and(is);
            config.listeners.iter().find(is)
        };
        let exact = by(&|address| address == local);
        let any = || by(&|address| address.port() == local.port() && address.ip().is_unspecified());
        exact.or_else(any).map(|listener| listener.address.as_str())
    }
}

/// Whether a request has a header.
fn has(request: &PickRequest, name: &str) -> bool {
    request.headers.iter().any(|(have, _)| have == name)
}

/// The headers that decide about a request which reaches these routes, and that neither the line nor an option
/// states.
pub(super) fn omitted(
    routes: &RouteTable,
    reached: &[usize],
    request: &PickRequest,
) -> Vec<String> {
    let mut read = routes.common_read_headers();
    let all = routes.virtual_hosts.iter().flat_map(|host| &host.routes);
    for route in all.filter(|route| reached.contains(&route.id)) {
        for name in route.read_headers().iter() {
            read.add(name);
        }
    }
    // A scheme follows from the connection.
    let omitted = read
        .iter()
        .filter(|name| *name != ":scheme" && !has(request, name));
    omitted.map(str::to_owned).collect()
}

/// Whether a route rewrites the host, which lines have after it.
pub(super) fn rewrites_host(routes: &RouteTable) -> bool {
    let mut routes = routes.virtual_hosts.iter().flat_map(|host| &host.routes);
    routes.any(|route| {
        matches!(&route.action, RouteAction::Forward(forward) if forward.rewrite.host.is_some())
    })
}
