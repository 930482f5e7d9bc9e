//! Listeners and their filter chains.

mod routes;

pub(super) use routes::settle_headers;

use alloc::{format, string::String, vec::Vec};

use spillgate_core::route::RouteTable;

use self::routes::{ManagerOwner, read_routes_of};
#[cfg(feature = "health")]
use super::RouteOverTime;
use super::{
    RouteMarks, SpillgateFilter,
    api_listener::api_manager,
    common::{ByName, check_version, name_of},
    connection::LocalAddress,
    facts::ListenerFacts,
    listener_address::{address_text, is_udp, tcp_addresses},
    network::{
        ChainPlace, ListenerProtocol, NetworkFilterKind, kind_of, read_listener_filters,
        read_match, read_redis_proxy, read_tcp_proxy, read_udp_proxy,
    },
    route::ClusterNames,
    schema::{API_LISTENER, CONNECTION_MANAGER, FILTER, FILTER_CHAIN, LISTENER},
};
use crate::{
    Affects,
    node::{Node, NodeValue},
    proto::{Any, Message, Path, Report, field_of},
};

/// A filter chain of a listener, or a standalone route configuration.
#[derive(Debug, Clone, Default)]
pub struct ListenerConfig {
    /// The listener's name, or that of a standalone route configuration; may be empty.
    pub name: String,
    /// Its address, `ip:port` or a path; empty if it is unknown.
    pub address: String,
    /// The routes.
    pub routes: RouteTable,
    /// The positions of the routes, by [`Route::id`](spillgate_core::route::Route::id).
    pub marks: Vec<RouteMarks>,
    /// The retries and timeouts of routes without positions, by their id: those of documents of a mesh.
    #[cfg(feature = "health")]
    pub over_time: Vec<RouteOverTime>,
    /// The Spillgate filters, by the number in
    /// [`RequestFilter::Spillgate`](spillgate_core::route::RequestFilter).
    pub spillgate: Vec<SpillgateFilter>,
    /// What the chain balances.
    pub protocol: ListenerProtocol,
    /// The place of the chain in its listener.
    pub chain: ChainPlace,
    /// Further facts; only if read by [`read_for_lint`](super::read_for_lint).
    pub facts: Option<ListenerFacts>,
}

/// The messages that connection managers refer to.
pub(super) struct ListenerContext<'c, 'n, 'a> {
    pub(super) clusters: ClusterNames<'c>,
    pub(super) route_configurations: &'c ByName<'n, 'a>,
    /// Filters from ECDS.
    pub(super) extensions: &'c ByName<'n, 'a>,
}

/// Reads a listener: adds one entry per filter chain with a network filter that balances.
pub(super) fn read_listener(
    node: &Node<'_>,
    path: Path,
    number: usize,
    context: &ListenerContext<'_, '_, '_>,
    listeners: &mut Vec<ListenerConfig>,
    report: &mut Report,
) {
    let place = || match name_of(node, "name") {
        None | Some("") => address_text(node),
        Some(name) => name.into(),
    };
    report.at_place(place, |report| {
        read_at_place(node, path, number, context, listeners, report);
    });
}

fn read_at_place(
    node: &Node<'_>,
    path: Path,
    number: usize,
    context: &ListenerContext<'_, '_, '_>,
    listeners: &mut Vec<ListenerConfig>,
    report: &mut Report,
) {
    let Some(message) = Message::open(node, path, &LISTENER, report) else {
        return;
    };
    let before = listeners.len();
    let name = message.string("name", report).unwrap_or_default();
    let (filters, held) = report.holding(|report| read_listener_filters(&message, report));
    let matcher = message.get("filter_chain_matcher");
    let addresses = tcp_addresses(node, &message, report);
    if let Some(api) = message.get("api_listener") {
        let affects = Affects::Listener(before);
        let read = report.within(affects, |report| {
            read_api_listener(&message, api, context, report)
        });
        listeners.push(ListenerConfig {
            name: name.into(),
            address: address_text(node),
            chain: ChainPlace {
                listener: Some(number),
                ..ChainPlace::default()
            },
            ..read
        });
        return;
    }
    let mut chains: Vec<_> = message.list("filter_chains", report).collect();
    let default = message.get("default_filter_chain");
    chains.extend(default.map(|node| (message.path.field("default_filter_chain"), node)));
    for (path, node) in chains {
        let conditions = field_of(node, "filter_chain_match");
        let opened = report.at_conditions(conditions, |report| {
            Message::open(node, path, &FILTER_CHAIN, report)
        });
        let Some(chain) = opened else {
            continue;
        };
        let matches = read_match(&chain, report);
        let affects = Affects::Listener(listeners.len());
        let read = report.at_conditions(conditions, |report| {
            report.within(affects, |report| {
            let read = read_chain(&chain, (&message, filters.local), context, report)?;
            if filters.hands_off {
                name_hand_off(&message, listeners.len(), report);
            }
            if let Some(matcher) = matcher {
                let effect = "filter_chain_matcher is not modeled; connections can be served by \
                              another filter chain";
                let path = message.path.field("filter_chain_matcher");
                report.limit("config/not-modeled", effect, &path, matcher.position);
            }
            Some(read)
        })
        });
        let is_default = default.is_some_and(|default| core::ptr::eq(default, node));
        listeners.extend(read.map(|read| ListenerConfig {
            name: name.into(),
            chain: ChainPlace {
                listener: Some(number),
                matches: (!is_default).then_some(matches),
                inspects_tls: filters.inspects_tls,
                local: filters.local,
                addresses: addresses.clone(),
                hands_off: filters.hands_off,
                unbound: filters.unbound,
            },
            facts: read.facts.map(|facts| ListenerFacts {
                local: if sets_state(&chain) {
                    LocalAddress::MayBeRestored
                } else {
                    filters.local
                },
                ..facts
            }),
            ..read
        }));
    }
    if listeners.len() == before {
        if is_udp(node) {
            let affects = Affects::Listener(before);
            let read = report.within(affects, |report| read_udp(&message, context, report));
            listeners.push(ListenerConfig {
                name: name.into(),
                chain: ChainPlace {
                    listener: Some(number),
                    ..ChainPlace::default()
                },
                ..read
            });
        } else {
            report.release(&held)
        }
    }
    let address = address_text(node);
    for (at, listener) in listeners.iter_mut().enumerate().skip(before) {
        listener.address.clone_from(&address);
        report.within(Affects::Listener(at), |report| report.release(&held));
    }
}

/// Reads the routes of a client. Its other filter chains serve nothing, as in Envoy.
fn read_api_listener(
    listener: &Message<'_, '_>,
    node: &Node<'_>,
    context: &ListenerContext<'_, '_, '_>,
    report: &mut Report,
) -> ListenerConfig {
    for field in ["filter_chains", "default_filter_chain"] {
        if listener.has(field) {
            let effect = "filter chains next to api_listener serve no connections";
            let path = listener.path.field(field);
            report.limit(
                "config/not-modeled",
                effect,
                &path,
                listener.position_of(field),
            );
        }
    }
    let path = listener.path.field("api_listener");
    let api = Message::open(node, path, &API_LISTENER, report);
    let manager = api.and_then(|api| api_manager(&api, report));
    let read = manager.and_then(|manager| {
        let owner = (listener, ManagerOwner::Client);
        read_routes_of(&manager, owner, context, report)
    });
    read.unwrap_or(ListenerConfig {
        protocol: ListenerProtocol::Unknown,
        ..ListenerConfig::default()
    })
}

/// What a UDP listener balances.
fn read_udp(
    listener: &Message<'_, '_>,
    context: &ListenerContext<'_, '_, '_>,
    report: &mut Report,
) -> ListenerConfig {
    match read_udp_proxy(listener, context.clusters, report) {
        Some((routes, marks)) => ListenerConfig {
            routes,
            marks: Vec::from([marks]),
            protocol: ListenerProtocol::Udp,
            ..ListenerConfig::default()
        },
        None => ListenerConfig {
            protocol: ListenerProtocol::Unknown,
            ..ListenerConfig::default()
        },
    }
}

/// Names the other listeners that a connection can go to, unless its destination is known.
fn name_hand_off(listener: &Message<'_, '_>, chain: usize, report: &mut Report) {
    report.within(Affects::HandOff(chain), |report| {
        let effect = "use_original_dst hands connections to the listener of their original \
                      destination, which is not known";
        let field = "use_original_dst";
        let path = listener.path.field(field);
        report.limit(
            "config/not-modeled",
            effect,
            &path,
            listener.position_of(field),
        );
    });
}

/// Whether a network filter of a chain can set the destination in the filter state.
fn sets_state(chain: &Message<'_, '_>) -> bool {
    let mut filters = chain.list("filters", &mut Report::default());
    filters.any(|(_, filter)| {
        let config = field_of(filter, "typed_config");
        let url = config.and_then(|config| field_of(config, "@type"));
        let url = url.map(|url| &url.value);
        let Some(NodeValue::String(url)) = url else {
            return false;
        };
        let name = url.rsplit('/').next().unwrap_or_default();
        kind_of(name).0 == NetworkFilterKind::Changing
    })
}

/// Reads the network filters of a chain; `None` without one that balances.
fn read_chain(
    chain: &Message<'_, '_>,
    listener: (&Message<'_, '_>, LocalAddress),
    context: &ListenerContext<'_, '_, '_>,
    report: &mut Report,
) -> Option<ListenerConfig> {
    let mut read = None;
    for (path, node) in chain.list("filters", report) {
        let found = read_filter(node, path, chain, listener, context, report);
        read = read.or(found);
    }
    read
}

/// Reads a network filter; `None` if it does not balance.
fn read_filter(
    node: &Node<'_>,
    path: Path,
    chain: &Message<'_, '_>,
    (listener, local): (&Message<'_, '_>, LocalAddress),
    context: &ListenerContext<'_, '_, '_>,
    report: &mut Report,
) -> Option<ListenerConfig> {
    let filter = Message::open(node, path, &FILTER, report)?;
    let any = filter.any("typed_config", report)?;
    let (kind, name) = kind_of(any.type_name);
    let limit = |effect: &str, report: &mut Report| {
        let what = format!("network filter {name} is not modeled; {effect}");
        report.limit("config/filter-not-modeled", what, &any.path, node.position);
    };
    let config = ListenerConfig::default();
    match kind {
        NetworkFilterKind::ConnectionManager => Some(
            read_manager(any, chain, (listener, local), context, report).unwrap_or(
                ListenerConfig {
                    protocol: ListenerProtocol::Unknown,
                    ..config
                },
            ),
        ),
        NetworkFilterKind::TcpProxy => {
            let (routes, marks, facts) =
                report.within_route(0, |report| read_tcp_proxy(any, context.clusters, report))?;
            Some(ListenerConfig {
                routes,
                marks: Vec::from([marks]),
                protocol: ListenerProtocol::Tcp,
                facts: report
                    .is_judged()
                    .then(|| ListenerFacts::of_tcp(listener, facts)),
                ..config
            })
        }
        NetworkFilterKind::RedisProxy => {
            let routes = read_redis_proxy(any, context.clusters, report)?;
            Some(ListenerConfig {
                protocol: ListenerProtocol::Redis(routes),
                ..config
            })
        }
        NetworkFilterKind::Neutral => {
            #[cfg(feature = "unread")]
            report.note_part("FilterChain", "filters", any.node);
            None
        }
        NetworkFilterKind::Changing => {
            limit("connections of its filter chain can go elsewhere", report);
            None
        }
        NetworkFilterKind::Balancing => {
            check_version(any.node, &any.path, report);
            limit("its connections are not predicted", report);
            Some(ListenerConfig {
                protocol: ListenerProtocol::Unknown,
                ..config
            })
        }
    }
}

/// Reads the connection manager of a filter chain; `None` if its routes are not in the input.
fn read_manager(
    any: Any<'_, '_>,
    chain: &Message<'_, '_>,
    (listener, local): (&Message<'_, '_>, LocalAddress),
    context: &ListenerContext<'_, '_, '_>,
    report: &mut Report,
) -> Option<ListenerConfig> {
    let manager = any.open(&CONNECTION_MANAGER, report)?;
    let owner = ManagerOwner::Chain(chain, local);
    read_routes_of(&manager, (listener, owner), context, report)
}
