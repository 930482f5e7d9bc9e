//! How Envoy finds out the health of a cluster's hosts, and which hosts keep sessions.

use alloc::vec::Vec;

use spillgate_core::model::HealthStatus;

use super::FieldPlace;

/// Settings related to health.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HealthSignals {
    /// Active health checks.
    pub health_checks: Option<FieldPlace>,
    /// Outlier detection.
    pub outlier_detection: Option<OutlierFacts>,
    /// Circuit breakers.
    pub circuit_breakers: Option<FieldPlace>,
    /// Whether removed hosts leave at once (`ignore_health_on_host_removal`).
    pub ignores_health_on_removal: bool,
    /// `common_lb_config.override_host_status`.
    pub override_host_status: Option<OverrideStatusFacts>,
}

/// Facts of `outlier_detection`, the passive health checks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutlierFacts {
    /// Its place.
    pub place: FieldPlace,
    /// Maximum share of all hosts that may be ejected, in percent; default 10.
    pub max_ejection_percent: u64,
    /// Whether one host may be ejected regardless of the percentage.
    pub always_eject_one_host: bool,
    /// Whether any detector ejects (an `enforcing_*` percentage above 0).
    pub enforced: bool,
}

impl OutlierFacts {
    /// The maximum number of hosts of a cluster that are ejected at the same time.
    #[must_use]
    pub fn most_ejected(&self, hosts: usize) -> usize {
        most_ejected(self.max_ejection_percent, self.always_eject_one_host, hosts)
    }
}

/// The maximum number of hosts that are ejected at the same time: a percentage of all hosts of the
/// cluster, rounded down. Envoy can eject one host regardless of it.
#[must_use]
pub fn most_ejected(percent: u64, always_one: bool, hosts: usize) -> usize {
    let percent = usize::try_from(percent.min(100)).unwrap_or(100);
    let most = hosts.saturating_mul(percent) / 100;
    most.max(usize::from(always_one))
}

/// The statuses under which a session stays on its host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OverrideStatusFacts {
    /// Their place.
    pub place: FieldPlace,
    /// The statuses; if empty, no session stays on its host.
    pub statuses: Vec<HealthStatus>,
}
