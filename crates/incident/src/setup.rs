//! What a simulation needs to know about a cluster: its hosts, its settings of health, and the retries of its requests.

use alloc::{collections::BTreeMap, string::String, vec::Vec};
use core::time::Duration;

use spillgate_core::{
    model::{Metadata, Model, Policy},
    route::RetryPolicy,
    snapshot::ClusterId,
};
use spillgate_health::{
    check::ActiveCheck, merge_window::MergedUpdates, outlier::OutlierDetection,
};
use spillgate_sim::Scene;

use crate::traffic::{CircuitBreaker, RequestSettings, RetryLimits, RouteSessions, Timeouts};

/// A cluster and the requests to it.
#[derive(Debug, Clone)]
pub struct IncidentSetup {
    pub(crate) model: Model,
    pub(crate) scene: Scene,
    /// The settings of the cluster, or of the members of an aggregate.
    pub(crate) health: BTreeMap<ClusterId, IncidentHealth>,
    pub(crate) retry: RetryPolicy,
    pub(crate) retry_limits: Option<RetryLimits>,
    pub(crate) timeouts: Timeouts,
    pub(crate) has_hash: bool,
    pub(crate) sessions: Option<RouteSessions>,
    pub(crate) start: ProxyStart,
}

/// The settings of one cluster that decide how its health changes.
#[derive(Debug, Clone, PartialEq)]
pub struct IncidentHealth {
    /// `health_checks`.
    pub checks: Vec<ActiveCheck>,
    /// `outlier_detection`.
    pub outlier: Option<OutlierDetection>,
    /// `ignore_health_on_host_removal`.
    pub ignores_health_on_removal: bool,
    /// `common_lb_config.ignore_new_hosts_until_first_hc`.
    pub ignores_new_hosts: bool,
    /// `common_lb_config.update_merge_window`; default 1 s, and 0 for none.
    pub merge_window: Duration,
    /// `circuit_breakers`; `None` for no limit.
    pub breaker: Option<CircuitBreaker>,
}

/// When Envoy started.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ProxyStart {
    /// Long before the incident: the checks of each host and the sweeps have phases of their own, which the seed draws.
    #[default]
    LongBefore,
    /// At time 0, with the first checks of all hosts.
    AtZero,
}

impl Default for IncidentHealth {
    /// A cluster without health checks and outlier detection.
    fn default() -> Self {
        Self {
            checks: Vec::new(),
            outlier: None,
            ignores_health_on_removal: false,
            ignores_new_hosts: false,
            merge_window: MergedUpdates::DEFAULT_WINDOW,
            breaker: None,
        }
    }
}

impl IncidentSetup {
    /// A cluster of a model, with these settings of it or of its members, by name; `None` if the model has no such
    /// cluster. Clusters without settings have neither checks nor outlier detection. Requests are not retried.
    #[must_use]
    pub fn new(
        model: Model,
        cluster: &str,
        criteria: Metadata,
        health: Vec<(String, IncidentHealth)>,
    ) -> Option<Self> {
        let scene = Scene::new(&model, cluster, criteria)?;
        let id = |(name, settings): (String, IncidentHealth)| {
            Some((scene.snapshot().cluster_id(&name)?, settings))
        };
        Some(Self {
            health: health.into_iter().filter_map(id).collect(),
            scene,
            model,
            retry: RetryPolicy::NONE,
            retry_limits: None,
            timeouts: Timeouts::default(),
            has_hash: false,
            sessions: None,
            start: ProxyStart::default(),
        })
    }

    /// With the retries and timeouts of a route.
    #[must_use]
    pub fn with_route(self, retry: RetryPolicy, timeouts: Timeouts) -> Self {
        Self {
            retry,
            timeouts,
            ..self
        }
    }

    /// Whether the hosts of a cluster take turns, so that the requests of a host are evenly spaced.
    pub(crate) fn takes_turns(&self, cluster: ClusterId) -> bool {
        let plain = self.scene.snapshot().plain(cluster);
        plain.is_some_and(|plain| plain.settings.policy == Policy::RoundRobin)
    }

    /// With requests that have a hash (`hash_policy`).
    #[must_use]
    pub fn with_hash(self, has_hash: bool) -> Self {
        Self { has_hash, ..self }
    }

    /// With routes that keep sessions, which those clients have that [`IncidentScript::sessions`] states.
    ///
    /// [`IncidentScript::sessions`]: crate::IncidentScript::sessions
    #[must_use]
    pub fn with_sessions(self, sessions: Option<RouteSessions>) -> Self {
        Self { sessions, ..self }
    }

    /// With limits of the retries at the same time.
    #[must_use]
    pub fn with_retry_limits(self, retry_limits: Option<RetryLimits>) -> Self {
        Self {
            retry_limits,
            ..self
        }
    }

    /// With an Envoy that started then.
    #[must_use]
    pub fn started(self, start: ProxyStart) -> Self {
        Self { start, ..self }
    }

    /// What decides its requests.
    pub(crate) const fn requests(&self) -> RequestSettings<'_> {
        RequestSettings {
            scene: &self.scene,
            retry: &self.retry,
            retry_limits: self.retry_limits,
            timeout: self.timeouts.route,
            has_hash: self.has_hash,
        }
    }

    /// The name of the cluster.
    #[must_use]
    pub fn name(&self) -> &str {
        self.scene.name()
    }

    /// The cluster with its hosts.
    #[must_use]
    pub const fn scene(&self) -> &Scene {
        &self.scene
    }

    /// The cluster with those that it reads.
    #[must_use]
    pub const fn model(&self) -> &Model {
        &self.model
    }

    /// The settings of health of its clusters with hosts, in configuration order.
    pub fn health(&self) -> impl Iterator<Item = &IncidentHealth> {
        self.health.values()
    }

    /// The timeouts of its requests.
    #[must_use]
    pub const fn timeouts(&self) -> Timeouts {
        self.timeouts
    }
}
