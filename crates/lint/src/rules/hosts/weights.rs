//! Weights and hash tables that exclude hosts.

use alloc::{format, vec::Vec};
use spillgate_core::visible::quoted;

use spillgate_core::{
    model::{PlainCluster, Policy},
    route::RouteTarget,
};

use crate::{
    context::{Context, Plain},
    figures::{alone, counted, percent, shares},
    finding::Severity,
    rule::Rule,
    sink::Sink,
};

/// A weighted cluster has weight 0.
///
/// It gets no requests.
pub(crate) static WEIGHT_ZERO: Rule = Rule {
    id: "weight-zero",
    severity: Severity::Info,
    summary: "weighted cluster with weight 0",
    check: weight_zero,
};

/// The Maglev table has fewer slots than a priority has hosts.
///
/// Hosts without a slot get no requests.
pub(crate) static MAGLEV_TABLE: Rule = Rule {
    id: "maglev-table-small",
    severity: Severity::Error,
    summary: "Maglev table with fewer slots than hosts: some hosts get no requests",
    check: maglev_table,
};

/// The policy is RANDOM, and endpoints have different weights.
///
/// All hosts get the same share.
pub(crate) static RANDOM: Rule = Rule {
    id: "random-ignores-weights",
    severity: Severity::Warning,
    summary: "RANDOM ignores endpoint weights",
    check: random,
};

/// Finds weighted clusters with weight 0.
fn weight_zero(context: &Context<'_>, sink: &mut Sink) {
    for ways in context.by_route() {
        let Some(way) = ways.first() else { continue };
        let RouteTarget::Weighted(clusters) = &way.forward.target else {
            continue;
        };
        let entries = clusters.clusters().iter().zip(&way.route.weighted);
        let empty: Vec<_> = entries.filter(|(entry, _)| entry.weight == 0).collect();
        // In reverse, so that the indexes of the other entries stay valid.
        for (_, facts) in empty.into_iter().rev() {
            let cause = format!("{} has a weighted cluster with weight 0", way.route_name());
            let effect = "it gets 0 % of requests";
            sink.add(&facts.place, cause, effect, "set a weight, or remove it")
                .remove(&facts.place.path);
        }
    }
}

/// Finds Maglev tables with fewer slots than hosts.
fn maglev_table(context: &Context<'_>, sink: &mut Sink) {
    for cluster in context.plains() {
        let Policy::Maglev(maglev) = &cluster.plain.policy else {
            continue;
        };
        let slots = maglev.table_size() as usize;
        let priorities = cluster.plain.priorities.iter().enumerate();
        let crowded = priorities.max_by_key(|(_, priority)| priority.endpoints.len());
        let Some((number, priority)) =
            crowded.filter(|(_, priority)| priority.endpoints.len() > slots)
        else {
            continue;
        };
        let hosts = priority.endpoints.len();
        let by_itself = PlainCluster {
            priorities: [priority.clone()].into(),
            subsets: None,
            ..cluster.plain.clone()
        };
        let served = shares(&alone(cluster.name(), by_itself)).shares.len();
        let cause = format!(
            "the Maglev table of cluster {} has {slots} slots for {hosts} hosts in priority {number}",
            quoted(cluster.name())
        );
        let effect = format!(
            "0 % of requests go to {} of {}",
            hosts.saturating_sub(served),
            counted(hosts, "host")
        );
        let fix = "use a prime table_size of at least 100 per host (default 65537)";
        let place = cluster.facts.policy.settings.field("table_size");
        sink.add(&place, cause, effect, fix)
            .set(&place.path, "65537");
    }
}

/// Finds weights under RANDOM, which ignores them.
fn random(context: &Context<'_>, sink: &mut Sink) {
    for cluster in context.plains() {
        if cluster.plain.policy != Policy::Random {
            continue;
        }
        if let Some(priority) = cluster.plain.priorities.iter().position(|priority| {
            let mut weights = priority.endpoints.iter().map(|endpoint| endpoint.weight);
            let first = weights.next();
            weights.any(|weight| Some(weight) != first)
        }) {
            report_random(&cluster, priority, sink);
        }
    }
}

/// Reports the weights, with the actual shares of hosts.
fn report_random(cluster: &Plain<'_>, number: usize, sink: &mut Sink) {
    let Some(priority) = cluster.plain.priorities.get(number) else {
        return;
    };
    let endpoints = priority.endpoints.iter().enumerate();
    let heaviest = endpoints
        .max_by_key(|(_, endpoint)| endpoint.weight.get())
        .and_then(|(index, heavy)| {
            let facts = cluster.endpoint_facts(number, index)?;
            Some((index, heavy, facts.weight.as_ref().unwrap_or(&facts.place)))
        });
    let Some((index, heavy, place)) = heaviest else {
        return;
    };
    let shares = cluster.shares().shares.into_iter();
    let own = shares.filter(|share| (share.priority, share.host) == (number, index));
    let share = own.map(|share| share.share).sum();
    let sum: u64 = priority
        .endpoints
        .iter()
        .map(|e| u64::from(e.weight.get()))
        .sum();
    let cause = format!(
        "cluster {} has endpoint weights, which RANDOM ignores",
        quoted(cluster.name())
    );
    let effect = format!(
        "{} has weight {} of {sum}, but gets {} of requests",
        heavy.address,
        heavy.weight.get(),
        percent(share)
    );
    let fix = "use LEAST_REQUEST or ROUND_ROBIN, or remove the weights";
    let finding = sink.add(place, cause, effect, fix);
    if cluster.facts.policy.typed {
        finding.set(
            &cluster.facts.policy.place,
            "{\"@type\":\"type.googleapis.com/envoy.extensions.load_balancing_policies.least_request.v3.LeastRequest\"}",
        );
    } else {
        finding.set(&cluster.facts.policy.place, "\"LEAST_REQUEST\"");
    }
}
