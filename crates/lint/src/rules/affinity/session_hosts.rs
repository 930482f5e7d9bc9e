//! Sessions that reach wrong hosts, or none.

use alloc::{
    format,
    string::{String, ToString as _},
    vec::Vec,
};
use core::ops::ControlFlow;
use spillgate_core::visible::quoted;

use spillgate_config::secret_metadata::without_secrets;
use spillgate_core::{
    model::{HealthStatus, Metadata, OverrideStatuses},
    snapshot::PrioritySet,
};

use crate::{
    context::{Context, Plain},
    figures::counted,
    finding::Severity,
    json,
    rule::Rule,
    sink::Sink,
};

/// The statuses under which a session stays on its host.
const OVERRIDE_HOST_STATUS: &str = "common_lb_config.override_host_status";

/// A route with stateful sessions goes to a cluster with subsets. Envoy looks up the session's host
/// in the whole cluster.
///
/// A cookie from one subset keeps its host in another one: production requests reach canary hosts.
pub(crate) static CROSSES_SUBSET: Rule = Rule {
    id: "affinity-crosses-subset",
    severity: Severity::Error,
    summary: "stateful sessions ignore subsets: the session's host may be outside the subset",
    check: crosses_subset,
};

/// `override_host_status` lists no status of the cluster's hosts, and the session is strict. The
/// default is UNKNOWN, HEALTHY and DEGRADED. A host without `health_status` is UNKNOWN, with or
/// without health checks.
///
/// Every request with a session gets 503.
pub(crate) static STRICT_NO_HOST: Rule = Rule {
    id: "affinity-strict-no-host",
    severity: Severity::Warning,
    summary: "strict session, and override_host_status lists no status of the hosts",
    check: strict_no_host,
};

/// Finds sessions on routes to subsets.
fn crosses_subset(context: &Context<'_>, sink: &mut Sink) {
    for way in context
        .ways
        .iter()
        .filter(|way| way.route.session.is_some())
    {
        let Some(name) = way.cluster else { continue };
        let Some(cluster) = context.plain(name).filter(|c| c.selects_subsets()) else {
            continue;
        };
        let hosts = cluster.hosts();
        let allowed = allowed(context, &cluster, way.criteria);
        let varies = !way.added_keys().is_empty() || way.has_unseen_criteria();
        if hosts == 0 || (allowed == hosts && !varies) {
            continue;
        }
        let asked = match (way.criteria.is_empty(), varies) {
            (true, true) => String::from("criteria from filters"),
            (true, false) => String::from("no criteria"),
            (false, _) => without_secrets(way.criteria).to_string(),
        };
        let cause = format!(
            "{} has stateful sessions, which ignore the subsets of cluster {}",
            way.route_name(),
            quoted(name)
        );
        let effect = format!(
            "a request with {asked} matches {}, but its session can use any of {}",
            if varies {
                String::from("a subset")
            } else {
                counted(allowed, "host")
            },
            counted(hosts, "host")
        );
        let fix = "use one cluster per subset, or sessions of the Spillgate filter";
        sink.add(&way.route.action, cause, effect, fix);
    }
}

/// The number of hosts that match these criteria, in all priorities.
fn allowed(context: &Context<'_>, cluster: &Plain<'_>, criteria: &Metadata) -> usize {
    let snapshot = context.compiled(cluster.name());
    let id = snapshot.cluster_id(cluster.name());
    let Some(plain) = id.and_then(|id| snapshot.plain(id)) else {
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

/// Finds strict sessions that no host can keep.
fn strict_no_host(context: &Context<'_>, sink: &mut Sink) {
    for cluster in context.plains().filter(|cluster| cluster.hosts() > 0) {
        let strict = context.ways_to(cluster.name()).find(|way| {
            let session = way.route.session.as_ref();
            session.is_some_and(|session| session.strict)
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
            "override_host_status is {}{}, and the hosts of cluster {} are {}",
            names(&statuses),
            if stated.is_some() { "" } else { " (default)" },
            quoted(cluster.name()),
            names(&present)
        );
        let effect = format!(
            "{} is strict: 100 % of its requests with a session get 503",
            way.route_name()
        );
        let fix = format!(
            "add {} (hosts without health_status are UNKNOWN)",
            names(&present)
        );
        let all = statuses.iter().chain(&present).map(|status| status.name());
        sink.add(&place, cause, effect, fix)
            .set(place.field("statuses").path, json::texts(all));
    }
}

/// The distinct statuses of the cluster's hosts.
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

/// The statuses as a list.
fn names(statuses: &[HealthStatus]) -> String {
    let names: Vec<&str> = statuses.iter().map(|status| status.name()).collect();
    match names.as_slice() {
        [] => String::from("empty"),
        names => names.join(", "),
    }
}
