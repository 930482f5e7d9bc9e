//! The state of one host in a simulation.

use core::time::Duration;

use spillgate_core::model::{Health, HealthFlags};
use spillgate_health::{check::HostChecks, outlier::OutlierEjectionType};

use super::{arrivals::Arrivals, in_flight::InFlight, outcomes::Outcomes, timeouts::TimeoutRows};
use crate::{script::HostBehavior, traffic::Outlook};

/// How Envoy noticed that a host fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DetectionCause {
    /// Active health checks failed.
    ActiveCheck,
    /// Outlier detection ejected it.
    Outlier(OutlierEjectionType),
}

/// Since when slow start counts the time of a host (`lastHcPassTime`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HealthySince {
    /// It is new.
    New,
    /// Its checks fail.
    ChecksFail,
    /// Longer than each window.
    LongAgo,
    /// From this time on.
    Time(Duration),
}

/// A host.
#[derive(Debug, Clone)]
pub(super) struct HostRun {
    /// Its health without what the simulation decides.
    pub(super) base: Health,
    pub(super) behavior: Option<HostBehavior>,
    pub(super) outlook: Outlook,
    /// Whether EDS has it.
    pub(super) is_listed: bool,
    /// Whether it is in the host set: one that EDS removed stays while its checks pass.
    pub(super) is_member: bool,
    pub(super) checks: Option<HostChecks>,
    pub(super) is_ejected: bool,
    pub(super) is_degraded: bool,
    /// Its index in outlier detection.
    pub(super) index: usize,
    pub(super) arrivals: Arrivals,
    pub(super) outcomes: Outcomes,
    /// The rows of its timeouts, if requests arrive at random.
    pub(super) timeouts: Option<TimeoutRows>,
    /// Its attempts from before its behavior changed.
    pub(super) in_flight: InFlight,
    /// Changes with each plan for its row of failures.
    pub(super) version: u32,
    /// Since when slow start counts its time.
    pub(super) healthy_since: HealthySince,
    /// When it first failed.
    pub(super) failing_since: Option<Duration>,
    /// When Envoy first noticed a failure.
    pub(super) detected: Option<(Duration, DetectionCause)>,
}

impl HostRun {
    /// Its health as the main thread of Envoy knows it.
    pub(super) fn health(&self) -> Health {
        let checks = self.checks.as_ref().map(HostChecks::flags);
        let base = self.base.flags;
        let flags = checks.unwrap_or(base);
        Health {
            flags: HealthFlags {
                failed_outlier_check: self.is_ejected || base.failed_outlier_check,
                degraded_active_hc: flags.degraded_active_hc || self.is_degraded,
                pending_dynamic_removal: self.is_member && !self.is_listed,
                ..flags
            },
            ..self.base
        }
    }

    /// How it behaves with this behavior of the script. If its checks fail in the input, it keeps failing.
    pub(super) fn behaves(&self, scripted: Option<HostBehavior>) -> Option<HostBehavior> {
        let failed = self.base.flags.failed_active_hc;
        scripted.or(failed.then_some(HostBehavior::Refuse))
    }

    /// Whether its responses say that it is degraded.
    pub(super) fn reports_degraded(&self) -> bool {
        self.behavior == Some(HostBehavior::Degraded)
    }

    /// Whether requests to it can fail.
    pub(super) fn fails(&self) -> bool {
        self.outlook.fails > 0.0
    }

    /// Whether it waits to be noticed.
    pub(super) const fn is_unnoticed(&self) -> bool {
        self.failing_since.is_some() && self.detected.is_none()
    }
}
