//! Sessions and the statuses of their hosts.

use alloc::format;
use spillgate_core::visible::quoted;

use spillgate_config::{envoy::facts::BootstrapExtensionFacts, filter::FilterForm};
use spillgate_core::model::HealthStatus;

use crate::{
    context::{Context, Plain},
    figures::counted,
    finding::Severity,
    json,
    rule::Rule,
    sink::Sink,
    ways::{Steering, Way},
};

/// `override_host_status` lists HEALTHY but not UNKNOWN, and hosts of the cluster have no
/// `health_status`. Such a host is UNKNOWN, even while its health checks pass.
///
/// Sessions do not stay on these hosts; strict ones get 503.
pub(crate) static UNLISTED: Rule = Rule {
    id: "affinity-status-unlisted",
    severity: Severity::Warning,
    summary: "override_host_status omits UNKNOWN, the status of hosts without health_status",
    check: unlisted,
};

/// Hosts of a cluster with sessions are draining, and `override_host_status` does not list
/// DRAINING, which is not a default. A warning if the dynamic module is to keep such sessions, and its
/// bootstrap extension is missing.
///
/// Their sessions move at once; strict ones get 503.
pub(crate) static DRAINING: Rule = Rule {
    id: "affinity-draining-moves",
    severity: Severity::Info,
    summary: "override_host_status omits DRAINING, and hosts are draining",
    check: draining,
};

/// The first route with sessions to a cluster.
fn session_way<'c, 'x>(context: &'x Context<'c>, cluster: &Plain<'c>) -> Option<&'x Way<'c>> {
    let mut ways = context.ways_to(cluster.name());
    ways.find(|way| way.route.session.is_some())
}

/// The number of hosts with the status.
fn hosts_of(cluster: &Plain<'_>, status: HealthStatus) -> usize {
    let priorities = cluster.plain.priorities.iter();
    let endpoints = priorities.flat_map(|priority| &priority.endpoints);
    endpoints
        .filter(|endpoint| endpoint.health.session_status() == status)
        .count()
}

/// Finds statuses of hosts that keep no session.
fn unlisted(context: &Context<'_>, sink: &mut Sink) {
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
        // A list without HEALTHY excludes usable hosts on purpose. Strict sessions that no host can
        // keep have their own rule.
        let usable = listed(HealthStatus::Healthy);
        let none = HealthStatus::ALL
            .into_iter()
            .all(|status| !listed(status) || hosts_of(&cluster, status) == 0);
        if unknown == 0 || listed(HealthStatus::Unknown) || !usable || (strict && none) {
            continue;
        }
        let cause = format!(
            "{unknown} of {} of cluster {} are UNKNOWN (no health_status), which \
             override_host_status omits",
            counted(cluster.hosts(), "host"),
            quoted(cluster.name())
        );
        let effect = if strict {
            format!("{} rejects their sessions with 503", way.route_name())
        } else {
            format!("sessions of {} do not stay on them", way.route_name())
        };
        let fix = "add UNKNOWN (also for hosts that pass health checks)";
        let all = stated
            .statuses
            .iter()
            .chain(&[HealthStatus::Unknown])
            .map(|status| status.name());
        sink.add(&stated.place, cause, effect, fix)
            .set(stated.place.field("statuses").path, json::texts(all));
    }
}

/// Finds draining hosts whose sessions move at once.
fn draining(context: &Context<'_>, sink: &mut Sink) {
    without_extension(context, sink);
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
            "cluster {} has {}, but override_host_status omits DRAINING",
            quoted(cluster.name()),
            counted(hosts, "draining host")
        );
        let effect = if strict {
            format!("{} rejects their sessions with 503", way.route_name())
        } else {
            format!(
                "sessions of {} move to other hosts at once",
                way.route_name()
            )
        };
        let fix = "add DRAINING to keep sessions until the host is removed";
        let place = match &cluster.facts.signals.override_host_status {
            Some(stated) => &stated.place,
            None => &cluster.facts.place,
        };
        sink.add(place, cause, effect, fix);
    }
}

/// Finds dynamic modules that cannot distinguish draining hosts from unhealthy ones.
fn without_extension(context: &Context<'_>, sink: &mut Sink) {
    let Some(extensions) = &context.facts.extensions else {
        return;
    };
    for Steering { place, ours, .. } in context.ways.iter().filter_map(Way::steering) {
        let Some(module) = &ours.steering.module else {
            continue;
        };
        let is_own = |one: &BootstrapExtensionFacts| matches!(one, BootstrapExtensionFacts::Module(name) if name == module);
        let works = ours.form == FilterForm::Wasm || !ours.steering.keeps_draining;
        if works || extensions.iter().any(is_own) || sink.has(&place.path) {
            continue;
        }
        let mut others = extensions.iter();
        let other = others.any(|one| matches!(one, BootstrapExtensionFacts::Module(_)));
        let what = if other {
            "bootstrap_extensions has the dynamic module from another file"
        } else {
            "bootstrap_extensions lacks the dynamic module"
        };
        let cause = format!(
            "affinity.override_host_status of the Spillgate filter has DRAINING, but {what}"
        );
        let effect = "draining hosts count as unhealthy: their sessions move at once";
        let fix = format!(
            "add a DynamicModuleBootstrapExtension with the module {} (spillgate explain-code affinity-draining-moves)",
            quoted(module)
        );
        sink.add(place, cause, effect, fix).severity = Severity::Warning;
    }
}
