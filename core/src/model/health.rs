//! Health of a host: Envoy's status and flags, and the coarse class that balancing uses.

/// `core.v3.HealthStatus`, as EDS or a static assignment gives it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum HealthStatus {
    /// Nothing is said; counts as healthy.
    #[default]
    Unknown,
    /// Usable.
    Healthy,
    /// Not usable.
    Unhealthy,
    /// On its way out: not usable, and no longer part of its priority's size.
    Draining,
    /// Its check timed out; not usable.
    Timeout,
    /// Usable when the healthy hosts cannot take everything.
    Degraded,
}

impl HealthStatus {
    /// Every status, in the order of the proto enum.
    pub const ALL: [Self; 6] = [
        Self::Unknown,
        Self::Healthy,
        Self::Unhealthy,
        Self::Draining,
        Self::Timeout,
        Self::Degraded,
    ];

    /// The name of the proto enum value.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unknown => "UNKNOWN",
            Self::Healthy => "HEALTHY",
            Self::Unhealthy => "UNHEALTHY",
            Self::Draining => "DRAINING",
            Self::Timeout => "TIMEOUT",
            Self::Degraded => "DEGRADED",
        }
    }

    /// The status of that proto name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == name)
    }
}

/// Envoy's host health flags, apart from those that repeat the EDS status.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct HealthFlags {
    /// An active health check failed.
    pub failed_active_hc: bool,
    /// Outlier detection ejected it.
    pub failed_outlier_check: bool,
    /// An active health check answered "degraded".
    pub degraded_active_hc: bool,
    /// No active health check has finished yet and new hosts wait for one.
    pub pending_active_hc: bool,
    /// An immediate failure of a health check took it out of the priority's size.
    pub excluded_via_immediate_hc_fail: bool,
    /// Discovery dropped it while it still passes its checks; it stays in use.
    pub pending_dynamic_removal: bool,
}

/// What is known of a host's health.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Health {
    /// What discovery says.
    pub status: HealthStatus,
    /// What Envoy found out by itself.
    pub flags: HealthFlags,
}

/// The class that balancing works with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Coarse {
    /// In normal use.
    Healthy,
    /// In use when healthy hosts do not suffice.
    Degraded,
    /// In use only in panic.
    Unhealthy,
}

impl Health {
    /// Health that rests on the EDS status alone.
    #[must_use]
    pub const fn from_status(status: HealthStatus) -> Self {
        Self {
            status,
            flags: HealthFlags {
                failed_active_hc: false,
                failed_outlier_check: false,
                degraded_active_hc: false,
                pending_active_hc: false,
                excluded_via_immediate_hc_fail: false,
                pending_dynamic_removal: false,
            },
        }
    }

    /// The class of the host: any failure wins over "degraded".
    #[must_use]
    pub const fn coarse(self) -> Coarse {
        let flags = self.flags;
        if flags.failed_active_hc || flags.failed_outlier_check {
            return Coarse::Unhealthy;
        }
        match self.status {
            HealthStatus::Unhealthy | HealthStatus::Draining | HealthStatus::Timeout => {
                Coarse::Unhealthy
            }
            HealthStatus::Degraded => Coarse::Degraded,
            HealthStatus::Unknown | HealthStatus::Healthy => {
                if flags.degraded_active_hc {
                    Coarse::Degraded
                } else {
                    Coarse::Healthy
                }
            }
        }
    }

    /// Whether the host is left out of its priority's size, whatever its class.
    #[must_use]
    pub const fn excluded(self) -> bool {
        self.flags.pending_active_hc
            || self.flags.excluded_via_immediate_hc_fail
            || matches!(self.status, HealthStatus::Draining)
    }
}
