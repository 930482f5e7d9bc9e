//! Network filters: the one that ends a filter chain decides how its connections are balanced.

mod chain_match;
mod hash_policy;
mod kinds;
mod listener_filters;
mod redis_proxy;
mod tcp_proxy;
mod udp_proxy;

pub use kinds::{ChainPlace, ListenerProtocol};
pub use tcp_proxy::CONNECTION_CLOSED;

pub(crate) use kinds::{CONNECTION_MANAGER_TYPE, REDIS_PROXY_TYPE, TCP_PROXY_TYPE};
pub(crate) use udp_proxy::{UDP_PROXY_TYPE, UDP_ROUTE_TYPE};

pub(super) use chain_match::read_match;
pub(super) use kinds::{NetworkFilterKind, kind_of};
pub(super) use listener_filters::read_listener_filters;
pub(super) use redis_proxy::read_redis_proxy;
pub(super) use tcp_proxy::read_tcp_proxy;
pub(super) use udp_proxy::read_udp_proxy;
