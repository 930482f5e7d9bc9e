//! The clusters of a configuration as the input of simulations, and what a simulation does not know of them.

use std::collections::BTreeSet;

use spillgate_answers::{
    input::Faults,
    limits::Limits,
    pick::{limited, retry_limits},
};
use spillgate_config::{
    Diagnostic,
    envoy::{HealthSettings, LocatedSettings},
};
use spillgate_core::{
    model::{Metadata, Model},
    route::{RetryPolicy, RouteAction},
};
use spillgate_incident::{IncidentHealth, IncidentSetup, Timeouts, time_text};

use super::{asked::Asked, doubts};
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
            match cluster_setup(
                config,
                part,
                (name.as_str(), members.as_slice()),
                criteria.clone(),
            ) {
                Ok(Some(mut cluster)) => {
                    let (setup, script) = (&cluster.setup, &asked.script);
                    let is_istio = config.istio_version.is_some();
                    let of_script = [
                        doubts::waiting(setup, script, is_istio),
                        doubts::mesh_timeouts(setup, script, config.of_mesh),
                        doubts::least_request(setup, script),
                    ];
                    cluster.doubts.extend(of_script.into_iter().flatten());
                    clusters.push(cluster);
                }
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
    let with_members: BTreeSet<&str> = part
        .clusters()
        .iter()
        .filter(|cluster| !cluster.members().is_empty())
        .map(|cluster| cluster.name.as_str())
        .collect();
    // The members of an aggregate notice failures, not the aggregate.
    for member in members.iter().filter(|of| !with_members.contains(*of)) {
        let marks = config.envoy.marks.cluster(member);
        let mut outliers = config.istio_outliers.iter();
        if let Some((_, outlier)) = outliers.find(|(name, _)| name == member) {
            if outlier.is_none() {
                doubts.push(doubts::unnoticed(member));
            }
            let outlier = outlier.clone();
            let settings = IncidentHealth {
                outlier,
                ..IncidentHealth::default()
            };
            health.push(((*member).to_owned(), settings));
            continue;
        }
        let Some(settings) = marks.and_then(|marks| marks.health.as_deref()) else {
            doubts.push(format!(
                "I don't know the health checks and the outlier detection of {member}: the input has only its hosts"
            ));
            continue;
        };
        for fault in &settings.faults {
            wrong.push(config.files(), fault);
        }
        doubts::of_settings(member, settings, &mut doubts);
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
    doubts.extend(doubts::ejected(&setup));
    doubts.extend(doubts::slow_start(&setup));
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

/// The retries and timeouts of the routes to a cluster.
fn route_of(config: &Config, name: &str, doubts: &mut Vec<String>) -> (RetryPolicy, Timeouts) {
    let mut found: Vec<(String, RetryPolicy, Timeouts)> = Vec::new();
    // Routes of Istio have no timeout unless a VirtualService sets one.
    let unmarked = if config.istio_version.is_some() {
        Timeouts {
            route: None,
            per_try: None,
        }
    } else {
        Timeouts::default()
    };
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
                // Istio sets no limit unless a DestinationRule does.
                let is_limited = config.istio_version.is_none();
                if is_limited && policy.retries > 0 && !policy.retry_on.is_empty() {
                    doubts::of_retries(&limits, doubts);
                }
                let timeouts = mark.map_or(unmarked, |mark| Timeouts {
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
                if mark.is_some_and(|mark| mark.session.is_some()) {
                    doubts::sessions(name, doubts);
                }
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
            "no route in the input leads to {name}: requests are not retried, and have {}",
            unmarked.route.map_or_else(
                || String::from("no timeout"),
                |time| format!("a timeout of {}", time_text(time))
            )
        ));
        return (RetryPolicy::NONE, unmarked);
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
