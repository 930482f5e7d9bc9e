//! Weights and tables that leave hosts without their share.

use alloc::{format, vec::Vec};

use spillgate_core::{
    model::{PlainCluster, Policy},
    route::RouteTarget,
};

use crate::{
    context::{Context, Plain},
    figures::{alone, counted, percent, shares},
    finding::Severity,
    rule::{Rule, Sink},
};

/// A weighted cluster has weight 0.
///
/// It gets no request.
pub(crate) static WEIGHT_ZERO: Rule = Rule {
    id: "weight-zero",
    severity: Severity::Info,
    summary: "a weighted cluster with weight 0",
    check: weight_zero,
};

/// The Maglev table has fewer slots than a priority has hosts.
///
/// The hosts without a slot get nothing.
pub(crate) static MAGLEV_TABLE: Rule = Rule {
    id: "maglev-table-small",
    severity: Severity::Error,
    summary: "fewer table slots than hosts: some hosts get nothing",
    check: maglev_table,
};

/// The policy is RANDOM, and endpoints have different weights.
///
/// All hosts get the same.
pub(crate) static RANDOM: Rule = Rule {
    id: "random-ignores-weights",
    severity: Severity::Warning,
    summary: "RANDOM with endpoint weights",
    check: random,
};

/// Looks for weighted clusters of weight 0.
fn weight_zero(context: &Context<'_>, sink: &mut Sink<'_>) {
    for ways in context
        .ways
        .chunk_by(|a, b| core::ptr::eq(a.route, b.route))
    {
        let Some(way) = ways.first() else { continue };
        let RouteTarget::Weighted(clusters) = &way.forward.target else {
            continue;
        };
        let entries = clusters.clusters().iter().zip(&way.route.weighted);
        let empty: Vec<_> = entries.filter(|(entry, _)| entry.weight == 0).collect();
        // From the end, so that the numbers of the others stay.
        for (_, facts) in empty.into_iter().rev() {
            let cause = format!("{} has a weighted cluster with weight 0", way.route_name());
            let effect = "it gets 0 % of the requests";
            sink.add(
                &facts.place,
                cause,
                effect,
                "give it a weight, or take it out",
            )
            .remove(&facts.place.path);
        }
    }
}

/// Looks for Maglev tables with fewer slots than hosts.
fn maglev_table(context: &Context<'_>, sink: &mut Sink<'_>) {
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
            "the table of cluster {:?} has {slots} slots, and priority {number} has {hosts} hosts",
            cluster.name()
        );
        let effect = format!(
            "0 % of the requests go to {} of the {}",
            hosts.saturating_sub(served),
            counted(hosts, "host")
        );
        let fix = "use a prime table_size of at least 100 times the number of hosts (65537 is the \
                   default)";
        let place = cluster.facts.policy.settings.field("table_size");
        sink.add(&place, cause, effect, fix)
            .set(&place.path, "65537");
    }
}

/// Looks for weights under RANDOM, which does not read them.
fn random(context: &Context<'_>, sink: &mut Sink<'_>) {
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

/// Reports the weights, with the shares that hosts really get.
fn report_random(cluster: &Plain<'_>, number: usize, sink: &mut Sink<'_>) {
    let Some(priority) = cluster.plain.priorities.get(number) else {
        return;
    };
    let heaviest = priority
        .endpoints
        .iter()
        .max_by_key(|endpoint| endpoint.weight.get());
    let localities = cluster
        .facts
        .localities
        .iter()
        .filter(|e| e.priority == number);
    let mut endpoints = localities.flat_map(|locality| &locality.endpoints);
    let heaviest = heaviest.and_then(|heavy| {
        let facts = endpoints.find(|facts| facts.address == heavy.address)?;
        Some((heavy, facts.weight.as_ref().unwrap_or(&facts.place)))
    });
    let Some((heavy, place)) = heaviest else {
        return;
    };
    let share = cluster.share_of(&cluster.shares(), &heavy.address);
    let sum: u64 = priority
        .endpoints
        .iter()
        .map(|e| u64::from(e.weight.get()))
        .sum();
    let cause = format!(
        "endpoints of cluster {:?} have weights, and RANDOM does not look at them",
        cluster.name()
    );
    let effect = format!(
        "{} has {} of {sum} parts of the weight and gets {} of the traffic",
        heavy.address,
        heavy.weight.get(),
        percent(share)
    );
    let fix = "use LEAST_REQUEST or ROUND_ROBIN, or drop the weights";
    let finding = sink.add(place, cause, effect, fix);
    if cluster.facts.policy.typed {
        finding.set(
            &cluster.facts.policy.place.path,
            "{\"@type\":\"type.googleapis.com/envoy.extensions.load_balancing_policies.least_request.v3.LeastRequest\"}",
        );
    } else {
        finding.set(&cluster.facts.policy.place.path, "\"LEAST_REQUEST\"");
    }
}
