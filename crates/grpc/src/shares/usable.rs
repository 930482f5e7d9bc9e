//! Which hosts of an assignment take requests.

use spillgate_core::model::{Endpoint, Health, HealthStatus};

/// Whether a host takes requests: only those with status HEALTHY or UNKNOWN do (A27). A DRAINING host
/// keeps its sessions (A75) and gets no other requests.
///
/// The client runs no health checks. The flags of an Envoy count only as far as the client would find
/// out the same: a host that service discovery removed is gone, and a host that fails Envoy's health
/// checks counts as one that accepts no connections, see [`reachable`].
#[must_use]
pub fn serves(endpoint: &Endpoint) -> bool {
    is_eligible(endpoint.health) && reachable(endpoint.health)
}

/// Whether the client counts as connected to the host: not if it fails Envoy's active health checks.
#[must_use]
pub const fn reachable(health: Health) -> bool {
    !health.flags.failed_active_hc
}

/// Whether the client hands the host to the policies below its priority policy.
pub(super) const fn is_eligible(health: Health) -> bool {
    matches!(health.status, HealthStatus::Unknown | HealthStatus::Healthy)
        && !health.flags.pending_dynamic_removal
}

/// Whether the client reads the host at all. The others can't make an assignment invalid.
pub(super) const fn is_read(health: Health) -> bool {
    is_eligible(health) || matches!(health.status, HealthStatus::Draining)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_healthy_and_unknown_hosts_serve() {
        let served = HealthStatus::ALL.into_iter().filter(|status| {
            serves(&Endpoint {
                health: Health::from_status(*status),
                ..Endpoint::default()
            })
        });
        let expected = [HealthStatus::Unknown, HealthStatus::Healthy];
        assert!(served.eq(expected));
    }

    #[test]
    fn the_degraded_flag_of_an_envoy_means_nothing_to_grpc() {
        let mut endpoint = Endpoint::default();
        endpoint.health.flags.degraded_active_hc = true;
        endpoint.health.flags.failed_outlier_check = true;
        assert!(serves(&endpoint));
        endpoint.health.flags.failed_active_hc = true;
        assert!(!serves(&endpoint));
    }
}
