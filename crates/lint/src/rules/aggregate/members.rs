//! The member list of an aggregate.

use alloc::{format, string::String, vec::Vec};
use spillgate_core::visible::quoted;

use spillgate_config::{
    envoy::facts::{ClusterFacts, Discovery, MemberFacts},
    nearest,
};
use spillgate_core::model::Metadata;

use crate::{
    context::Context,
    figures::{fate, percent},
    finding::Severity,
    json,
    rule::Rule,
    sink::Sink,
};

/// An aggregate names a cluster that does not exist. Not reported if clusters come by CDS, or if
/// the input is a single aggregate.
///
/// Envoy silently skips the member; if all members are missing, every request gets 503.
pub(crate) static MISSING: Rule = Rule {
    id: "aggregate-member-missing",
    severity: Severity::Error,
    summary: "aggregate names an unknown cluster",
    check: missing,
};

/// An aggregate names a cluster twice.
///
/// Its priorities appear twice in the linearized priorities, without an additional host to fail
/// over to.
pub(crate) static DUPLICATE: Rule = Rule {
    id: "aggregate-member-duplicate",
    severity: Severity::Warning,
    summary: "aggregate names a cluster twice",
    check: duplicate,
};

/// Aggregates contain each other.
///
/// Envoy skips aggregates inside aggregates, so these aggregates may have no host.
pub(crate) static CYCLE: Rule = Rule {
    id: "aggregate-cycle",
    severity: Severity::Error,
    summary: "aggregates that contain each other",
    check: cycle,
};

/// An aggregate is a member of another aggregate.
///
/// Envoy 1.40 silently skips it: its hosts get no requests. gRPC flattens it.
pub(crate) static NESTED: Rule = Rule {
    id: "aggregate-nested",
    severity: Severity::Error,
    summary: "aggregate inside an aggregate, which Envoy 1.40 silently skips",
    check: nested,
};

/// The aggregates of the input.
fn aggregates<'c>(context: &Context<'c>) -> impl Iterator<Item = &'c ClusterFacts> + use<'c> {
    let clusters = context.facts.clusters.iter();
    clusters.filter(|cluster| cluster.discovery == Discovery::Aggregate)
}

/// The aggregate of that name.
fn aggregate<'c>(context: &Context<'c>, name: &str) -> Option<&'c ClusterFacts> {
    let cluster = context.stated(name)?;
    (cluster.discovery == Discovery::Aggregate).then_some(cluster)
}

/// The result of requests to an aggregate.
fn fate_of(context: &Context<'_>, cluster: &ClusterFacts) -> String {
    let owners = context.owners(&cluster.name);
    let hosts = owners.iter().map(crate::context::Plain::hosts).sum();
    fate(
        &context.distribution(&cluster.name, &Metadata::EMPTY),
        hosts,
    )
}

/// Finds unknown members.
fn missing(context: &Context<'_>, sink: &mut Sink) {
    let known = || {
        context
            .facts
            .clusters
            .iter()
            .map(|cluster| cluster.name.as_str())
    };
    for cluster in aggregates(context) {
        let here = |member: &MemberFacts| context.stated(&member.name).is_some();
        // The members of a standalone aggregate are elsewhere, as with a control plane.
        let elsewhere = !context.facts.whole && !cluster.members.iter().any(here);
        if context.facts.clusters_elsewhere || elsewhere {
            continue;
        }
        for member in cluster.members.iter().filter(|member| !here(member)) {
            let unused = known().filter(|name| cluster.members.iter().all(|m| m.name != *name));
            let meant = nearest(&member.name, unused);
            let cause = format!("unknown member {}", quoted(&member.name));
            let effect = format!(
                "Envoy silently skips it; requests to {} get {}",
                quoted(&cluster.name),
                fate_of(context, cluster)
            );
            let fix = match meant {
                Some(meant) => format!("change it to {}", quoted(meant)),
                None => String::from("define the cluster, or remove the member"),
            };
            let finding = sink.add(&member.place, cause, effect, fix);
            if let Some(meant) = meant {
                finding.set(&member.place.path, json::text(meant));
            } else if cluster.members.len() > 1 {
                finding.remove(&member.place.path);
            }
        }
    }
}

/// Finds duplicate members.
fn duplicate(context: &Context<'_>, sink: &mut Sink) {
    for cluster in aggregates(context) {
        for (at, member) in cluster.members.iter().enumerate() {
            if !cluster
                .members
                .iter()
                .take(at)
                .any(|earlier| earlier.name == member.name)
            {
                continue;
            }
            let cause = format!(
                "aggregate {} lists {} twice",
                quoted(&cluster.name),
                quoted(&member.name)
            );
            let effect = format!(
                "its priorities appear twice, without additional hosts; it gets {} of requests",
                percent(context.share_of_member(&cluster.name, &member.name))
            );
            sink.add(&member.place, cause, effect, "remove the duplicate")
                .remove(&member.place.path);
        }
    }
}

/// The shortest path of aggregates from a cluster back to itself, if there is one.
fn way_back<'c>(context: &Context<'c>, from: &'c ClusterFacts) -> Option<Vec<&'c str>> {
    let mut ways: Vec<Vec<&ClusterFacts>> = Vec::from([Vec::from([from])]);
    let mut seen: Vec<&str> = Vec::new();
    let mut next = 0;
    while let Some(way) = ways.get(next).cloned() {
        next += 1;
        for member in way.last().into_iter().flat_map(|cluster| &cluster.members) {
            if member.name == from.name {
                let names = way.iter().map(|cluster| cluster.name.as_str());
                return Some(names.chain([from.name.as_str()]).collect());
            }
            let inner =
                aggregate(context, &member.name).filter(|c| !seen.contains(&c.name.as_str()));
            if let Some(inner) = inner {
                seen.push(&inner.name);
                ways.push(way.iter().copied().chain([inner]).collect());
            }
        }
    }
    None
}

/// Finds aggregates that contain themselves.
fn cycle(context: &Context<'_>, sink: &mut Sink) {
    let mut reported: Vec<&str> = Vec::new();
    for cluster in aggregates(context) {
        if reported.contains(&cluster.name.as_str()) {
            continue;
        }
        let Some(names) = way_back(context, cluster) else {
            continue;
        };
        let second = names.get(1).copied().unwrap_or_default();
        let Some(member) = cluster.members.iter().find(|member| member.name == second) else {
            continue;
        };
        let cause = format!("aggregates contain each other: {}", names.join(" -> "));
        let effect = format!(
            "Envoy skips nested aggregates; requests to {} get {}",
            quoted(&cluster.name),
            fate_of(context, cluster)
        );
        let fix = "list clusters with endpoints";
        sink.add(&member.place, cause, effect, fix);
        reported.extend(names);
    }
}

/// The members of an aggregate with nested aggregates flattened, each once.
fn flattened<'c>(context: &Context<'c>, cluster: &'c ClusterFacts) -> Vec<&'c str> {
    let mut names: Vec<&str> = Vec::new();
    let mut open: Vec<&MemberFacts> = cluster.members.iter().rev().collect();
    while let Some(member) = open.pop() {
        match aggregate(context, &member.name) {
            Some(inner) => open.extend(inner.members.iter().rev()),
            None if names.contains(&member.name.as_str()) => {}
            None => names.push(&member.name),
        }
    }
    names
}

/// Finds nested aggregates, which Envoy skips.
fn nested(context: &Context<'_>, sink: &mut Sink) {
    for cluster in aggregates(context) {
        for member in &cluster.members {
            let Some(inner) = aggregate(context, &member.name) else {
                continue;
            };
            // Cycles have their own rule.
            if way_back(context, cluster).is_some() || way_back(context, inner).is_some() {
                continue;
            }
            let cause = format!(
                "aggregate {} contains aggregate {}",
                quoted(&cluster.name),
                quoted(&member.name)
            );
            let effect = format!(
                "Envoy 1.40 silently skips it: its hosts get 0 % of requests; requests to {} get {}",
                quoted(&cluster.name),
                fate_of(context, cluster)
            );
            let fix = "list the members of the inner aggregate instead";
            let list = member
                .place
                .path
                .rsplit_once('[')
                .map_or("", |(list, _)| list);
            sink.add(&member.place, cause, effect, fix)
                .set(list, json::texts(flattened(context, cluster)));
        }
    }
}
