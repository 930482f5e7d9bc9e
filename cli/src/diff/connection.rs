//! An example connection that a filter chain serves.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use spillgate_answers::pick::{GivenConnection, ListenerChains, PickRequest, ServingChain};
use spillgate_core::route::{AddressRange, FilterChainMatch, SourceType};
use spillgate_diff::RouteDiff;
use spillgate_explain::shell_word;

use crate::sides::Side;

/// What `explain` must know about a connection, as its options.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct ExampleConnection {
    server_name: Option<String>,
    application_protocol: Option<String>,
    source: Option<SocketAddr>,
    local: Option<SocketAddr>,
}

/// The most connections that are tried.
const MOST: usize = 1_000;

impl ExampleConnection {
    /// The connection with the fewest properties that the filter chain of the route serves, on each side that has the
    /// chain. `None` if no tried one is.
    pub(super) fn of(old: &Side, new: &Side, route: &RouteDiff) -> Option<Self> {
        let chains = [(old, route.chains[0]), (new, route.chains[1])];
        let chains: Vec<(&Side, usize)> = chains
            .into_iter()
            .filter_map(|(side, at)| Some((side, at?)))
            .collect();
        let mut tried = candidates(&chains).into_iter().take(MOST);
        tried.find(|one| {
            let mut sides = chains.iter();
            sides.all(|(side, at)| one.is_served_by(side, &route.listener, *at))
        })
    }

    /// Whether a filter chain serves it for certain.
    fn is_served_by(&self, side: &Side, listener: &str, wanted: usize) -> bool {
        let name = (!listener.is_empty()).then_some(listener);
        let Ok((chains, _)) = ListenerChains::find(&side.config.envoy, name) else {
            return false;
        };
        let serving = chains.serving(&mut self.request());
        matches!(serving, ServingChain::Chain(at, _, None) if at == wanted)
    }

    fn request(&self) -> PickRequest {
        let mut request = PickRequest::plain();
        let offered = self.application_protocol.iter().cloned();
        request.given = GivenConnection {
            source: self.source.is_some(),
            local: self.local.is_some(),
            application_protocols: offered.collect(),
            ..GivenConnection::default()
        }
        .with_sni(self.server_name.clone());
        if let Some(source) = self.source {
            request.source = source.to_string();
        }
        if let Some(local) = self.local {
            request.local = local.to_string();
        }
        request
    }

    /// The options of `explain`.
    pub(super) fn options(&self) -> String {
        let mut options = String::new();
        let mut add = |name: &str, value: &str| {
            options.push_str(&format!(" {name} {}", shell_word(value)));
        };
        if let Some(name) = &self.server_name {
            add("--sni", name);
        }
        if let Some(protocol) = &self.application_protocol {
            add("--alpn", protocol);
        }
        if let Some(source) = self.source {
            add("--source", &source.to_string());
        }
        if let Some(local) = self.local {
            add("--local", &local.to_string());
        }
        options
    }
}

/// Connections that meet conditions of these filter chains, first those with the fewest properties.
fn candidates(chains: &[(&Side, usize)]) -> Vec<ExampleConnection> {
    let mut values = Values::default();
    for (side, at) in chains {
        let Some(listener) = side.config.envoy.listeners.get(*at) else {
            continue;
        };
        let bound = listener.chain.addresses.iter();
        let bound = bound.filter_map(|text| text.parse::<SocketAddr>().ok());
        let bound: Vec<SocketAddr> = bound.collect();
        values.add(&listener.chain.matches.clone().unwrap_or_default(), &bound);
    }
    let mut found = vec![ExampleConnection::default()];
    found = extended(found, &values.server_names, |one, name| {
        one.server_name = Some(name.clone());
    });
    found = extended(found, &values.application_protocols, |one, protocol| {
        one.application_protocol = Some(protocol.clone());
    });
    found = extended(found, &values.sources, |one, source| {
        one.source = Some(*source);
    });
    extended(found, &values.locals, |one, local| one.local = Some(*local))
}

/// The connections, then each with each of the values.
fn extended<T>(
    connections: Vec<ExampleConnection>,
    values: &[T],
    set: impl Fn(&mut ExampleConnection, &T),
) -> Vec<ExampleConnection> {
    let mut found = connections.clone();
    for value in values {
        found.extend(connections.iter().cloned().map(|mut one| {
            set(&mut one, value);
            one
        }));
    }
    found
}

/// Values of the properties of connections.
#[derive(Default)]
struct Values {
    server_names: Vec<String>,
    application_protocols: Vec<String>,
    sources: Vec<SocketAddr>,
    locals: Vec<SocketAddr>,
}

/// An address for documentation (RFC 5737), which no network has.
const ELSEWHERE: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1));

/// The port of clients unless a condition names one.
const CLIENT_PORT: u16 = 40_000;

impl Values {
    /// Adds those that meet conditions of a chain, and those that meet the conditions of no chain: a default chain serves
    /// them.
    fn add(&mut self, matches: &FilterChainMatch, bound: &[SocketAddr]) {
        let wildcards = matches.server_names.iter();
        let names = wildcards.map(|name| match name.strip_prefix('*') {
            Some(suffix) => format!("www{suffix}"),
            None => name.clone(),
        });
        self.server_names.extend(names);
        // No TLS, TLS without a name, and a name that no other chain has.
        self.server_names
            .extend(["-", "", "other.example"].map(String::from));
        self.application_protocols
            .extend(matches.application_protocols.iter().cloned());
        self.application_protocols
            .extend(["h2", "http/1.1"].map(String::from));

        let ranges = matches.source.iter().chain(&matches.direct_source);
        let mut sources: Vec<IpAddr> = ranges.map(first).collect();
        sources.push(match matches.source_type {
            SourceType::SameIpOrLoopback => IpAddr::V4(Ipv4Addr::LOCALHOST),
            SourceType::Any | SourceType::External => ELSEWHERE,
        });
        let port = matches.source_ports.first().copied().unwrap_or(CLIENT_PORT);
        let sources = sources.into_iter().map(|ip| SocketAddr::new(ip, port));
        self.sources.extend(sources);

        let ranges = matches.destination.iter().map(first);
        let own = bound.iter().map(SocketAddr::ip).map(|ip| match ip {
            IpAddr::V4(any) if any.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
            ip => ip,
        });
        let own_port = bound.first().map(SocketAddr::port);
        let port = matches.destination_port.or(own_port);
        let locals: Vec<IpAddr> = ranges.chain(own).chain([ELSEWHERE]).collect();
        let locals = locals.into_iter();
        self.locals
            .extend(locals.filter_map(|ip| Some(SocketAddr::new(ip, port?))));
    }
}

/// The first address for a host in a range.
fn first(range: &AddressRange) -> IpAddr {
    match range.address {
        IpAddr::V4(ip) if range.length < 31 => {
            let kept = u32::MAX.checked_shl(32 - u32::from(range.length));
            let start = ip.to_bits() & kept.unwrap_or(0);
            IpAddr::V4(Ipv4Addr::from_bits(start.saturating_add(1)))
        }
        ip => ip,
    }
}
