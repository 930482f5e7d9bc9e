//! The protocol of a filter chain, and what its network filters do.

use alloc::{format, string::String, vec::Vec};

use spillgate_core::route::{FilterChainMatch, RedisRoutes};

use crate::envoy::connection::LocalAddress;

/// The type of the network filter with routes.
pub(crate) const CONNECTION_MANAGER_TYPE: &str =
    "envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager";

/// What the last network filter of a chain balances.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum ListenerProtocol {
    /// HTTP requests (`http_connection_manager`).
    #[default]
    Http,
    /// TCP connections (`tcp_proxy`). The table has one route.
    Tcp,
    /// UDP sessions (`udp_proxy`). The table has one route.
    Udp,
    /// Redis commands (`redis_proxy`). The table is empty.
    Redis(RedisRoutes),
    /// Another filter, or routes that the input lacks. The table is empty.
    Unknown,
}

/// The place of a filter chain in its listener.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChainPlace {
    /// The number of the listener in the input; `None` for a standalone route configuration.
    pub listener: Option<usize>,
    /// Its conditions; `None` for the default filter chain.
    pub matches: Option<FilterChainMatch>,
    /// Whether a listener filter finds the TLS server name (`tls_inspector`).
    pub inspects_tls: bool,
    /// Whether listener filters can restore the original destination of a connection.
    pub local: LocalAddress,
    /// The addresses of the listener for TCP connections, `ip:port`.
    pub addresses: Vec<String>,
    /// Whether the listener hands connections to the listener of their original destination
    /// (`use_original_dst`).
    pub hands_off: bool,
    /// Whether only other listeners can hand connections to the listener (`bind_to_port`).
    pub unbound: bool,
}

impl ChainPlace {
    /// The address at which clients reach the listener, `ip:port`, if it has only one and nothing restores another one.
    /// One of all addresses has the port.
    #[must_use]
    pub fn client_address(&self) -> Option<String> {
        let [address] = self.addresses.as_slice() else {
            return None;
        };
        if self.local == LocalAddress::MayBeRestored {
            return None;
        }
        let loopback = |any: &str, own: &str| Some(format!("{own}{}", address.strip_prefix(any)?));
        let known = loopback("0.0.0.0:", "127.0.0.1:").or_else(|| loopback("[::]:", "[::1]:"));
        Some(known.unwrap_or_else(|| address.clone()))
    }
}

/// The effect of a network filter on balancing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::envoy) enum NetworkFilterKind {
    ConnectionManager,
    TcpProxy,
    RedisProxy,
    /// It passes or closes connections and balances nothing.
    Neutral,
    /// It can change the cluster or the criteria of later filters.
    Changing,
    /// It ends the chain and balances by itself.
    Balancing,
}

/// The type of `tcp_proxy`.
pub(crate) const TCP_PROXY_TYPE: &str = "envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy";
/// The type of `redis_proxy`.
pub(crate) const REDIS_PROXY_TYPE: &str =
    "envoy.extensions.filters.network.redis_proxy.v3.RedisProxy";

const PREFIX: &str = "envoy.extensions.filters.network.";

/// The kinds by folder of the type name; unknown filters balance by themselves.
const KINDS: [(&str, NetworkFilterKind); 20] = [
    ("connection_limit", NetworkFilterKind::Neutral),
    ("dynamic_modules", NetworkFilterKind::Changing),
    ("ext_authz", NetworkFilterKind::Changing),
    ("ext_proc", NetworkFilterKind::Changing),
    ("geoip", NetworkFilterKind::Neutral),
    ("golang", NetworkFilterKind::Changing),
    ("kafka_broker", NetworkFilterKind::Neutral),
    ("local_ratelimit", NetworkFilterKind::Neutral),
    ("match_delegate", NetworkFilterKind::Changing),
    ("mongo_proxy", NetworkFilterKind::Neutral),
    ("mysql_proxy", NetworkFilterKind::Neutral),
    ("postgres_proxy", NetworkFilterKind::Neutral),
    ("ratelimit", NetworkFilterKind::Neutral),
    ("rbac", NetworkFilterKind::Changing),
    ("set_filter_state", NetworkFilterKind::Changing),
    ("sni_cluster", NetworkFilterKind::Changing),
    ("sni_dynamic_forward_proxy", NetworkFilterKind::Changing),
    ("tcp_bandwidth_limit", NetworkFilterKind::Neutral),
    ("wasm", NetworkFilterKind::Changing),
    ("zookeeper_proxy", NetworkFilterKind::Neutral),
];

/// The kind of a filter by its type, and its name in messages.
pub(in crate::envoy) fn kind_of(type_name: &str) -> (NetworkFilterKind, &str) {
    if type_name == CONNECTION_MANAGER_TYPE {
        return (
            NetworkFilterKind::ConnectionManager,
            "http_connection_manager",
        );
    }
    match type_name {
        TCP_PROXY_TYPE => return (NetworkFilterKind::TcpProxy, "tcp_proxy"),
        REDIS_PROXY_TYPE => return (NetworkFilterKind::RedisProxy, "redis_proxy"),
        _ => {}
    }
    let Some(rest) = type_name.strip_prefix(PREFIX) else {
        return (NetworkFilterKind::Balancing, type_name);
    };
    let name = rest.split('.').next().unwrap_or_default();
    let found = KINDS.into_iter().find(|(known, _)| *known == name);
    (
        found.map_or(NetworkFilterKind::Balancing, |(_, kind)| kind),
        name,
    )
}
