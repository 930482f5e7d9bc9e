//! Which states of a host keep a session.

use super::{Health, HealthStatus};

/// A set of health statuses: in one of them a host keeps its sessions
/// (`Cluster.CommonLbConfig.override_host_status`).
///
/// Each status stands for itself: a host without any status is UNKNOWN, which a set of HEALTHY
/// alone does not hold. The empty set keeps no session at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct OverrideStatuses(u8);

impl OverrideStatuses {
    /// UNKNOWN, HEALTHY and DEGRADED: what an unset field means.
    pub const DEFAULT: Self = Self::EMPTY
        .with(HealthStatus::Unknown)
        .with(HealthStatus::Healthy)
        .with(HealthStatus::Degraded);

    /// No status.
    pub const EMPTY: Self = Self(0);

    /// The set and one more status.
    #[must_use]
    pub const fn with(self, status: HealthStatus) -> Self {
        Self(self.0 | Self::bit(status))
    }

    /// Whether a host of this status keeps its sessions.
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
    /// The status that sessions go by: what Envoy found out itself makes a host UNHEALTHY, or
    /// DEGRADED where discovery has nothing against it (`Host::healthStatus`).
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
    fn every_status_stands_for_itself() {
        for status in HealthStatus::ALL {
            let set: OverrideStatuses = [status].into_iter().collect();
            for other in HealthStatus::ALL {
                assert_eq!(set.contains(other), status == other);
            }
        }
    }

    #[test]
    fn what_envoy_finds_out_comes_first() {
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
