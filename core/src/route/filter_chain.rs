//! The filter chain of a connection (`envoy.config.listener.v3.FilterChainMatch`).
//!
//! Envoy compares the criteria one after the other. At each one, only the chains with the most
//! specific match remain; it never returns to the others. So a chain without a criterion serves a
//! connection only if no other remaining chain matches it there.

use alloc::{string::String, vec::Vec};
use core::net::{IpAddr, SocketAddr};

/// The criteria of a filter chain. An empty list, or `None`, accepts every connection.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FilterChainMatch {
    /// The port that the client connected to (`destination_port`).
    pub destination_port: Option<u16>,
    /// The address that the client connected to (`prefix_ranges`).
    pub destination: Vec<AddressRange>,
    /// The lower-case TLS server name: `a.example`, or `*.example` for every name below it
    /// (`server_names`).
    pub server_names: Vec<String>,
    /// `tls` or `raw_buffer` (`transport_protocol`).
    pub transport_protocol: Option<String>,
    /// ALPN protocols (`application_protocols`).
    pub application_protocols: Vec<String>,
    /// The peer of the connection, before PROXY protocol (`direct_source_prefix_ranges`).
    pub direct_source: Vec<AddressRange>,
    /// Whether the client is local (`source_type`).
    pub source_type: SourceType,
    /// The client address (`source_prefix_ranges`).
    pub source: Vec<AddressRange>,
    /// The client port (`source_ports`).
    pub source_ports: Vec<u16>,
}

/// Addresses with a common prefix (`envoy.config.core.v3.CidrRange`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AddressRange {
    /// An address of the range.
    pub address: IpAddr,
    /// The length of the prefix in bits, at most that of the address.
    pub length: u8,
}

/// `FilterChainMatch.ConnectionSourceType`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SourceType {
    /// Every client.
    #[default]
    Any,
    /// A loopback address, or the address that the client connected to.
    SameIpOrLoopback,
    /// The others.
    External,
}

/// The properties of a connection, as far as they are known.
#[derive(Debug, Clone, Copy, Default)]
pub struct ConnectionFacts<'a> {
    /// The address that the client connected to.
    pub destination: Option<SocketAddr>,
    /// The client address.
    pub source: Option<SocketAddr>,
    /// The lower-case TLS server name; empty without one.
    pub server_name: Option<&'a str>,
    /// `tls` or `raw_buffer`.
    pub transport_protocol: Option<&'a str>,
    /// The protocols that the client offers, in its order.
    pub application_protocols: Option<&'a [String]>,
}

/// The filter chains that can serve a connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatchingChains {
    /// Their indexes, in order; none if no chain matches.
    pub chains: Vec<usize>,
    /// Whether no unknown property of the connection decides. The first chain serves then.
    pub certain: bool,
}

/// Finds the filter chains that can serve a connection.
///
/// # Examples
/// ```
/// use spillgate_core::route::{ConnectionFacts, FilterChainMatch, filter_chains};
///
/// let names = |name: &str| FilterChainMatch {
///     server_names: vec![name.into()],
///     ..FilterChainMatch::default()
/// };
/// let chains = [names("a.example"), names("*.example"), FilterChainMatch::default()];
/// let of = |server_name| {
///     let facts = ConnectionFacts { server_name, ..ConnectionFacts::default() };
///     filter_chains(&chains, &facts).chains
/// };
/// assert_eq!(of(Some("a.example")), [0]);
/// assert_eq!(of(Some("b.a.example")), [1]);
/// assert_eq!(of(Some("other")), [2]);
/// assert_eq!(of(None), [0, 1, 2]);
/// ```
#[must_use]
pub fn filter_chains(chains: &[FilterChainMatch], facts: &ConnectionFacts<'_>) -> MatchingChains {
    let mut left: Vec<usize> = (0..chains.len()).collect();
    let mut certain = true;
    for criterion in CRITERIA {
        let fits = |at: &usize| chains.get(*at).map_or(Fit::No, |of| criterion(of, facts));
        // An unknown property can match any of them most specifically.
        certain &= !left.iter().any(|at| fits(at) == Fit::Unknown);
        let best = left.iter().map(fits).max().unwrap_or(Fit::No);
        left.retain(|at| {
            let fit = fits(at);
            fit != Fit::No && (fit == best || !certain)
        });
    }
    MatchingChains {
        chains: left,
        certain,
    }
}

/// How a chain fits a connection by one criterion. Later values are more specific.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    /// It does not.
    No,
    /// The chain lacks the criterion.
    Any,
    /// It matches: a higher number is more specific.
    Match(usize),
    /// The chain has the criterion, and the connection's property is unknown.
    Unknown,
}

type Criterion = fn(&FilterChainMatch, &ConnectionFacts<'_>) -> Fit;

/// The criteria in Envoy's order.
const CRITERIA: [Criterion; 9] = [
    |chain, facts| match chain.destination_port {
        None => Fit::Any,
        Some(port) => known(facts.destination, |have| exact(have.port() == port)),
    },
    |chain, facts| within(&chain.destination, facts.destination),
    |chain, facts| match chain.server_names.as_slice() {
        [] => Fit::Any,
        names => known(facts.server_name, |name| server_name(names, name)),
    },
    |chain, facts| match &chain.transport_protocol {
        None => Fit::Any,
        Some(protocol) => known(facts.transport_protocol, |have| exact(have == protocol)),
    },
    |chain, facts| match chain.application_protocols.as_slice() {
        [] => Fit::Any,
        protocols => known(facts.application_protocols, |offered| {
            let first = offered.iter().position(|one| protocols.contains(one));
            first.map_or(Fit::No, |at| Fit::Match(offered.len() - at))
        }),
    },
    |chain, facts| within(&chain.direct_source, facts.source),
    |chain, facts| match chain.source_type {
        SourceType::Any => Fit::Any,
        wanted => known(facts.source.zip(facts.destination), |(from, to)| {
            let local = from.ip().is_loopback() || from.ip() == to.ip();
            exact(local == (wanted == SourceType::SameIpOrLoopback))
        }),
    },
    |chain, facts| within(&chain.source, facts.source),
    |chain, facts| match chain.source_ports.as_slice() {
        [] => Fit::Any,
        ports => known(facts.source, |have| exact(ports.contains(&have.port()))),
    },
];

fn known<T>(property: Option<T>, fit: impl FnOnce(T) -> Fit) -> Fit {
    property.map_or(Fit::Unknown, fit)
}

const fn exact(matches: bool) -> Fit {
    if matches { Fit::Match(0) } else { Fit::No }
}

/// The longest prefix of an address.
fn within(ranges: &[AddressRange], address: Option<SocketAddr>) -> Fit {
    if ranges.is_empty() {
        return Fit::Any;
    }
    known(address, |address| {
        let have = ranges.iter().filter(|range| range.contains(address.ip()));
        let longest = have.map(|range| usize::from(range.length)).max();
        longest.map_or(Fit::No, Fit::Match)
    })
}

/// The name itself, or the longest wildcard above it.
fn server_name(names: &[String], name: &str) -> Fit {
    let fits = names
        .iter()
        .filter_map(|have| match have.strip_prefix('*') {
            Some(suffix) if name.len() > suffix.len() && name.ends_with(suffix) => {
                Some(suffix.len())
            }
            None if have == name => Some(usize::MAX),
            _ => None,
        });
    fits.max().map_or(Fit::No, Fit::Match)
}

impl AddressRange {
    /// Whether an address is in the range.
    #[must_use]
    pub fn contains(&self, address: IpAddr) -> bool {
        match (self.address, address) {
            (IpAddr::V4(of), IpAddr::V4(address)) => {
                let other = (of.to_bits() ^ address.to_bits()).leading_zeros();
                other >= self.length.into()
            }
            (IpAddr::V6(of), IpAddr::V6(address)) => {
                let other = (of.to_bits() ^ address.to_bits()).leading_zeros();
                other >= self.length.into()
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    fn range(address: &str, length: u8) -> Vec<AddressRange> {
        vec![AddressRange {
            address: address.parse().unwrap(),
            length,
        }]
    }

    fn names(names: &[&str]) -> FilterChainMatch {
        FilterChainMatch {
            server_names: names.iter().map(|&name| name.into()).collect(),
            ..FilterChainMatch::default()
        }
    }

    /// The chains of a measured Envoy 1.40, with the chain that it chose for each connection.
    fn measured() -> [FilterChainMatch; 8] {
        let raw = FilterChainMatch {
            transport_protocol: Some("raw_buffer".into()),
            ..FilterChainMatch::default()
        };
        [
            names(&["a.example"]),
            names(&["*.example"]),
            names(&["*.b.example"]),
            FilterChainMatch {
                destination_port: Some(23601),
                ..names(&["z.example"])
            },
            FilterChainMatch {
                application_protocols: vec!["h2".into()],
                ..names(&["c.example"])
            },
            FilterChainMatch {
                source: range("127.0.0.5", 32),
                ..raw.clone()
            },
            FilterChainMatch {
                source_ports: vec![23650],
                ..raw
            },
            FilterChainMatch {
                destination: range("127.0.0.7", 32),
                ..names(&["q.example"])
            },
        ]
    }

    #[test]
    fn later_criteria_never_return_to_other_chains() {
        let chains = measured();
        let of = |to: &str, from: &str, name, offered: &[&str]| {
            let offered: Vec<String> = offered.iter().map(|&name| name.into()).collect();
            let facts = ConnectionFacts {
                destination: Some(to.parse().unwrap()),
                source: Some(from.parse().unwrap()),
                server_name: Some(name),
                transport_protocol: Some(if name.is_empty() { "raw_buffer" } else { "tls" }),
                application_protocols: Some(&offered),
            };
            let found = filter_chains(&chains, &facts);
            assert!(found.certain);
            found.chains
        };
        let (to, from) = ("127.0.0.1:23600", "127.0.0.1:40000");
        assert_eq!(of(to, from, "a.example", &[]), [0]);
        assert_eq!(of(to, from, "x.example", &[]), [1]);
        assert_eq!(of(to, from, "x.b.example", &[]), [2]);
        assert_eq!(of(to, from, "b.example", &[]), [1]);
        assert!(of(to, from, "other", &[]).is_empty());
        assert_eq!(of(to, from, "c.example", &["h2"]), [4]);
        assert!(of(to, from, "c.example", &["http/1.1"]).is_empty());
        assert!(of(to, from, "", &[]).is_empty());
        assert_eq!(of(to, "127.0.0.5:1", "", &[]), [5]);
        assert_eq!(of(to, "127.0.0.5:23650", "", &[]), [5]);
        assert_eq!(of(to, "127.0.0.6:23650", "", &[]), [6]);
        assert_eq!(of("127.0.0.7:23600", from, "q.example", &[]), [7]);
        assert!(of("127.0.0.7:23600", from, "a.example", &[]).is_empty());
    }

    #[test]
    fn unknown_properties_leave_several_chains() {
        let chains = measured();
        let facts = ConnectionFacts {
            destination: Some("127.0.0.1:23600".parse().unwrap()),
            server_name: Some("a.example"),
            ..ConnectionFacts::default()
        };
        assert_eq!(filter_chains(&chains, &facts).chains, [0]);
        let no_name = ConnectionFacts {
            server_name: None,
            ..facts
        };
        let found = filter_chains(&chains, &no_name);
        assert_eq!(found.chains, [0, 1, 2, 4, 5, 6]);
        assert!(!found.certain);
    }

    #[test]
    fn the_longest_prefix_and_the_clients_kind_decide() {
        let source = |address, length| FilterChainMatch {
            source: range(address, length),
            ..FilterChainMatch::default()
        };
        let of_type = |source_type| FilterChainMatch {
            source_type,
            ..FilterChainMatch::default()
        };
        let facts = |from: &str| ConnectionFacts {
            destination: Some("10.0.0.1:80".parse().unwrap()),
            source: Some(from.parse().unwrap()),
            ..ConnectionFacts::default()
        };
        let chains = [
            source("10.0.0.0", 8),
            source("10.1.0.0", 16),
            source("::", 0),
        ];
        assert_eq!(filter_chains(&chains, &facts("10.1.2.3:1")).chains, [1]);
        assert_eq!(filter_chains(&chains, &facts("10.2.2.3:1")).chains, [0]);
        assert_eq!(
            filter_chains(&chains, &facts("[2001:db8::1]:1")).chains,
            [2]
        );
        let kinds = [SourceType::External, SourceType::SameIpOrLoopback];
        let chains = kinds.map(of_type);
        assert_eq!(filter_chains(&chains, &facts("10.0.0.1:1")).chains, [1]);
        assert_eq!(filter_chains(&chains, &facts("127.0.0.3:1")).chains, [1]);
        assert_eq!(filter_chains(&chains, &facts("10.0.0.2:1")).chains, [0]);
    }
}
