//! Sessions that reach hosts they must not reach, or none.

use alloc::{format, string::String, vec::Vec};
use core::ops::ControlFlow;

use spillgate_core::{
    model::{HealthStatus, Metadata, OverrideStatuses},
    snapshot::PrioritySet,
};

use crate::{
    context::{Context, Plain},
    figures::counted,
    finding::Severity,
    json,
    rule::{Rule, Sink},
};

/// The statuses under which a session stays on its host.
const OVERRIDE_HOST_STATUS: &str = "common_lb_config.override_host_status";

/// A route keeps sessions in front of a cluster with subsets. Envoy looks the session's host up in
/// the whole cluster.
///
/// A cookie that was made for one subset keeps its host in another one: production requests reach
/// canary hosts.
pub(crate) static CROSSES_SUBSET: Rule = Rule {
    id: "affinity-crosses-subset",
    severity: Severity::Error,
    summary: "a stateful session in front of a subset cluster may name a host outside the subset",
    check: crosses_subset,
};

/// `override_host_status` lists no status that a host of the cluster has, and the session is
/// strict. The default is UNKNOWN, HEALTHY and DEGRADED. A host without `health_status` is UNKNOWN,
/// health checks or not.
///
/// Every request that brings a session gets 503.
pub(crate) static STRICT_NO_HOST: Rule = Rule {
    id: "affinity-strict-no-host",
    severity: Severity::Warning,
    summary: "a strict session whose statuses match no present host",
    check: strict_no_host,
};

/// Looks for sessions in front of subsets.
fn crosses_subset(context: &Context<'_>, sink: &mut Sink<'_>) {
    for way in context
        .ways
        .iter()
        .filter(|way| way.route.session.is_some())
    {
        let Some(name) = way.cluster else { continue };
        let Some(cluster) = context.plain(name).filter(|c| c.plain.subsets.is_some()) else {
            continue;
        };
        let hosts = cluster.hosts();
        let allowed = allowed(context, &cluster, way.criteria);
        let varies = !way.added_keys().is_empty() || way.has_unseen_criteria();
        if hosts == 0 || (allowed == hosts && !varies) {
            continue;
        }
        let asked = match (way.criteria.is_empty(), varies) {
            (true, true) => String::from("what filters ask for"),
            (true, false) => String::from("no criteria"),
            (false, _) => format!("{}", way.criteria),
        };
        let cause = format!(
            "{} keeps sessions in front of the subsets of cluster {name:?}, and Envoy does not \
             compare the two",
            way.route_name()
        );
        let effect = format!(
            "a request with {asked} may use {}, and its session may name any of {}",
            if varies {
                String::from("some hosts")
            } else {
                counted(allowed, "host")
            },
            counted(hosts, "host")
        );
        let fix = "make a cluster of each subset, or let the Spillgate filter keep the sessions";
        sink.add(&way.route.action, cause, effect, fix);
    }
}

/// How many hosts these criteria lead to, on all priorities.
fn allowed(context: &Context<'_>, cluster: &Plain<'_>, criteria: &Metadata) -> usize {
    let id = context.snapshot.cluster_id(cluster.name());
    let Some(plain) = id.and_then(|id| context.snapshot.plain(id)) else {
        return 0;
    };
    let Some(subsets) = &plain.subsets else {
        return cluster.hosts();
    };
    let count = |set: &PrioritySet| {
        set.priorities
            .iter()
            .map(|priority| priority.members().len())
            .sum()
    };
    let mut found = 0;
    subsets.index.choose(criteria, |subset| {
        found = plain.set(subset.choice).map_or(1, count);
        match found {
            0 => ControlFlow::Continue(()),
            _ => ControlFlow::Break(()),
        }
    });
    found
}

/// Looks for strict sessions that no host can keep.
fn strict_no_host(context: &Context<'_>, sink: &mut Sink<'_>) {
    for cluster in context.plains().filter(|cluster| cluster.hosts() > 0) {
        let strict = context.ways.iter().find(|way| {
            let session = way.route.session.as_ref();
            way.cluster == Some(cluster.name()) && session.is_some_and(|session| session.strict)
        });
        let Some(way) = strict else { continue };
        let present = present_statuses(&cluster);
        let stated = cluster.facts.signals.override_host_status.as_ref();
        let by_default = || {
            let kept = |status: &HealthStatus| OverrideStatuses::DEFAULT.contains(*status);
            HealthStatus::ALL.into_iter().filter(kept).collect()
        };
        let statuses = stated.map_or_else(by_default, |stated| stated.statuses.clone());
        if present.iter().any(|status| statuses.contains(status)) {
            continue;
        }
        let place = match stated {
            Some(stated) => stated.place.clone(),
            None => cluster.facts.place.field(OVERRIDE_HOST_STATUS),
        };
        let cause = format!(
            "sessions may stay on {}{}, and the hosts of cluster {:?} are {}",
            names(&statuses),
            if stated.is_some() { "" } else { " by default" },
            cluster.name(),
            names(&present)
        );
        let effect = format!(
            "{} is strict, and 100 % of its requests that bring a session get 503",
            way.route_name()
        );
        let fix = format!(
            "add {} (a host without health_status is UNKNOWN, health checks or not)",
            names(&present)
        );
        let all = statuses.iter().chain(&present).map(|status| status.name());
        sink.add(&place, cause, effect, fix)
            .set(place.field("statuses").path, json::texts(all));
    }
}

/// The statuses that hosts of the cluster have, each once.
fn present_statuses(cluster: &Plain<'_>) -> Vec<HealthStatus> {
    let mut present: Vec<HealthStatus> = Vec::new();
    let priorities = cluster.plain.priorities.iter();
    for endpoint in priorities.flat_map(|priority| &priority.endpoints) {
        if !present.contains(&endpoint.health.status) {
            present.push(endpoint.health.status);
        }
    }
    present
}

/// The statuses as a list in words.
fn names(statuses: &[HealthStatus]) -> String {
    let names: Vec<&str> = statuses.iter().map(|status| status.name()).collect();
    match names.as_slice() {
        [] => String::from("nothing"),
        names => names.join(", "),
    }
}
