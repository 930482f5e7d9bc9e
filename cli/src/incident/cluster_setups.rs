//! The clusters of a configuration as the input of simulations, and what a simulation does not know of them.

use std::collections::BTreeSet;

use spillgate_answers::{input::Faults, limits::Limits};
use spillgate_config::Diagnostic;
use spillgate_core::model::{Metadata, Model};
use spillgate_incident::{
    IncidentSetup,
    envoy::{RouteSetup, health_of, route_of, unknown_health},
};

use super::{asked::Asked, mesh_health::mesh_health};
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
    /// The routes to the cluster.
    route: RouteSetup,
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
                text.is_some().then(|| criteria.clone()),
            ) {
                Some(mut cluster) => {
                    let of_script = cluster.setup.doubts(&asked.script);
                    cluster.doubts.extend(of_script);
                    clusters.push(cluster);
                }
                None if chosen || names.len() == 1 => {
                    let what = format!("cluster {name} has no hosts");
                    let fault = Diagnostic::error("incident/no-hosts", what);
                    wrong.push(config.files(), &fault.expected("a cluster with endpoints"));
                }
                None => {}
            }
        }
        if wrong.is_empty() && clusters.is_empty() {
            let fault = Diagnostic::error("incident/no-hosts", "no cluster has known hosts");
            wrong.push(config.files(), &fault.expected("a cluster with endpoints"));
        }
        if !wrong.is_empty() {
            return Err(wrong);
        }
        let limits = limits(config, &clusters);
        Ok(Self { clusters, limits })
    }
}

/// What the answers do not model: of all clusters, or of one and the routes to it.
fn limits(config: &Config, clusters: &[ClusterSetup]) -> Limits {
    let of_moment = match clusters {
        [only] => {
            let scene = only.setup.scene();
            let routes = &only.route.routes;
            config
                .limits()
                .of_routes(scene.snapshot(), &[scene.cluster()], routes)
        }
        _ => config.limits(),
    };
    let mut over_time: Vec<Diagnostic> = Vec::new();
    for cluster in clusters {
        let snapshot = cluster.setup.scene().snapshot();
        let members = snapshot.with_members(cluster.setup.scene().cluster());
        let names = members
            .into_iter()
            .filter_map(|id| Some(snapshot.cluster(id)?.name.as_str()));
        let names: Vec<&str> = names.collect();
        for limit in cluster.route.limits_over_time(&config.envoy, &names) {
            if !over_time.contains(&limit) {
                over_time.push(limit);
            }
        }
    }
    let mut limits = of_moment.with(config.files(), &over_time);
    for (name, found) in &config.over_time {
        limits.add(name, found);
    }
    let mut located: Vec<&(usize, Diagnostic)> = Vec::new();
    for limit in clusters.iter().flat_map(|of| &of.route.located_limits) {
        if !located.contains(&limit) {
            located.push(limit);
        }
    }
    for (file, limit) in located {
        if let Some(text) = config.texts.get(*file) {
            limits.add(&text.name, std::slice::from_ref(limit));
        }
    }
    limits
}

/// One cluster; `None` if it has no hosts.
fn cluster_setup(
    config: &Config,
    part: Model,
    (name, members): (&str, &[&str]),
    criteria: Option<Metadata>,
) -> Option<ClusterSetup> {
    let (mut health, mut doubts) = (Vec::new(), Vec::new());
    let with_members: BTreeSet<&str> = part
        .clusters()
        .iter()
        .filter(|cluster| !cluster.members().is_empty())
        .map(|cluster| cluster.name.as_str())
        .collect();
    let mut route = route_of(&config.envoy, name, config.origin(), &mut doubts);
    // The members of an aggregate notice failures, not the aggregate.
    for member in members.iter().filter(|of| !with_members.contains(*of)) {
        let marks = config.envoy.marks.cluster(member);
        if let Some(of_mesh) = config.health_in_mesh(member) {
            let settings = mesh_health(member, of_mesh, &mut route, &mut doubts);
            health.push(((*member).to_owned(), settings));
            continue;
        }
        let known = marks.and_then(|marks| Some((marks, marks.health.as_deref()?)));
        let Some((marks, settings)) = known else {
            doubts.push(unknown_health(member));
            continue;
        };
        let settings = health_of(
            member,
            (settings, &marks.circuit_breakers),
            route.priority,
            &mut doubts,
        );
        health.push(((*member).to_owned(), settings));
    }
    let criteria = criteria.unwrap_or_else(|| route.criteria.clone());
    let setup = IncidentSetup::new(part, name, criteria, health)?;
    if setup.scene().hosts().is_empty() {
        return None;
    }
    Some(ClusterSetup {
        setup: setup
            .with_route(route.retry.clone(), route.timeouts)
            .with_retry_limits(route.retry_limits)
            .with_hash(route.has_hash)
            .with_sessions(route.sessions),
        doubts,
        route,
    })
}
