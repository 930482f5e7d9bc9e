//! Hash policies without a hashing cluster, and hashing clusters without a hash policy.

use alloc::{collections::BTreeMap, format, string::String, vec::Vec};
use spillgate_core::visible::quoted;

use spillgate_config::envoy::facts::Discovery;

use crate::{
    context::{Context, Plain},
    figures::percent,
    finding::Severity,
    reached::reached_hosts,
    rule::Rule,
    sink::Sink,
    ways::Way,
};

/// A route has a hash policy but picks its cluster at random.
///
/// Requests with one hash key go to several clusters, and so to several hosts.
pub(crate) static WEIGHTED_CLUSTERS: Rule = Rule {
    id: "hash-weighted-clusters",
    severity: Severity::Warning,
    summary: "hash policy over weighted clusters: one key goes to several clusters",
    check: weighted_clusters,
};

/// A cluster is RING_HASH or MAGLEV, and a route to it has no `hash_policy`.
///
/// Each request gets a random hash: there is no affinity.
pub(crate) static LB_WITHOUT_POLICY: Rule = Rule {
    id: "hash-lb-no-hash-policy",
    severity: Severity::Warning,
    summary: "RING_HASH or MAGLEV without hash_policy on the route: hosts are random",
    check: lb_without_policy,
};

/// A route has a `hash_policy`, and none of its clusters hashes.
///
/// The policy has no effect; requests with one key are spread over all hosts.
pub(crate) static POLICY_UNUSED: Rule = Rule {
    id: "hash-policy-unused",
    severity: Severity::Warning,
    summary: "hash_policy on a route to a cluster that does not hash",
    check: policy_unused,
};

/// Whether the policy of the cluster picks hosts by the request hash.
fn hashes(cluster: &Plain<'_>) -> bool {
    cluster.plain.policy.hashes()
}

/// Finds routes that pick one of several hashing clusters at random.
fn weighted_clusters(context: &Context<'_>, sink: &mut Sink) {
    for ways in context.by_route() {
        let Some(way) = ways.first().filter(|way| way.draws()) else {
            continue;
        };
        let names = || ways.iter().filter_map(|way| way.cluster);
        let hashing = names().any(|name| context.owners(name).iter().any(hashes));
        let (Some(_), true) = (&way.route.hash_policy, hashing) else {
            continue;
        };
        let shares: Vec<String> = ways
            .iter()
            .map(|way| {
                format!(
                    "{} ({})",
                    quoted(way.cluster.unwrap_or("?")),
                    percent(way.share)
                )
            })
            .collect();
        let place = way.route.action.field("weighted_clusters");
        let cause = format!(
            "{} has a hash_policy, but picks a cluster at random",
            way.route_name()
        );
        let effect = format!("requests with one key go to {}", shares.join(" or "));
        if way.route.is_tcp {
            let fix = "use one cluster: tcp_proxy always picks weighted clusters at random";
            sink.add(
                &place,
                cause,
                effect.replace("requests", "connections"),
                fix,
            );
            continue;
        }
        let fix = "set weighted_clusters.use_hash_policy: true";
        sink.add(&place, cause, effect, fix)
            .set(place.field("use_hash_policy").path, "true");
    }
}

/// Finds routes without a hash policy to hashing clusters.
fn lb_without_policy(context: &Context<'_>, sink: &mut Sink) {
    let mut without: BTreeMap<&str, Vec<&Way<'_>>> = BTreeMap::new();
    for way in context
        .ways
        .iter()
        .filter(|way| way.route.hash_policy.is_none())
    {
        for owner in way
            .cluster
            .map(|name| context.owners(name))
            .unwrap_or_default()
        {
            if hashes(&owner) && owner.plain.hash_policies.is_empty() {
                without.entry(owner.name()).or_default().push(way);
            }
        }
    }
    for cluster in context.plains() {
        if let Some(ways) = without.get(cluster.name()) {
            report_random(context, &cluster, ways, sink);
        }
    }
}

/// Reports a route with random picks in a hashing cluster.
fn report_random(context: &Context<'_>, cluster: &Plain<'_>, ways: &[&Way<'_>], sink: &mut Sink) {
    let [way, further @ ..] = ways else { return };
    let what = if further.iter().all(|more| more.route.is_tcp) && way.route.is_tcp {
        "tcp_proxy"
    } else {
        "route"
    };
    let also = match further.len() {
        0 => String::new(),
        1 => format!(" (and 1 more {what})"),
        count => format!(" (and {count} more {what}s)").replace("proxys", "proxies"),
    };
    let cause = format!(
        "{}{also} has no hash_policy, and cluster {} is {}",
        way.route_name(),
        quoted(cluster.name()),
        cluster.plain.policy.name()
    );
    let hosts = reached_hosts(context, cluster, way.criteria);
    // All requests reach the same host anyway.
    if hosts == 1 {
        return;
    }
    let (subject, fix, policy) = if way.route.is_tcp {
        (
            "connection",
            "add a hash_policy to the tcp_proxy (source_ip)",
            "[{\"source_ip\":{}}]",
        )
    } else {
        (
            "request",
            "add a hash_policy to the route (header, cookie or source address)",
            "[{\"connection_properties\":{\"source_ip\":true}}]",
        )
    };
    let effect =
        format!("each {subject} gets a random hash: one client is spread over {hosts} hosts");
    sink.add(&way.route.action, cause, effect, fix)
        .set(way.route.action.field("hash_policy").path, policy);
}

/// Finds hash policies on routes to clusters that do not hash.
fn policy_unused(context: &Context<'_>, sink: &mut Sink) {
    for ways in context.by_route() {
        let Some(way) = ways.first().filter(|way| !way.splits_by_hash()) else {
            continue;
        };
        let Some(place) = &way.route.hash_policy else {
            continue;
        };
        let owners = ways.iter().flat_map(|way| match way.cluster {
            Some(name) => context.owners(name),
            None => Vec::new(),
        });
        let owners: Vec<Plain<'_>> = owners.collect();
        let known = |way: &Way<'_>| {
            let facts = way.cluster.and_then(|name| context.stated(name));
            facts.is_some_and(|f| {
                matches!(
                    f.discovery,
                    Discovery::Stated | Discovery::Eds | Discovery::Aggregate
                )
            })
        };
        if owners.is_empty() || owners.iter().any(hashes) || !ways.iter().all(known) {
            continue;
        }
        let policies: Vec<String> = owners
            .iter()
            .map(|owner| {
                format!(
                    "cluster {} is {}",
                    quoted(owner.name()),
                    owner.plain.policy.name()
                )
            })
            .collect();
        let cause = format!(
            "{} has a hash_policy, but {}",
            way.route_name(),
            policies.join(", ")
        );
        let hosts: usize = owners.iter().map(Plain::hosts).sum();
        let effect = match hosts {
            0 => String::from("the hash_policy has no effect"),
            _ => format!("the hash_policy has no effect: one key is spread over {hosts} hosts"),
        };
        let fix = "use RING_HASH or MAGLEV, or remove the hash_policy";
        sink.add(place, cause, effect, fix).remove(&place.path);
    }
}
