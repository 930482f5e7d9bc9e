//! The entries of Envoy's event log of outlier detection, and ejections that the limit prevents.

use core::time::Duration;

/// `envoy.data.cluster.v3.OutlierEjectionType`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum OutlierEjectionType {
    /// `CONSECUTIVE_5XX`.
    Consecutive5xx,
    /// `CONSECUTIVE_GATEWAY_FAILURE`.
    ConsecutiveGatewayFailure,
    /// `SUCCESS_RATE`.
    SuccessRate,
    /// `CONSECUTIVE_LOCAL_ORIGIN_FAILURE`.
    ConsecutiveLocalOriginFailure,
    /// `SUCCESS_RATE_LOCAL_ORIGIN`.
    SuccessRateLocalOrigin,
    /// `FAILURE_PERCENTAGE`.
    FailurePercentage,
    /// `FAILURE_PERCENTAGE_LOCAL_ORIGIN`.
    FailurePercentageLocalOrigin,
}

impl OutlierEjectionType {
    /// The name of the proto enum value.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Consecutive5xx => "CONSECUTIVE_5XX",
            Self::ConsecutiveGatewayFailure => "CONSECUTIVE_GATEWAY_FAILURE",
            Self::SuccessRate => "SUCCESS_RATE",
            Self::ConsecutiveLocalOriginFailure => "CONSECUTIVE_LOCAL_ORIGIN_FAILURE",
            Self::SuccessRateLocalOrigin => "SUCCESS_RATE_LOCAL_ORIGIN",
            Self::FailurePercentage => "FAILURE_PERCENTAGE",
            Self::FailurePercentageLocalOrigin => "FAILURE_PERCENTAGE_LOCAL_ORIGIN",
        }
    }

    /// Whether failures in a row lead to it; the others compare hosts in a sweep.
    #[must_use]
    pub const fn is_consecutive(self) -> bool {
        matches!(
            self,
            Self::Consecutive5xx
                | Self::ConsecutiveGatewayFailure
                | Self::ConsecutiveLocalOriginFailure
        )
    }

    /// The setting with its percentage of ejections.
    #[must_use]
    pub const fn enforcing_field(self) -> &'static str {
        match self {
            Self::Consecutive5xx => "enforcing_consecutive_5xx",
            Self::ConsecutiveGatewayFailure => "enforcing_consecutive_gateway_failure",
            Self::SuccessRate => "enforcing_success_rate",
            Self::ConsecutiveLocalOriginFailure => "enforcing_consecutive_local_origin_failure",
            Self::SuccessRateLocalOrigin => "enforcing_local_origin_success_rate",
            Self::FailurePercentage => "enforcing_failure_percentage",
            Self::FailurePercentageLocalOrigin => "enforcing_failure_percentage_local_origin",
        }
    }
}

/// A change of a host, or a finding without one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OutlierEvent {
    /// The index of the host.
    pub host: usize,
    /// What happened.
    pub action: EjectionAction,
}

/// What happened to a host. Only [`Eject`](Self::Eject), [`Uneject`](Self::Uneject), [`Degrade`](Self::Degrade) and
/// [`Undegrade`](Self::Undegrade) change its health.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum EjectionAction {
    /// `EJECT` with `enforced: true`: the host is ejected.
    Eject {
        /// The finding.
        kind: OutlierEjectionType,
        /// How often it has been ejected, including this time.
        num_ejections: u32,
        /// The time after which the next sweep ends the ejection: multiple of the base time, limit and jitter applied.
        duration: Duration,
    },
    /// `EJECT` with `enforced: false`: the draw of the enforcing percentage prevented it.
    NotEnforced(OutlierEjectionType),
    /// `max_ejection_percent` prevented it. Envoy only counts this, in `ejections_overflow`.
    Overflow(OutlierEjectionType),
    /// `UNEJECT`: the ejection is over.
    Uneject,
    /// The host is degraded, by `detect_degraded_hosts`.
    Degrade {
        /// The time after which the next sweep ends it.
        duration: Duration,
    },
    /// The host is no longer degraded.
    Undegrade,
}

/// The success rates of the last sweep: what `cluster.outlier_detection` reports of a cluster.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OutlierRates {
    /// The mean success rate in percent.
    pub average: f64,
    /// Hosts with a success rate below this one are outliers. It can be negative.
    pub threshold: f64,
}
