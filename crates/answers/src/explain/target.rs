//! The routes that a question is about: those of a filter chain, or of one cluster.

use std::borrow::Cow;

use spillgate_config::{
    Diagnostic,
    envoy::{EnvoyConfig, ListenerConfig, ListenerProtocol, RouteMarks},
};
use spillgate_core::{
    model::Metadata,
    route::{RedisRoute, RedisRoutes, RouteTable},
};

use crate::{
    input::Faults,
    names::unknown_cluster,
    pick::{ListenerChains, PickRequest, ServingChain, no_chain, redis_table},
};

use super::{
    direct::{DirectQuestion, add_headers, direct},
    routing::AskedKind,
};

/// The hash of headers and other HTTP sources.
pub const XX_HASH: &str = "xxHash64";
/// The hash of Redis keys.
const MURMUR_HASH: &str = "MurmurHash2";

/// The routes that serve a request, a connection or a key.
#[derive(Debug)]
pub struct ServingRoutes<'c> {
    /// The routes.
    pub routes: Cow<'c, RouteTable>,
    /// The positions of the routes.
    pub marks: &'c [RouteMarks],
    /// What the question is about.
    pub kind: AskedKind,
    /// The chain of the routes, unless `--cluster` made them.
    pub chain: Option<&'c ListenerConfig>,
    /// The index of the chain that serves, for limits.
    pub listener: Option<usize>,
    /// The limit of a chain that the options do not decide.
    pub undecided: Option<Box<Diagnostic>>,
}

/// Routes to one cluster, with the criteria that `criteria` reads. The hash key is a Redis key if only a
/// Redis proxy uses the cluster.
///
/// # Errors
/// An unknown cluster, and the error of the criteria.
pub fn straight_to<'c>(
    name: &str,
    question: &DirectQuestion<'_>,
    criteria: impl FnOnce() -> Result<Metadata, Faults>,
    config: &'c EnvoyConfig,
    request: &mut PickRequest,
) -> Result<ServingRoutes<'c>, Faults> {
    if config.model.cluster(name).is_none() {
        let fault = unknown_cluster("explain/unknown-cluster", name, &config.model);
        return Err(Faults::one(&config.sources, &fault));
    }
    let direct_to = |routes, kind| ServingRoutes {
        routes: Cow::Owned(routes),
        marks: &[],
        kind,
        chain: None,
        listener: None,
        undecided: None,
    };
    if let Some(key) = question.hash_key
        && let Some(redis) = only_redis(config, name)
    {
        let hash_tags = redis.hash_tags;
        let alone = RedisRoutes {
            catch_all: Some(RedisRoute::default()),
            hash_tags,
            ..RedisRoutes::default()
        };
        request.given.key_hash = alone.target(key.as_bytes()).map(|target| target.hash);
        let kind = AskedKind::Key(key.to_owned(), MURMUR_HASH);
        return Ok(direct_to(redis_table(name), kind));
    }
    // The listener of the request is not known.
    request.given.restored = true;
    let routes = direct(name, question, criteria()?);
    add_headers(question, request);
    let kind = match question.hash_key {
        Some(key) => AskedKind::Key(key.to_owned(), XX_HASH),
        None => AskedKind::Direct,
    };
    Ok(direct_to(routes, kind))
}

/// The Redis proxy that uses a cluster, if no HTTP or TCP route does.
fn only_redis<'c>(config: &'c EnvoyConfig, cluster: &str) -> Option<&'c RedisRoutes> {
    let mut found = None;
    for listener in &config.listeners {
        if let ListenerProtocol::Redis(routes) = &listener.protocol
            && routes.clusters().any(|name| name == cluster)
        {
            found = found.or(Some(routes));
        }
        let mut others = listener
            .routes
            .virtual_hosts
            .iter()
            .flat_map(|host| &host.routes);
        if others.any(|route| route.clusters().any(|name| name == cluster)) {
            return None;
        }
    }
    found
}

/// The routes of the filter chain that serves the connection of a request, and a warning if the listener
/// has no name and is not the only one.
///
/// # Errors
/// A listener without routes, or a hash key that the listener does not read or lacks.
pub fn listener_target<'c>(
    listener: Option<&str>,
    hash_key: Option<&str>,
    config: &'c EnvoyConfig,
    request: &mut PickRequest,
) -> Result<(ServingRoutes<'c>, Option<Diagnostic>), Faults> {
    let (chains, warning) = ListenerChains::find(config, listener)
        .map_err(|fault| no_chain(config, &no_routes(*fault)))?;
    let target = of_chains(&chains, hash_key, config, request)?;
    Ok((target, warning))
}

/// The routes of the chain that serves the connection.
fn of_chains<'c>(
    chains: &ListenerChains<'c>,
    hash_key: Option<&str>,
    config: &'c EnvoyConfig,
    request: &mut PickRequest,
) -> Result<ServingRoutes<'c>, Faults> {
    let faults = |fault: &Diagnostic| Faults::one(&config.sources, fault);
    let closed = |kind, listener, undecided| ServingRoutes {
        routes: Cow::Owned(RouteTable::default()),
        marks: &[],
        kind,
        chain: None,
        listener,
        undecided,
    };
    let (listener, chain, undecided) = match chains.serving(request) {
        ServingChain::NoMatch => return Ok(closed(AskedKind::NoFilterChain, None, None)),
        ServingChain::Chain(index, chain, undecided) => (Some(index), chain, undecided),
    };
    let of_chain = |kind, undecided| ServingRoutes {
        routes: Cow::Borrowed(&chain.routes),
        marks: &chain.marks,
        kind,
        chain: Some(chain),
        listener,
        undecided,
    };
    match (&chain.protocol, hash_key) {
        (ListenerProtocol::Redis(routes), Some(key)) => {
            let key = key.to_owned();
            let Some(target) = routes.target(key.as_bytes()) else {
                return Ok(closed(AskedKind::NoKeyRoute(key), listener, undecided));
            };
            request.given.key_hash = Some(target.hash);
            let routes = redis_table(target.cluster);
            Ok(ServingRoutes {
                routes: Cow::Owned(routes),
                ..closed(AskedKind::Key(key, MURMUR_HASH), listener, undecided)
            })
        }
        (ListenerProtocol::Redis(_), None) => {
            let fault = Diagnostic::error("explain/no-key", "the listener balances Redis keys");
            Err(faults(&fault.expected("--hash-key KEY")))
        }
        (_, Some(_)) => {
            let what = "--hash-key: the listener does not balance Redis keys";
            let fault = Diagnostic::error("explain/no-key", what);
            Err(faults(&fault.expected(
                "--cluster NAME, or the header of the route's hash policy",
            )))
        }
        (ListenerProtocol::Http, None) => Ok(of_chain(AskedKind::Request, undecided)),
        (ListenerProtocol::Tcp, None) => Ok(of_chain(AskedKind::Connection, undecided)),
        (ListenerProtocol::Udp, None) => Ok(of_chain(AskedKind::Session, undecided)),
        (ListenerProtocol::Unknown, None) => Ok(closed(AskedKind::NotModeled, listener, undecided)),
    }
}

/// Adds the remedy for a configuration without routes.
fn no_routes(fault: Diagnostic) -> Diagnostic {
    match fault.code {
        "pick/no-routes" => fault.expected(
            "a listener with http_connection_manager, tcp_proxy, udp_proxy or redis_proxy, or \
             --cluster NAME",
        ),
        _ => fault,
    }
}
