//! The entries of Envoy's event log of health checks.

use core::fmt;

/// `envoy.data.core.v3.HealthCheckFailureType`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckFailureType {
    /// `ACTIVE`: the check got an answer that does not pass.
    Active,
    /// `PASSIVE`: a response to a request had the header `x-envoy-immediate-health-check-fail`.
    Passive,
    /// `NETWORK`: the connection failed.
    Network,
    /// `NETWORK_TIMEOUT`: no answer in time.
    NetworkTimeout,
}

impl CheckFailureType {
    /// The name of the proto enum value.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Active => "ACTIVE",
            Self::Passive => "PASSIVE",
            Self::Network => "NETWORK",
            Self::NetworkTimeout => "NETWORK_TIMEOUT",
        }
    }

    /// Whether it counts towards `unhealthy_threshold` in any case.
    pub(super) const fn is_network(self) -> bool {
        matches!(self, Self::Network | Self::NetworkTimeout)
    }
}

/// `envoy.data.core.v3.HealthCheckEvent.event`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckLogEvent {
    /// `eject_unhealthy_event`: the host became unhealthy.
    EjectUnhealthy {
        /// The last failure.
        failure: CheckFailureType,
        /// The HTTP status; 0 without a response.
        status: u16,
    },
    /// `add_healthy_event`: the host became healthy.
    AddHealthy {
        /// Whether its first check made it healthy.
        first_check: bool,
    },
    /// `successful_health_check_event`: a success without a change, with `always_log_health_check_success`.
    Success,
    /// `health_check_failure_event`: the first check failed, or any with `always_log_health_check_failures`.
    Failure {
        /// The failure.
        failure: CheckFailureType,
        /// Whether it is the first check.
        first_check: bool,
        /// The HTTP status; 0 without a response.
        status: u16,
    },
    /// `degraded_healthy_host`: the host became degraded.
    Degraded,
    /// `no_longer_degraded_host`: the host is no longer degraded.
    NoLongerDegraded,
}

impl CheckLogEvent {
    /// The name of the proto field.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::EjectUnhealthy { .. } => "eject_unhealthy_event",
            Self::AddHealthy { .. } => "add_healthy_event",
            Self::Success => "successful_health_check_event",
            Self::Failure { .. } => "health_check_failure_event",
            Self::Degraded => "degraded_healthy_host",
            Self::NoLongerDegraded => "no_longer_degraded_host",
        }
    }
}

/// The entries that one check writes, in order: at most two.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct CheckEvents([Option<CheckLogEvent>; 2]);

impl CheckEvents {
    /// The entries.
    pub fn iter(&self) -> impl Iterator<Item = CheckLogEvent> + '_ {
        self.0.iter().flatten().copied()
    }

    pub(super) fn add(&mut self, event: CheckLogEvent) {
        if let Some(free) = self.0.iter_mut().find(|entry| entry.is_none()) {
            *free = Some(event);
        }
    }
}

impl fmt::Debug for CheckEvents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
