//! Compiles a valid configuration into the form that serves requests.

use alloc::{borrow::ToOwned, string::String, vec, vec::Vec};
use core::time::Duration;

use spillgate_config::filter::{
    AccessLog, ActiveRequests, DEFAULT_TRACE_HEADER, FilterConfig, HealthSource, Output,
    TraceConfig, UnknownHostsPolicy,
};
use spillgate_core::{
    decide::ClusterChoice,
    model::Model,
    route::{Connection, HashPolicy, Headers, request_hash},
    snapshot::Snapshot,
};

use super::{criteria::Criteria, targets::Targets};
use crate::session::{HostDirectory, SessionPolicy};

/// The settings of a configuration, without its hosts.
pub(crate) struct Settings {
    /// The hash policies of the request hash.
    pub(crate) hash_policies: Vec<HashPolicy>,
    /// The subset criteria of requests.
    pub(crate) criteria: Criteria,
    /// How a cluster is chosen in an aggregate or a weighted split.
    pub(crate) cluster_choice: ClusterChoice,
    /// Whose active requests count.
    pub(crate) active_requests: ActiveRequests,
    /// Whether decisions need the request headers. Reading them is the most expensive host call.
    pub(crate) reads_headers: bool,
    /// Whether decisions need the metadata of the request's route.
    pub(crate) reads_route: bool,
    /// Whether this metadata may set the target or disable the filter.
    pub(crate) route_settings: bool,
    /// The handling of requests while their hosts are unknown.
    pub(crate) on_unknown: UnknownHostsPolicy,
    /// The output mode and its headers.
    pub(crate) output: Output,
    /// The trace header, and the secret that enables it.
    pub(crate) trace: Option<TraceConfig>,
    /// The sample of decisions for access logs.
    pub(crate) access_log: Option<AccessLog>,
    /// Request headers that are stripped.
    pub(crate) stripped_request_headers: Vec<String>,
    /// Response headers that are stripped.
    pub(crate) stripped_response_headers: Vec<String>,
    /// The target clusters.
    pub(crate) targets: Targets,
    /// Session affinity, if it is configured.
    pub(crate) sessions: Option<SessionPolicy>,
}

/// A compiled configuration, with its configured hosts.
pub struct CompiledConfig {
    pub(crate) settings: Settings,
    /// The configured clusters, compiled.
    pub(crate) snapshot: Snapshot,
    /// The configured clusters; live hosts are applied to them.
    pub(crate) model: Model,
    /// The source of health.
    pub(crate) health: HealthSource,
    /// The handling of requests while the hosts are unknown.
    pub(crate) on_unknown: UnknownHostsPolicy,
    /// Whether requests select hosts by their metadata.
    pub(crate) selects_hosts: bool,
    /// How often the metadata of endpoints are polled.
    pub(crate) metadata_interval: Duration,
    /// How often a worker checks for published changes.
    pub(crate) tick: Duration,
}

impl CompiledConfig {
    /// Compiles a valid configuration.
    #[must_use]
    pub fn new(config: FilterConfig) -> Self {
        let snapshot = Snapshot::build(&config.model);
        Self::with_snapshot(config, snapshot)
    }

    /// Compiles a valid configuration whose clusters are compiled already: `snapshot` has them with the
    /// present hosts.
    #[must_use]
    pub fn with_snapshot(config: FilterConfig, snapshot: Snapshot) -> Self {
        let (health, on_unknown) = (config.health.clone(), config.on_unknown());
        let (selects_hosts, tick) = (config.selects_hosts(), config.tick);
        let metadata_interval = config.metadata_interval();
        let (settings, model) = Settings::compile(config, &snapshot);
        Self {
            settings,
            snapshot,
            model,
            health,
            on_unknown,
            selects_hosts,
            metadata_interval,
            tick,
        }
    }
}

impl Settings {
    fn compile(config: FilterConfig, snapshot: &Snapshot) -> (Self, Model) {
        let on_unknown = config.on_unknown();
        // Clients must not be able to forge it, even while traces are off.
        let trace_header = match &config.trace {
            Some(trace) => trace.header.clone(),
            None => DEFAULT_TRACE_HEADER.to_owned(),
        };
        let mut stripped_response_headers = vec![
            config.output.host_header.clone(),
            config.output.cluster_header.clone(),
            trace_header,
        ];
        let subset = config.output.subset_headers.iter();
        stripped_response_headers.extend(subset.map(|(_, header)| header.clone()));
        let mut stripped_request_headers = stripped_response_headers.clone();
        if config.output.route_strips_response_headers {
            stripped_response_headers.clear();
        }
        stripped_request_headers.extend(config.reserved_headers);
        if let Some(trace) = &config.trace {
            stripped_request_headers.push(trace.when.header.clone());
        }
        let targets = Targets::new(config.target, snapshot);
        let criteria = Criteria::new(config.criteria);
        let hashes = !config.hash_policies.is_empty();
        let settings = Self {
            reads_headers: targets.read_headers()
                || hashes
                || criteria.reads_headers()
                || config.affinity.is_some(),
            reads_route: config.route_settings || criteria.reads_route(),
            route_settings: config.route_settings,
            on_unknown,
            hash_policies: config.hash_policies,
            criteria,
            cluster_choice: config.cluster_choice,
            active_requests: config.active_requests,
            output: config.output,
            trace: config.trace,
            access_log: config.access_log,
            stripped_request_headers,
            stripped_response_headers,
            targets,
            sessions: config.affinity.map(SessionPolicy::new),
        };
        (settings, config.model)
    }

    /// The ids of a snapshot's hosts in tokens; empty without `affinity`.
    pub(crate) fn directory(&self, snapshot: &Snapshot) -> HostDirectory {
        let sessions = self.sessions.as_ref();
        sessions.map_or_else(HostDirectory::default, |policy| policy.directory(snapshot))
    }

    /// The ids of the hosts of `new`, of which `directory` has those of `old`.
    pub(crate) fn updated_directory(
        &self,
        directory: &HostDirectory,
        old: &Snapshot,
        new: &Snapshot,
    ) -> HostDirectory {
        let sessions = self.sessions.as_ref();
        sessions.map_or_else(HostDirectory::default, |policy| {
            policy.updated_directory(directory, old, new)
        })
    }

    /// The request hash; `None` if no hash policy applies.
    pub(crate) fn hash<H: Headers>(&self, headers: &H) -> Option<u64> {
        request_hash(&self.hash_policies, headers, &Connection::default())
    }
}
