//! What the filter is told to do.

use alloc::{string::String, vec::Vec};
use core::time::Duration;

use spillgate_core::{decide::ClusterChoice, model::Model, route::HashPolicy};

use super::{AccessLog, Affinity, Criterion, HealthSource, Output, TargetConfig, TraceConfig};
use crate::Diagnostic;

/// How often a worker looks at shared state when nothing is said.
pub(crate) const DEFAULT_TICK: Duration = Duration::from_millis(100);

/// A whole filter configuration, legal in itself.
#[derive(Debug, Clone)]
pub struct FilterConfig {
    /// The clusters (`clusters`), with the subset chain (`subset_chain`) if there is one.
    pub model: Model,
    /// Which cluster is balanced (`target`, `targets` or `weighted`); each name is one of the
    /// model's.
    pub target: TargetConfig,
    /// Whether a route's metadata may name the target and switch the filter off
    /// (`route_settings`).
    pub route_settings: bool,
    /// How the request hash is made (`hash_policy`).
    pub hash_policies: Vec<HashPolicy>,
    /// What a host must have, from the least to the most important (`metadata_match`, then
    /// `criteria`).
    pub criteria: Vec<Criterion>,
    /// Where the health of hosts comes from (`health`).
    pub health: HealthSource,
    /// How sessions are kept, where they are (`affinity`).
    pub affinity: Option<Affinity>,
    /// How a member of an aggregate or of a weighted target is chosen (`cluster_choice`).
    pub cluster_choice: ClusterChoice,
    /// Whose active requests count (`least_request.source`).
    pub active_requests: ActiveRequests,
    /// Which headers carry the decision (`output`).
    pub output: Output,
    /// Further names that are dropped from the client's request (`reserved_headers`), lower case.
    pub reserved_headers: Vec<String>,
    /// The trace header, where it is on (`trace`).
    pub trace: Option<TraceConfig>,
    /// Which decisions access logs can show, where any are (`access_log`).
    pub access_log: Option<AccessLog>,
    /// How often a worker looks at shared state (`tick`); at least a millisecond.
    pub tick: Duration,
    /// What is legal and yet without the effect it seems to have, for the log.
    pub warnings: Vec<Diagnostic>,
}

impl FilterConfig {
    /// A configuration with defaults in all but these.
    #[must_use]
    pub fn new(model: Model, target: TargetConfig) -> Self {
        Self {
            model,
            target,
            route_settings: false,
            hash_policies: Vec::new(),
            criteria: Vec::new(),
            health: HealthSource::Static,
            affinity: None,
            cluster_choice: ClusterChoice::default(),
            active_requests: ActiveRequests::default(),
            output: Output::default(),
            reserved_headers: Vec::new(),
            trace: None,
            access_log: None,
            tick: DEFAULT_TICK,
            warnings: Vec::new(),
        }
    }
}

/// Whose requests in flight count where a policy looks at them (`least_request.source`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ActiveRequests {
    /// Those that this worker has sent.
    #[default]
    Worker,
    /// Those of the whole Envoy, as its admin told when it was last asked.
    Admin,
}
