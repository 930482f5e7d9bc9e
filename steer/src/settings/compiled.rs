//! From a legal configuration to the form that serves requests.

use alloc::{borrow::ToOwned, format, string::String, vec, vec::Vec};
use core::time::Duration;

use spillgate_config::filter::{
    AccessLog, ActiveRequests, DEFAULT_TRACE_HEADER, FilterConfig, HealthSource, Output,
    TraceConfig,
};
use spillgate_core::{
    decide::ClusterChoice,
    model::Model,
    route::{Connection, HashPolicy, Headers, request_hash},
    snapshot::Snapshot,
};

use super::{criteria::Criteria, targets::Targets};
use crate::session::{HostDirectory, SessionPolicy};

/// The settings of a configuration, without its hosts, which come and go.
pub(crate) struct Settings {
    /// How the request hash is computed.
    pub(crate) hash_policies: Vec<HashPolicy>,
    /// The criteria that a request sets for its host.
    pub(crate) criteria: Criteria,
    /// How a cluster is chosen among several.
    pub(crate) cluster_choice: ClusterChoice,
    /// Whose active requests count.
    pub(crate) active_requests: ActiveRequests,
    /// Whether a decision reads request headers at all: it is the most expensive call.
    pub(crate) reads_headers: bool,
    /// Whether it reads the metadata of the request's route.
    pub(crate) reads_route: bool,
    /// Whether this metadata may change the target.
    pub(crate) route_settings: bool,
    /// The headers that carry a decision.
    pub(crate) output: Output,
    /// Who may see decisions.
    pub(crate) trace: Option<TraceConfig>,
    /// Which decisions access logs can show.
    pub(crate) access_log: Option<AccessLog>,
    /// Request headers that are stripped.
    pub(crate) stripped_request_headers: Vec<String>,
    /// Response headers that are stripped.
    pub(crate) stripped_response_headers: Vec<String>,
    /// The clusters that are balanced.
    pub(crate) targets: Targets,
    /// How sessions are kept, where they are.
    pub(crate) sessions: Option<SessionPolicy>,
}

/// A configuration, compiled, with the hosts that it starts with.
pub struct CompiledConfig {
    pub(crate) settings: Settings,
    /// The configured clusters, compiled.
    pub(crate) snapshot: Snapshot,
    /// The configured clusters; live hosts are laid over them.
    pub(crate) model: Model,
    /// Where the health of hosts comes from.
    pub(crate) health: HealthSource,
    /// How often a worker reads it.
    pub(crate) tick: Duration,
}

impl CompiledConfig {
    /// Compiles a configuration.
    #[must_use]
    pub fn new(config: FilterConfig) -> Self {
        let (health, tick) = (config.health.clone(), config.tick);
        let snapshot = Snapshot::build(&config.model);
        let (settings, model) = Settings::compile(config, &snapshot);
        Self {
            settings,
            snapshot,
            model,
            health,
            tick,
        }
    }
}

impl Settings {
    fn compile(config: FilterConfig, snapshot: &Snapshot) -> (Self, Model) {
        // Clients must not forge it even while traces are off.
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

    /// The ids of a snapshot's hosts; empty where no sessions are kept.
    pub(crate) fn directory(&self, snapshot: &Snapshot) -> HostDirectory {
        let sessions = self.sessions.as_ref();
        sessions.map_or_else(HostDirectory::default, |policy| policy.directory(snapshot))
    }

    /// The hash of a request, where the configuration defines one.
    pub(crate) fn hash<H: Headers>(&self, headers: &H) -> Option<u64> {
        request_hash(&self.hash_policies, headers, &Connection::default())
    }
}

/// All findings in one message, each on its own line.
pub(crate) fn listed(findings: &[String]) -> String {
    let noun = if findings.len() == 1 {
        "finding"
    } else {
        "findings"
    };
    format!("{} {noun}:\n{}", findings.len(), findings.join("\n"))
}
