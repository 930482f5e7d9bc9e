//! Sessions and the states of the hosts that they are on.

use alloc::format;

use spillgate_core::model::HealthStatus;

use crate::{
    context::{Context, Plain},
    figures::counted,
    finding::Severity,
    json,
    rule::{Rule, Sink},
    ways::Way,
};

/// `override_host_status` lists HEALTHY and not UNKNOWN, and hosts of the cluster state no
/// `health_status`. Such a host is UNKNOWN, also while its health checks pass.
///
/// Sessions do not stay on these hosts; a strict one is refused with 503.
pub(crate) static UNLISTED: Rule = Rule {
    id: "affinity-status-unlisted",
    severity: Severity::Warning,
    summary: "override_host_status leaves out UNKNOWN, the state of hosts without a health_status",
    check: unlisted,
};

/// Hosts of a cluster with sessions drain, and `override_host_status` does not list DRAINING, which
/// is not among its defaults.
///
/// Their sessions leave at once, or are refused with 503 where they are strict.
pub(crate) static DRAINING: Rule = Rule {
    id: "affinity-draining-moves",
    severity: Severity::Info,
    summary: "hosts drain, and their sessions do not stay until they are gone",
    check: draining,
};

/// The first way that keeps sessions on a cluster.
fn session_way<'c, 'x>(context: &'x Context<'c>, cluster: &Plain<'c>) -> Option<&'x Way<'c>> {
    let mut ways = context.ways.iter();
    ways.find(|way| way.cluster == Some(cluster.name()) && way.route.session.is_some())
}

/// How many hosts have the status.
fn hosts_of(cluster: &Plain<'_>, status: HealthStatus) -> usize {
    let priorities = cluster.plain.priorities.iter();
    let endpoints = priorities.flat_map(|priority| &priority.endpoints);
    endpoints
        .filter(|endpoint| endpoint.health.session_status() == status)
        .count()
}

/// Looks for statuses of present hosts that keep no session.
fn unlisted(context: &Context<'_>, sink: &mut Sink<'_>) {
    for cluster in context.plains() {
        let Some(stated) = &cluster.facts.signals.override_host_status else {
            continue;
        };
        let listed = |status: HealthStatus| stated.statuses.contains(&status);
        let unknown = hosts_of(&cluster, HealthStatus::Unknown);
        let Some(way) = session_way(context, &cluster) else {
            continue;
        };
        let strict = way.route.session.as_ref().is_some_and(|kept| kept.strict);
        // A list without HEALTHY keeps sessions of usable hosts nowhere, and says so on purpose; a
        // strict session that no host can keep has a rule of its own.
        let usable = listed(HealthStatus::Healthy);
        let none = HealthStatus::ALL
            .into_iter()
            .all(|status| !listed(status) || hosts_of(&cluster, status) == 0);
        if unknown == 0 || listed(HealthStatus::Unknown) || !usable || (strict && none) {
            continue;
        }
        let cause = format!(
            "sessions may stay on HEALTHY hosts of cluster {:?}, and {} of {} state no \
             health_status, which is UNKNOWN",
            cluster.name(),
            unknown,
            counted(cluster.hosts(), "host")
        );
        let effect = match strict {
            true => format!("{} refuses their sessions with 503", way.route_name()),
            false => format!("sessions of {} do not stay on them", way.route_name()),
        };
        let fix = "add UNKNOWN; hosts with health checks are UNKNOWN too while they pass";
        let all = stated.statuses.iter().chain(&[HealthStatus::Unknown]);
        let all = all.map(|status| status.name());
        sink.add(&stated.place, cause, effect, fix)
            .set(stated.place.field("statuses").path, json::texts(all));
    }
}

/// Looks for draining hosts whose sessions move at once.
fn draining(context: &Context<'_>, sink: &mut Sink<'_>) {
    for cluster in context.plains() {
        let hosts = hosts_of(&cluster, HealthStatus::Draining);
        let kept = cluster.plain.override_statuses;
        if hosts == 0 || kept.contains(HealthStatus::Draining) {
            continue;
        }
        let Some(way) = session_way(context, &cluster) else {
            continue;
        };
        let strict = way.route.session.as_ref().is_some_and(|kept| kept.strict);
        let cause = format!(
            "{} of cluster {:?} drain, and override_host_status does not list DRAINING",
            counted(hosts, "host"),
            cluster.name()
        );
        let effect = match strict {
            true => format!("{} refuses their sessions with 503", way.route_name()),
            false => format!("sessions of {} leave them at once", way.route_name()),
        };
        let fix = "list DRAINING beside the other states, so that a host keeps its sessions until \
                   it goes";
        let place = match &cluster.facts.signals.override_host_status {
            Some(stated) => &stated.place,
            None => &cluster.facts.place,
        };
        sink.add(place, cause, effect, fix);
    }
}
