//! The filter's configuration.

use alloc::{string::String, vec::Vec};
use core::time::Duration;

use spillgate_core::{decide::ClusterChoice, model::Model, route::HashPolicy};

use super::{
    AccessLog, AffinityConfig, Criterion, HealthSource, LostSession, Output, TargetConfig,
    TraceConfig, UnknownHostsPolicy, health::DEFAULT_METADATA_INTERVAL,
};
use crate::Diagnostic;

/// Default of `tick`.
pub(crate) const DEFAULT_TICK: Duration = Duration::from_millis(100);

/// A whole filter configuration; legal in itself.
#[derive(Debug, Clone)]
pub struct FilterConfig {
    /// The clusters (`clusters`) with their subset fallback chain (`subset_chain`), if any.
    pub model: Model,
    /// The cluster to balance (`target`, `targets` or `weighted`); each name is in the model.
    pub target: TargetConfig,
    /// Whether a route's metadata may name the target and disable the filter (`route_settings`).
    pub route_settings: bool,
    /// The sources of the request hash (`hash_policy`).
    pub hash_policies: Vec<HashPolicy>,
    /// Criteria for hosts, by ascending precedence (`metadata_match`, then `criteria`).
    pub criteria: Vec<Criterion>,
    /// The source of host health (`health`).
    pub health: HealthSource,
    /// Session settings, if sessions are enabled (`affinity`).
    pub affinity: Option<AffinityConfig>,
    /// The environment variable with the token keys (`affinity.keys_from_env`), if its value is
    /// unknown here; then `affinity` is left out.
    pub unknown_keys: Option<String>,
    /// How a member of an aggregate or of a weighted target is chosen (`cluster_choice`).
    pub cluster_choice: ClusterChoice,
    /// The source of active requests (`least_request.source`).
    pub active_requests: ActiveRequests,
    /// The headers of the decision (`output`).
    pub output: Output,
    /// Further headers to drop from client requests (`reserved_headers`), lowercase.
    pub reserved_headers: Vec<String>,
    /// The trace header, if enabled (`trace`).
    pub trace: Option<TraceConfig>,
    /// The sample of decisions for access logs, if enabled (`access_log`).
    pub access_log: Option<AccessLog>,
    /// Interval at which a worker reads shared state (`tick`); at least 1 ms.
    pub tick: Duration,
    /// Settings that are valid but have no effect or another effect than expected, for the log.
    pub warnings: Vec<Diagnostic>,
}

impl FilterConfig {
    /// A configuration with defaults for everything else.
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
            unknown_keys: None,
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

    /// Whether requests select hosts by metadata: by criteria or by a subset fallback chain.
    #[must_use]
    pub fn selects_hosts(&self) -> bool {
        !self.criteria.is_empty() || !self.model.chain().is_empty()
    }

    /// Whether a request may use only a part of the hosts of its cluster: by criteria, by a subset
    /// fallback chain, or by its session.
    #[must_use]
    pub fn restricts_hosts(&self) -> bool {
        self.selects_hosts() || self.affinity.is_some()
    }

    /// The handling of a request while the hosts that it may use are unknown (`health.on_unknown`).
    /// By default, requests are refused if Envoy's own choice would ignore a rule of this
    /// configuration: criteria, a subset fallback chain, or an `on_lost` status.
    #[must_use]
    pub fn on_unknown(&self) -> UnknownHostsPolicy {
        let configured = match &self.health {
            HealthSource::Static => None,
            HealthSource::Admin(admin) => admin.on_unknown,
            HealthSource::Envoy { on_unknown } => *on_unknown,
        };
        let lost = self.affinity.as_ref().map(|affinity| affinity.on_lost);
        let refuses = matches!(lost, Some(LostSession::Refuse { .. }));
        configured.unwrap_or(if refuses || self.selects_hosts() {
            UnknownHostsPolicy::Refuse
        } else {
            UnknownHostsPolicy::PassThrough
        })
    }

    /// How often the metadata of endpoints are polled (`health.metadata_interval`). By default as often as
    /// the hosts if requests select hosts by metadata: an address may get another owner.
    #[must_use]
    pub fn metadata_interval(&self) -> Duration {
        let HealthSource::Admin(admin) = &self.health else {
            return DEFAULT_METADATA_INTERVAL;
        };
        admin.metadata_interval.unwrap_or(if self.selects_hosts() {
            admin.interval
        } else {
            DEFAULT_METADATA_INTERVAL
        })
    }
}

/// The source of active requests (`least_request.source`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ActiveRequests {
    /// Requests sent by this worker.
    #[default]
    Worker,
    /// Requests of the whole Envoy, from the last response of its admin.
    Admin,
}
