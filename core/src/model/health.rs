//! Host health: the EDS status, Envoy's health flags, and the coarse health that load balancing
//! uses.
//!
//! Coarse health (`Host::coarseHealth` in Envoy):
//!
//! | health | coarse health | excluded |
//! |---|---|---|
//! | `UNKNOWN`, `HEALTHY` | healthy | no |
//! | `DEGRADED`, or degraded by an active health check | degraded | no |
//! | `UNHEALTHY`, `TIMEOUT` | unhealthy | no |
//! | `DRAINING` | unhealthy | yes |
//! | failed active health check, or ejected by outlier detection | unhealthy | no |
//!
//! Excluded hosts do not count in the size of their priority: with 2 healthy and 8 draining hosts
//! the priority keeps 100 percent availability.

/// The health status of EDS or of a static assignment (`envoy.config.core.v3.HealthStatus`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum HealthStatus {
    /// `UNKNOWN`, the default; counts as healthy.
    #[default]
    Unknown,
    /// `HEALTHY`.
    Healthy,
    /// `UNHEALTHY`; used only in panic mode.
    Unhealthy,
    /// `DRAINING`; used only in panic mode, and excluded from the size of its priority.
    Draining,
    /// `TIMEOUT`: the health check timed out; used only in panic mode.
    Timeout,
    /// `DEGRADED`: used if the healthy hosts of all priorities cannot take all requests.
    Degraded,
}

impl HealthStatus {
    /// All statuses in the order of the proto enum.
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

    /// The status with this proto enum name; `None` for other names, and for names in lower case.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == name)
    }
}

/// Envoy's host health flags (`Host::HealthFlag`), without the flags that repeat the EDS status.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct HealthFlags {
    /// `FAILED_ACTIVE_HC`: an active health check failed.
    pub failed_active_hc: bool,
    /// `FAILED_OUTLIER_CHECK`: outlier detection ejected the host.
    pub failed_outlier_check: bool,
    /// `DEGRADED_ACTIVE_HC`: an active health check reported the host as degraded.
    pub degraded_active_hc: bool,
    /// `PENDING_ACTIVE_HC`: the first active health check has not completed
    /// (`ignore_new_hosts_until_first_hc`). The host is excluded.
    pub pending_active_hc: bool,
    /// `EXCLUDED_VIA_IMMEDIATE_HC_FAIL`: an immediate health-check failure excludes the host.
    pub excluded_via_immediate_hc_fail: bool,
    /// `PENDING_DYNAMIC_REMOVAL`: EDS removed the host, but its active health checks still pass.
    /// The host stays in use.
    pub pending_dynamic_removal: bool,
}

impl HealthFlags {
    /// The names in `/clusters`, in the order of the bits.
    pub const NAMES: [&'static str; 6] = [
        "failed_active_hc",
        "failed_outlier_check",
        "degraded_active_hc",
        "pending_active_hc",
        "excluded_via_immediate_hc_fail",
        "pending_dynamic_removal",
    ];

    /// One bit per flag, in the order of the fields. Links and shared data have these bits, so the
    /// order never changes.
    #[must_use]
    pub const fn bits(self) -> u8 {
        // Every field is named, so that a new one cannot be missed.
        let Self {
            failed_active_hc,
            failed_outlier_check,
            degraded_active_hc,
            pending_active_hc,
            excluded_via_immediate_hc_fail,
            pending_dynamic_removal,
        } = self;
        failed_active_hc as u8
            | (failed_outlier_check as u8) << 1
            | (degraded_active_hc as u8) << 2
            | (pending_active_hc as u8) << 3
            | (excluded_via_immediate_hc_fail as u8) << 4
            | (pending_dynamic_removal as u8) << 5
    }

    /// The flags of these bits; other bits have no effect.
    #[must_use]
    pub const fn from_bits(bits: u8) -> Self {
        Self {
            failed_active_hc: bits & 1 != 0,
            failed_outlier_check: bits & 1 << 1 != 0,
            degraded_active_hc: bits & 1 << 2 != 0,
            pending_active_hc: bits & 1 << 3 != 0,
            excluded_via_immediate_hc_fail: bits & 1 << 4 != 0,
            pending_dynamic_removal: bits & 1 << 5 != 0,
        }
    }

    /// Sets the flag with one of the [`NAMES`](Self::NAMES), and returns whether there is one.
    pub fn set(&mut self, name: &str) -> bool {
        let bit = Self::NAMES.iter().position(|known| *known == name);
        *self = Self::from_bits(self.bits() | bit.map_or(0, |bit| 1 << bit));
        bit.is_some()
    }

    /// The names of the flags that are set.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        let named = Self::NAMES.into_iter().enumerate();
        named.filter_map(move |(bit, name)| (self.bits() >> bit & 1 == 1).then_some(name))
    }
}

/// The health of a host.
///
/// # Examples
/// ```
/// use spillgate_core::model::{CoarseHealth, Health, HealthStatus};
///
/// let draining = Health::from_status(HealthStatus::Draining);
/// assert_eq!(draining.coarse(), CoarseHealth::Unhealthy);
/// assert!(draining.excluded());
///
/// // A host without a status is healthy.
/// assert_eq!(Health::default().coarse(), CoarseHealth::Healthy);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Health {
    /// The configured status.
    pub status: HealthStatus,
    /// The flags from health checks and outlier detection.
    pub flags: HealthFlags,
}

/// The coarse health of a host (`Host::Health` in Envoy).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CoarseHealth {
    /// Healthy hosts serve first.
    Healthy,
    /// Degraded hosts serve if the healthy hosts of all priorities cannot take all requests.
    Degraded,
    /// Unhealthy hosts serve only in panic mode.
    Unhealthy,
}

impl CoarseHealth {
    /// The name: `healthy`, `degraded` or `unhealthy`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Healthy => "healthy",
            Self::Degraded => "degraded",
            Self::Unhealthy => "unhealthy",
        }
    }
}

impl Health {
    /// Health from the EDS status alone, without flags.
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

    /// The same health after a failed active health check. A draining host stays excluded.
    #[must_use]
    pub const fn failed(self) -> Self {
        Self {
            flags: HealthFlags {
                failed_active_hc: true,
                ..self.flags
            },
            ..self
        }
    }

    /// The coarse health. A failure flag or status wins over a degraded flag.
    #[must_use]
    pub const fn coarse(self) -> CoarseHealth {
        let flags = self.flags;
        if flags.failed_active_hc || flags.failed_outlier_check {
            return CoarseHealth::Unhealthy;
        }
        match self.status {
            HealthStatus::Unhealthy | HealthStatus::Draining | HealthStatus::Timeout => {
                CoarseHealth::Unhealthy
            }
            HealthStatus::Degraded => CoarseHealth::Degraded,
            HealthStatus::Unknown | HealthStatus::Healthy => {
                if flags.degraded_active_hc {
                    CoarseHealth::Degraded
                } else {
                    CoarseHealth::Healthy
                }
            }
        }
    }

    /// The status with the same effect without flags, preferably the configured one; `None` for a usable host that is
    /// excluded.
    #[must_use]
    pub fn equivalent_status(self) -> Option<HealthStatus> {
        let is_same = |status: &HealthStatus| {
            let with = Self::from_status(*status);
            with.coarse() == self.coarse() && with.excluded() == self.excluded()
        };
        let mut candidates = [self.status].into_iter().chain(HealthStatus::ALL);
        candidates.find(is_same)
    }

    /// The status that a configuration has for this health: the equivalent one, or else one of the same coarse health.
    #[must_use]
    pub fn nearest_status(self) -> HealthStatus {
        let is_same = |status: &HealthStatus| Self::from_status(*status).coarse() == self.coarse();
        let nearest = || HealthStatus::ALL.into_iter().find(is_same);
        let status = self.equivalent_status().or_else(nearest);
        status.unwrap_or(self.status)
    }

    /// Whether the host is excluded from the size of its priority, whatever its coarse health.
    #[must_use]
    pub const fn excluded(self) -> bool {
        self.flags.pending_active_hc
            || self.flags.excluded_via_immediate_hc_fail
            || matches!(self.status, HealthStatus::Draining)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_flag_has_its_name_and_its_bit() {
        for (at, name) in HealthFlags::NAMES.into_iter().enumerate() {
            let mut flags = HealthFlags::default();
            assert!(flags.set(name));
            assert_eq!(flags.bits(), 1 << at, "{name}");
            assert_eq!(HealthFlags::from_bits(flags.bits()), flags);
            assert!(flags.names().eq([name]));
        }
        // Of several flags, each stays.
        for bits in 0..1 << HealthFlags::NAMES.len() {
            assert_eq!(HealthFlags::from_bits(bits).bits(), bits);
        }
        assert!(!HealthFlags::default().set("unknown"));
    }
}
