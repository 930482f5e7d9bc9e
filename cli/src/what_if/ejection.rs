//! A loss that only outlier detection notices.

use spillgate_config::envoy::facts::HealthSignals;
use spillgate_core::snapshot::HostRef;
use spillgate_sim::Scene;

/// What a loss does if its hosts stay in the assignment, and only outlier detection notices that they
/// fail: it ejects some of them, and the others keep their requests.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub(crate) struct CappedEjection {
    /// The number of hosts that can be ejected.
    pub(crate) ejected: usize,
    /// `max_ejection_percent`.
    pub(crate) max_ejection_percent: u64,
    /// The percentage of the requests that reach the other lost hosts.
    pub(crate) failed: f64,
}

impl CappedEjection {
    /// The effect; `None` if Envoy has another signal, or can eject all lost hosts.
    pub(crate) fn new(scene: &Scene, lost: &[HostRef], signals: &HealthSignals) -> Option<Self> {
        let outlier = signals
            .outlier_detection
            .as_ref()
            .filter(|of| of.enforced && signals.health_checks.is_none())?;
        let most = outlier.most_ejected(scene.hosts().len());
        // Hosts without requests are not ejected.
        let before = scene.shares(scene.snapshot());
        let used: Vec<HostRef> = lost
            .iter()
            .copied()
            .filter(|host| before.shares.iter().any(|share| share.host_ref() == *host))
            .collect();
        if used.len() <= most {
            return None;
        }
        let (ejected, kept) = used.split_at_checked(most)?;
        let after = scene.shares(&scene.without(ejected));
        let reached = after
            .shares
            .iter()
            .filter(|share| kept.contains(&share.host_ref()));
        Some(Self {
            ejected: most,
            max_ejection_percent: outlier.max_ejection_percent,
            failed: reached.fold(0.0, |sum, share| sum + share.share),
        })
    }
}
