//! The routes that a question is about: those of a filter chain, or of `--cluster`.

use std::borrow::Cow;

use spillgate_answers::{
    input::Faults,
    names::unknown_cluster,
    pick::{ListenerChains, PickRequest, ServingChain, redis_table},
};
use spillgate_config::{
    Diagnostic,
    envoy::{EnvoyConfig, ListenerConfig, ListenerProtocol, RouteMarks},
};
use spillgate_core::route::{RedisRoutes, RouteTable};

use super::{
    args::ExplainArgs,
    direct::{add_headers, direct},
    routing::AskedKind,
};
use crate::{command::Done, config::Config, pick::no_chain};

/// The hash of headers and other HTTP sources.
pub(super) const XX_HASH: &str = "xxHash64";
/// The hash of Redis keys.
const MURMUR_HASH: &str = "MurmurHash2";

/// The routes that serve a request, a connection or a key.
pub(super) struct Target<'c> {
    pub(super) routes: Cow<'c, RouteTable>,
    /// The positions of the routes.
    pub(super) marks: &'c [RouteMarks],
    pub(super) kind: AskedKind,
    /// The chain of the routes, unless `--cluster` made them.
    pub(super) chain: Option<&'c ListenerConfig>,
    /// The index of the chain that serves, for limits.
    pub(super) listener: Option<usize>,
    /// The limit of a chain that the options do not decide.
    pub(super) undecided: Option<Box<Diagnostic>>,
}

/// Routes to the cluster of `--cluster`, or the error of an unknown cluster. The hash key is a Redis key
/// if only a Redis proxy uses the cluster.
pub(super) fn straight_to<'c>(
    name: &str,
    args: &ExplainArgs,
    config: &'c Config,
    request: &mut PickRequest,
) -> Result<Target<'c>, Faults> {
    if config.envoy.model.cluster(name).is_none() {
        let fault = unknown_cluster("explain/unknown-cluster", name, &config.envoy.model);
        return Err(Faults::one(config.files(), &fault));
    }
    let direct_to = |routes, kind| Target {
        routes: Cow::Owned(routes),
        marks: &[],
        kind,
        chain: None,
        listener: None,
        undecided: None,
    };
    if let Some(key) = &args.hash_key
        && let Some(redis) = only_redis(&config.envoy, name)
    {
        let hash_tags = redis.hash_tags;
        let alone = RedisRoutes {
            catch_all: Some(spillgate_core::route::RedisRoute::default()),
            hash_tags,
            ..RedisRoutes::default()
        };
        request.given.key_hash = alone.target(key.as_bytes()).map(|target| target.hash);
        let kind = AskedKind::Key(key.clone(), MURMUR_HASH);
        return Ok(direct_to(redis_table(name), kind));
    }
    // The listener of the request is not known.
    request.given.restored = true;
    let routes = direct(name, args, &config.envoy.model)?;
    add_headers(args, request);
    let kind = match &args.hash_key {
        Some(key) => AskedKind::Key(key.clone(), XX_HASH),
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

/// The routes of the filter chain that serves the connection of the options.
pub(super) fn listener_target<'c>(
    args: &ExplainArgs,
    config: &'c Config,
    request: &mut PickRequest,
    done: &mut Done,
) -> Result<Target<'c>, Faults> {
    let faults = |fault: &Diagnostic| Faults::one(config.files(), fault);
    let (chains, warning) = ListenerChains::find(&config.envoy, args.listener.as_deref())
        .map_err(|fault| no_chain(config, &no_routes(*fault)))?;
    done.warn(config.files(), warning.as_slice());
    let closed = |kind, listener, undecided| Target {
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
    let of_chain = |kind, undecided| Target {
        routes: Cow::Borrowed(&chain.routes),
        marks: &chain.marks,
        kind,
        chain: Some(chain),
        listener,
        undecided,
    };
    let key = args.hash_key.as_deref();
    match (&chain.protocol, key) {
        (ListenerProtocol::Redis(routes), Some(key)) => {
            let key = key.to_owned();
            let Some(target) = routes.target(key.as_bytes()) else {
                return Ok(closed(AskedKind::NoKeyRoute(key), listener, undecided));
            };
            request.given.key_hash = Some(target.hash);
            let routes = redis_table(target.cluster);
            Ok(Target {
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
