//! The model that predicts the shares.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use spillgate_admin::{AdminClient, AdminPath};
use spillgate_answers::{input::Faults, names::unknown_cluster, unknown::UnknownClusters};
use spillgate_config::{
    SourceMap, clusters::lay_over_health, envoy::EnvoyConfig, filter::Criterion,
    steered::steering_configs,
};
use spillgate_core::model::{Cluster, ClusterKind, Model};

use crate::{
    command::Done,
    config::{Config, ConfigArgs, read_from},
    running::{RunningEnvoy, get, reported_hosts, runtime_of},
};

/// The clusters that requests reach, with the health of the running Envoy.
#[derive(Debug)]
pub(crate) struct PredictedModel {
    /// The files of the configuration, for errors.
    files: SourceMap,
    pub(crate) model: Model,
    /// The clusters whose hosts are not known: no share is predicted.
    pub(crate) unknown: UnknownClusters,
    /// The clusters of a Spillgate filter that chooses among their hosts by requests, and what it reads.
    by_request: BTreeMap<String, Vec<String>>,
}

impl PredictedModel {
    /// Reads a file, or else the configuration of the Envoy.
    pub(super) fn read(
        client: &AdminClient,
        file: Option<&Path>,
        done: &mut Done,
    ) -> Result<Self, Faults> {
        let config = match file {
            None => read_from(RunningEnvoy::read(client)?.into())?,
            Some(file) => with_health(client, with_runtime(client, file)?)?,
        };
        config.warn_all(done);
        Ok(Self::of(&config, done))
    }

    /// The clusters that requests of a configuration reach.
    pub(crate) fn of(config: &Config, done: &mut Done) -> Self {
        let served = config.effective_model(done);
        Self {
            unknown: config.unknown_clusters(&served),
            by_request: chosen_by_request(&config.envoy),
            model: served.into_owned(),
            files: config.files().clone(),
        }
    }

    /// The names of the clusters to compare: the given ones, or else all that are not members of an
    /// aggregate. Requests of an aggregate are shares of its own priorities, not of those of a member alone.
    pub(crate) fn chosen(&self, names: &[String]) -> Result<Vec<String>, Faults> {
        let mut faults = Faults::default();
        for name in names
            .iter()
            .filter(|name| self.model.cluster(name).is_none())
        {
            let fault = unknown_cluster("observe/unknown-cluster", name, &self.model);
            faults.push(&self.files, &fault);
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        if !names.is_empty() {
            return Ok(names.to_vec());
        }
        let clusters = self.model.clusters();
        let members = clusters
            .iter()
            .flat_map(|cluster| self.members(&cluster.name));
        let members: BTreeSet<&str> = members.map(String::as_str).collect();
        let outer = clusters
            .iter()
            .filter(|cluster| !members.contains(&*cluster.name))
            .filter(|cluster| !self.unknown.contains(&cluster.name));
        Ok(outer.map(|cluster| cluster.name.to_string()).collect())
    }

    /// Removes the clusters whose shares depend on the criteria of requests, which Envoy does not count, and
    /// returns one sentence for each.
    pub(crate) fn without_criteria(&self, names: &mut Vec<String>) -> Vec<String> {
        let mut sentences = Vec::new();
        names.retain(|name| match self.by_request.get(name) {
            None => true,
            Some(sources) => {
                sentences.push(format!(
                    "{name}: not compared, because the filter chooses its hosts by the criteria of each request ({}). \
                     State the criteria of the requests with --criteria.",
                    sources.join(", ")
                ));
                false
            }
        });
        sentences
    }

    /// The clusters whose hosts count the requests of these clusters.
    pub(crate) fn counted(&self, names: &[String]) -> Vec<String> {
        let mut seen = BTreeSet::new();
        let mut next: Vec<&str> = names.iter().map(String::as_str).collect();
        while let Some(name) = next.pop() {
            if seen.insert(name) {
                next.extend(self.members(name).iter().map(String::as_str));
            }
        }
        seen.retain(|name| self.members(name).is_empty());
        seen.into_iter().map(str::to_owned).collect()
    }

    /// The members of a cluster, if it has any.
    fn members(&self, name: &str) -> &[String] {
        let cluster = self.model.cluster(name);
        cluster.map_or(&[], Cluster::members)
    }

    /// The names of the compared clusters whose policy hashes.
    pub(crate) fn hashing(&self, names: &[String]) -> Vec<String> {
        let mut counted = self.counted(names);
        counted.retain(|name| {
            let kind = self.model.cluster(name).map(|cluster| &cluster.kind);
            matches!(kind, Some(ClusterKind::Plain(plain)) if plain.policy.hashes())
        });
        counted
    }
}

/// The clusters of filters with criteria that differ from request to request, and their sources.
fn chosen_by_request(envoy: &EnvoyConfig) -> BTreeMap<String, Vec<String>> {
    let configs = envoy
        .listeners
        .iter()
        .flat_map(|listener| steering_configs(listener).configs);
    let mut found = BTreeMap::new();
    for config in configs.flatten() {
        let source = |criterion: &Criterion| match criterion {
            Criterion::Constant { .. } => None,
            Criterion::Header { header, .. } => Some(header.clone()),
            Criterion::RouteMetadata => Some("metadata of the route".to_owned()),
        };
        let sources: Vec<String> = config.criteria.iter().filter_map(source).collect();
        if !sources.is_empty() {
            let names = config.model.clusters().iter();
            found.extend(names.map(|cluster| (cluster.name.clone(), sources.clone())));
        }
    }
    found
}

/// The configuration of a file with the runtime values of the Envoy.
fn with_runtime(client: &AdminClient, file: &Path) -> Result<Config, Faults> {
    let mut source = ConfigArgs::of(file.to_owned()).source()?;
    match runtime_of(client) {
        Ok(runtime) => source.inputs = source.inputs.and_then(|inputs| inputs.with([runtime])),
        Err(limit) => source.missing.push(*limit),
    }
    read_from(source)
}

/// The configuration of a file with the health of the Envoy.
fn with_health(client: &AdminClient, mut config: Config) -> Result<Config, Faults> {
    let response = get(client, AdminPath::Clusters)?;
    let mut hosts = reported_hosts(&response)?;
    let found = lay_over_health(&hosts.clusters, &mut config.envoy);
    hosts.warnings.extend(found);
    config.others.push((hosts.name.to_owned(), hosts.warnings));
    Ok(config)
}
