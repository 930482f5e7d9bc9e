//! The clusters of a configuration as the input of simulations, and what a simulation does not know of them.

use spillgate_answers::{
    input::Faults,
    limits::Limits,
    pick::{limited, retry_limits},
};
use spillgate_config::{
    Diagnostic,
    envoy::{HealthSettings, LocatedSettings, RetryCap},
};
use spillgate_core::{
    model::{Metadata, Model},
    route::{RetryPolicy, RouteAction},
};
use spillgate_health::check::HealthCheckKind;
use spillgate_incident::{IncidentHealth, IncidentSetup, Timeouts};

use super::asked::Asked;
use crate::{
    command::Done,
    config::Config,
    spec::criteria,
    what_if::{ModelParts, clusters_in_question, hosts_unknown},
};

/// A cluster to simulate.
pub(super) struct ClusterSetup {
    pub(super) setup: IncidentSetup,
    /// What the model does not cover, in sentences.
    pub(super) doubts: Vec<String>,
}

/// The clusters in question.
pub(super) struct ClusterSetups {
    pub(super) clusters: Vec<ClusterSetup>,
    pub(super) limits: Limits,
}

impl ClusterSetups {
    /// The clusters in question with their settings.
    ///
    /// # Errors
    /// Unknown clusters, clusters without known hosts, and settings that Envoy rejects.
    pub(super) fn new(
        config: &Config,
        asked: &Asked,
        text: Option<&str>,
        done: &mut Done,
    ) -> Result<Self, Faults> {
        let served = config.effective_model(done);
        let model = &*served;
        let chosen = !asked.clusters.is_empty();
        let names =
            clusters_in_question("incident/unknown-cluster", &asked.clusters, config, model);
        let (names, criteria) = match (names, criteria(model, text)) {
            (Ok(names), Ok(criteria)) => (names, criteria),
            (names, criteria) => {
                let mut wrong = names.err().unwrap_or_default();
                wrong.extend(criteria.err().unwrap_or_default());
                return Err(wrong);
            }
        };
        let parts = ModelParts::new(model);
        let unknown = config.unknown_clusters(model);
        let (mut clusters, mut wrong) = (Vec::new(), Faults::default());
        for name in &names {
            let members = parts.members(name);
            let is_local = Some(name.as_str()) == model.local().cluster.as_deref();
            if !chosen && is_local && names.len() > 1 {
                continue;
            }
            if let Some(member) = members.iter().find(|member| unknown.contains(member)) {
                if chosen || names.len() == 1 {
                    let fault = hosts_unknown("incident/hosts-unknown", member);
                    wrong.push(config.files(), &fault);
                } else {
                    let text =
                        format!("cluster {name} is left out: the hosts of {member} are not known");
                    done.warn_lines([text]);
                }
                continue;
            }
            let part = parts.part(model, name);
            match cluster_setup(config, part, (name, &members), criteria.clone()) {
                Ok(Some(cluster)) => clusters.push(cluster),
                Ok(None) if chosen || names.len() == 1 => {
                    let what = format!("cluster {name} has no hosts");
                    let fault = Diagnostic::error("incident/no-hosts", what);
                    wrong.push(config.files(), &fault.expected("a cluster with endpoints"));
                }
                Ok(None) => {}
                Err(found) => wrong.extend(found),
            }
        }
        if wrong.is_empty() && clusters.is_empty() {
            let fault = Diagnostic::error("incident/no-hosts", "no cluster has known hosts");
            wrong.push(config.files(), &fault.expected("a cluster with endpoints"));
        }
        if !wrong.is_empty() {
            return Err(wrong);
        }
        let ids = clusters.iter().map(|of| of.setup.scene().cluster());
        let ids: Vec<_> = ids.collect();
        let limits = match clusters.as_slice() {
            [only] => config
                .limits()
                .of_clusters(only.setup.scene().snapshot(), &ids),
            _ => config.limits(),
        };
        Ok(Self { clusters, limits })
    }
}

/// One cluster; `None` if it has no hosts.
fn cluster_setup(
    config: &Config,
    part: Model,
    (name, members): (&str, &[&str]),
    criteria: Metadata,
) -> Result<Option<ClusterSetup>, Faults> {
    let (mut health, mut doubts) = (Vec::new(), Vec::new());
    let mut wrong = Faults::default();
    for member in members {
        let marks = config.envoy.marks.cluster(member);
        let Some(settings) = marks.and_then(|marks| marks.health.as_deref()) else {
            doubts.push(format!(
                "I don't know the health checks and the outlier detection of {member}: the input has only its hosts"
            ));
            continue;
        };
        for fault in &settings.faults {
            wrong.push(config.files(), fault);
        }
        doubt_settings(member, settings, &mut doubts);
        health.push(((*member).to_owned(), health_of(settings)));
    }
    if !wrong.is_empty() {
        return Err(wrong);
    }
    let Some(setup) = IncidentSetup::new(part, name, criteria, health) else {
        return Ok(None);
    };
    if setup.scene().hosts().is_empty() {
        return Ok(None);
    }
    let (retry, timeouts) = route_of(config, name, &mut doubts);
    doubt_hosts(&setup, &mut doubts);
    Ok(Some(ClusterSetup {
        setup: setup.with_route(retry, timeouts),
        doubts,
    }))
}

fn health_of(settings: &HealthSettings) -> IncidentHealth {
    let checks = settings.checks.iter().map(|check| check.settings.clone());
    let outlier = settings.outlier_detection.as_ref();
    IncidentHealth {
        checks: checks.collect(),
        outlier: outlier.map(|located: &LocatedSettings<_>| located.settings.clone()),
        ignores_health_on_removal: settings.ignores_health_on_removal,
        ignores_new_hosts: settings.ignores_new_hosts,
        merge_window: settings.update_merge_window.settings,
    }
}

/// Names settings whose effect is not known.
fn doubt_settings(cluster: &str, settings: &HealthSettings, doubts: &mut Vec<String>) {
    for check in &settings.checks {
        if let HealthCheckKind::Custom(name) = &check.settings.kind {
            doubts.push(format!(
                "I don't know when the checks of {cluster} fail, because the extension {name} decides; the answer takes them as checks that need a connection"
            ));
        }
    }
    if settings.checks.is_empty() && settings.outlier_detection.is_none() {
        doubts.push(format!(
            "{cluster} has neither health_checks nor outlier_detection: only its control plane can notice failures, and I don't know when it does"
        ));
    }
}

/// Names hosts that are ejected in the input: when they return is not known.
fn doubt_hosts(setup: &IncidentSetup, doubts: &mut Vec<String>) {
    let snapshot = setup.scene().snapshot();
    let hosts = setup.scene().hosts().iter().filter_map(|at| {
        let priority = snapshot.plain(at.cluster)?.priorities.get(at.priority)?;
        Some(priority.health(at.host))
    });
    let ejected = hosts.filter(|health| health.flags.failed_outlier_check);
    let ejected = ejected.count();
    if ejected > 0 {
        doubts.push(format!(
            "I don't know when {ejected} hosts return that are ejected in the input; they stay ejected"
        ));
    }
}

/// The retries and timeouts of the routes to a cluster.
fn route_of(config: &Config, name: &str, doubts: &mut Vec<String>) -> (RetryPolicy, Timeouts) {
    let mut found: Vec<(String, RetryPolicy, Timeouts)> = Vec::new();
    for listener in &config.envoy.listeners {
        for host in &listener.routes.virtual_hosts {
            for route in &host.routes {
                let RouteAction::Forward(forward) = &route.action else {
                    continue;
                };
                if !route.clusters().any(|cluster| cluster == name) {
                    continue;
                }
                let mark = listener.marks.get(route.id);
                let high = mark.is_some_and(|mark| mark.is_high_priority);
                let clusters = route.clusters().map(str::to_owned).collect();
                let limits = retry_limits(&config.envoy.marks, clusters, high);
                let policy = limited(&forward.retry, &limits);
                if policy.retries > 0 && !policy.retry_on.is_empty() {
                    doubt_retries(&limits, doubts);
                }
                let timeouts = mark.map_or_else(Timeouts::default, |mark| Timeouts {
                    route: mark.retry_time.timeout,
                    per_try: mark.retry_time.per_try_timeout,
                });
                let title = match route.name.as_str() {
                    "" => format!("{} route {}", host.name, route.id),
                    name => format!("{} {name}", host.name),
                };
                let is_known = |known: &(String, RetryPolicy, Timeouts)| {
                    (&known.1, known.2) == (&policy, timeouts)
                };
                if !found.iter().any(is_known) {
                    found.push((title, policy, timeouts));
                }
            }
        }
    }
    if let [(first, ..), _, ..] = found.as_slice() {
        doubts.push(format!(
            "I don't know which requests come from which route: {} routes to {name} have different retries or timeouts; the answer has those of {first}",
            found.len()
        ));
    }
    let Some((_, policy, timeouts)) = found.into_iter().next() else {
        doubts.push(format!(
            "no route in the input leads to {name}: requests are not retried, and have a timeout of 15 s"
        ));
        return (RetryPolicy::NONE, Timeouts::default());
    };
    if !policy.request_headers.is_empty() && policy.retries > 0 {
        doubts.push(
            "I don't know which requests meet retriable_request_headers; the answer retries all"
                .into(),
        );
    }
    if policy.retry_on.is_empty() {
        return (
            RetryPolicy {
                retries: 0,
                ..policy
            },
            timeouts,
        );
    }
    (policy, timeouts)
}

/// Names the limit of retries at the same time: how many there are depends on their time.
fn doubt_retries(
    limits: &[(String, spillgate_config::envoy::RetryLimit)],
    doubts: &mut Vec<String>,
) {
    let Some((cluster, limit)) = limits.first() else {
        return;
    };
    let limit = match limit.cap {
        RetryCap::Most(most) => format!("max_retries {most}"),
        RetryCap::Budget { percent, .. } => format!("retry_budget {percent} %"),
    };
    let text = format!(
        "I don't know how many retries of {cluster} are active at the same time, because times of responses are not modeled; {limit} can prevent retries"
    );
    if !doubts.contains(&text) {
        doubts.push(text);
    }
}
