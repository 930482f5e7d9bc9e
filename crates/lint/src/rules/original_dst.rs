//! `ORIGINAL_DST` clusters without a destination.

use alloc::format;
use spillgate_core::visible::quoted;

use spillgate_config::envoy::{
    LocalAddress,
    facts::{ClusterFacts, Discovery, FilterKind},
};

use crate::{context::Context, finding::Severity, rule::Rule, sink::Sink, ways::Way};

/// An `ORIGINAL_DST` cluster reads no header, and no listener with a route to it restores the original
/// destination: `use_original_dst`, an `original_dst` or a `proxy_protocol` listener filter.
///
/// Its requests get 503, its TCP connections are closed.
pub(crate) static WITHOUT_FILTER: Rule = Rule {
    id: "original-dst-without-filter",
    severity: Severity::Warning,
    summary: "no listener gives an ORIGINAL_DST cluster the destination of connections",
    check: without_filter,
};

/// Finds clusters whose listeners all keep their own address.
fn without_filter(context: &Context<'_>, sink: &mut Sink) {
    // Each listener can get connections with a restored address from this one.
    let mut listeners = context.config.listeners.iter();
    if listeners.any(|listener| listener.chain.hands_off) {
        return;
    }
    for cluster in &context.facts.clusters {
        if cluster.discovery != Discovery::OriginalDst || reads_request(cluster) {
            continue;
        }
        let ways = || context.ways_to(&cluster.name);
        let Some(way) = ways()
            .next()
            .filter(|_| ways().all(|way| keeps_address(way)))
        else {
            continue;
        };
        let cause = format!(
            "ORIGINAL_DST cluster {} has no destination: the listener of {} has no original_dst \
             listener filter",
            quoted(&cluster.name),
            way.route_name()
        );
        let effect = if way.route.is_tcp {
            "Envoy closes 100 % of its connections"
        } else {
            "100 % of its requests get 503"
        };
        let fix = "add the listener filter envoy.filters.listener.original_dst";
        sink.add(&cluster.place, cause, effect, fix);
    }
}

/// Whether requests can name the destination.
const fn reads_request(cluster: &ClusterFacts) -> bool {
    cluster.original_dst_header.is_some() || cluster.original_dst_metadata
}

/// Whether nothing on the way to the cluster can set a destination.
fn keeps_address(way: &Way<'_>) -> bool {
    const STATE: &str = "envoy.network.transport_socket.original_dst_address";
    let mut filters = way.listener.filters.iter();
    way.listener.local == LocalAddress::OfListener
        && !filters.any(|filter| {
            matches!(&filter.kind, FilterKind::Other { opaque, words }
                if *opaque || words.contains(STATE))
        })
}
