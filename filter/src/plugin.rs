//! One configuration, compiled: everything that stays the same from request to request.

use crate::configuration;
use crate::criteria::Criteria;
use crate::secret;
use crate::sessions::{Affinity, Directory};
use crate::targets::Targets;
use spillgate_config::filter::{
    AccessLog, ActiveRequests, DEFAULT_TRACE_HEADER, FilterConfig, Health, Output, TraceConfig,
};
use spillgate_core::decide::{ClusterChoice, Decision};
use spillgate_core::model::Model;
use spillgate_core::route::{Connection, HashPolicy, Headers, request_hash};
use spillgate_core::snapshot::Snapshot;
use spillgate_core::trace::Step;
use spillgate_explain::decision::decision_json;
use std::time::Duration;

/// What a configuration says, but for its hosts, which come and go.
pub(crate) struct Plugin {
    /// How a request's hash is made.
    pub(crate) hash_policies: Vec<HashPolicy>,
    /// What a request asks of its host.
    pub(crate) criteria: Criteria,
    /// What decides between clusters.
    pub(crate) cluster_choice: ClusterChoice,
    /// Whether the admin's counts of requests in flight count.
    pub(crate) reported_active: bool,
    /// Whether a decision looks at the request's headers at all: reading them is the dearest call.
    pub(crate) reads_headers: bool,
    /// Whether it looks at the metadata of the request's route.
    pub(crate) reads_route: bool,
    /// Whether these may change the target.
    pub(crate) route_settings: bool,
    /// Which headers carry a decision.
    pub(crate) output: Output,
    /// Who gets to see decisions.
    pub(crate) trace: Option<TraceConfig>,
    /// Which decisions access logs can show.
    pub(crate) access_log: Option<AccessLog>,
    /// Whatever the client says under these names is dropped.
    pub(crate) request_headers_to_drop: Vec<String>,
    /// Nothing under these names reaches the client.
    pub(crate) response_headers_to_drop: Vec<String>,
    /// Which cluster is balanced.
    pub(crate) targets: Targets,
    /// How sessions are kept, where they are.
    pub(crate) affinity: Option<Affinity>,
}

/// A configuration, compiled, and what hosts it begins with.
pub(crate) struct Built {
    /// What stays.
    pub(crate) plugin: Plugin,
    /// The clusters as configured, compiled.
    pub(crate) snapshot: Snapshot,
    /// And not compiled, to lay hosts over them.
    pub(crate) model: Model,
    /// Where the health of hosts comes from.
    pub(crate) health: Health,
    /// How often the worker looks at it.
    pub(crate) tick: Duration,
    /// What is legal and yet without the effect it seems to have, ready to print.
    pub(crate) warnings: Vec<String>,
}

impl Built {
    /// Reads and compiles a configuration.
    ///
    /// # Errors
    /// Every fault of the text, ready to print.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Self, Vec<String>> {
        let (config, warnings) = configuration::balancing(bytes)?;
        let (health, tick) = (config.health.clone(), config.tick);
        let snapshot = Snapshot::build(&config.model);
        let (plugin, model) = Plugin::compile(config, &snapshot);
        Ok(Self {
            plugin,
            snapshot,
            model,
            health,
            tick,
            warnings,
        })
    }
}

impl Plugin {
    fn compile(config: FilterConfig, snapshot: &Snapshot) -> (Self, Model) {
        // Clients may not forge it even while traces are off.
        let trace_header = match &config.trace {
            Some(trace) => trace.header.clone(),
            None => DEFAULT_TRACE_HEADER.to_owned(),
        };
        let mut response_headers_to_drop = vec![
            config.output.host_header.clone(),
            config.output.cluster_header.clone(),
            trace_header,
        ];
        let subset = config.output.subset_headers.iter();
        response_headers_to_drop.extend(subset.map(|(_, header)| header.clone()));
        let mut request_headers_to_drop = response_headers_to_drop.clone();
        request_headers_to_drop.extend(config.reserved_headers);
        if let Some(trace) = &config.trace {
            request_headers_to_drop.push(trace.when.header.clone());
        }
        let targets = Targets::new(config.target, snapshot);
        let criteria = Criteria::new(config.criteria);
        let hashes = !config.hash_policies.is_empty();
        let plugin = Self {
            reads_headers: targets.read_headers()
                || hashes
                || criteria.reads_headers()
                || config.affinity.is_some(),
            reads_route: config.route_settings || criteria.reads_route(),
            route_settings: config.route_settings,
            hash_policies: config.hash_policies,
            criteria,
            cluster_choice: config.cluster_choice,
            reported_active: config.active_requests == ActiveRequests::Admin,
            output: config.output,
            trace: config.trace,
            access_log: config.access_log,
            request_headers_to_drop,
            response_headers_to_drop,
            targets,
            affinity: config.affinity.map(Affinity::new),
        };
        (plugin, config.model)
    }

    /// The ids of a snapshot's hosts, as far as anybody asks for them.
    pub(crate) fn directory(&self, snapshot: &Snapshot) -> Directory {
        let affinity = self.affinity.as_ref();
        affinity.map_or_else(Directory::default, |affinity| affinity.directory(snapshot))
    }

    /// The hash of a request, where the configuration makes any.
    pub(crate) fn hash<H: Headers>(&self, headers: &H) -> Option<u64> {
        request_hash(&self.hash_policies, headers, &Connection::default())
    }

    /// A decision as one line of JSON.
    pub(crate) fn explain(
        &self,
        snapshot: &Snapshot,
        decision: &Decision,
        steps: Option<&[Step]>,
    ) -> String {
        let candidates = decision.candidates(snapshot, self.output.candidates);
        decision_json(snapshot, decision, &candidates, steps)
    }
}

/// Whether the secret of a trace is what a caller presents.
pub(crate) fn opens(trace: &TraceConfig, given: &[u8]) -> bool {
    secret::is_presented(&trace.when.value, given)
}

/// All findings in one message, each on a line of its own.
pub(crate) fn listed(findings: &[String]) -> String {
    let noun = if findings.len() == 1 {
        "finding"
    } else {
        "findings"
    };
    format!("{} {noun}:\n{}", findings.len(), findings.join("\n"))
}
