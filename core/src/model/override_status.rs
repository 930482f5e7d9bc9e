//! The host statuses that keep a stateful session on its host.

use super::{Health, HealthStatus};

/// A set of host statuses (`Cluster.CommonLbConfig.override_host_status`). A host keeps its
/// sessions while its status is in the set.
///
/// Each status counts separately: a host without a status is `UNKNOWN`, so the set `[HEALTHY]` does
/// not contain it. With the empty set no host keeps a session.
///
/// # Examples
/// ```
/// use spillgate_core::model::{HealthStatus, OverrideStatuses};
///
/// let statuses: OverrideStatuses = [HealthStatus::Healthy].into_iter().collect();
/// assert!(statuses.contains(HealthStatus::Healthy));
/// assert!(!statuses.contains(HealthStatus::Unknown));
/// assert!(OverrideStatuses::DEFAULT.contains(HealthStatus::Unknown));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct OverrideStatuses(u8);

impl OverrideStatuses {
    /// `UNKNOWN`, `HEALTHY` and `DEGRADED`: Envoy's default for an unset field.
    pub const DEFAULT: Self = Self::EMPTY
        .with(HealthStatus::Unknown)
        .with(HealthStatus::Healthy)
        .with(HealthStatus::Degraded);

    /// The empty set.
    pub const EMPTY: Self = Self(0);

    /// The set with one more status.
    #[must_use]
    pub const fn with(self, status: HealthStatus) -> Self {
        Self(self.0 | Self::bit(status))
    }

    /// Whether a host with this status keeps its sessions.
    #[must_use]
    pub const fn contains(self, status: HealthStatus) -> bool {
        self.0 & Self::bit(status) != 0
    }

    const fn bit(status: HealthStatus) -> u8 {
        1 << status as u8
    }
}

impl Default for OverrideStatuses {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl FromIterator<HealthStatus> for OverrideStatuses {
    fn from_iter<I: IntoIterator<Item = HealthStatus>>(statuses: I) -> Self {
        statuses.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl Health {
    /// The status that stateful sessions use (`Host::healthStatus`): a failed active health check
    /// or an outlier ejection makes a host `UNHEALTHY`; otherwise the EDS status applies, except
    /// that a degraded active health check makes an `UNKNOWN` or `HEALTHY` host `DEGRADED`.
    #[must_use]
    pub const fn session_status(self) -> HealthStatus {
        if self.flags.failed_active_hc || self.flags.failed_outlier_check {
            return HealthStatus::Unhealthy;
        }
        match self.status {
            HealthStatus::Unknown | HealthStatus::Healthy if self.flags.degraded_active_hc => {
                HealthStatus::Degraded
            }
            status => status,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::HealthFlags;

    #[test]
    fn every_status_counts_separately() {
        for status in HealthStatus::ALL {
            let set: OverrideStatuses = [status].into_iter().collect();
            for other in HealthStatus::ALL {
                assert_eq!(set.contains(other), status == other);
            }
        }
    }

    #[test]
    fn health_check_failures_override_the_eds_status() {
        let of = |status, flags| Health { status, flags }.session_status();
        let ejected = HealthFlags {
            failed_outlier_check: true,
            ..HealthFlags::default()
        };
        let slow = HealthFlags {
            degraded_active_hc: true,
            ..HealthFlags::default()
        };
        assert_eq!(of(HealthStatus::Draining, ejected), HealthStatus::Unhealthy);
        assert_eq!(of(HealthStatus::Draining, slow), HealthStatus::Draining);
        assert_eq!(of(HealthStatus::Healthy, slow), HealthStatus::Degraded);
    }
}
