//! How much of a priority's traffic each locality gets under locality weights.

use crate::model::OverprovisioningFactor;

/// What the effective weight of a locality depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LocalityHealth {
    /// The configured weight; 0 where there is none.
    pub weight: u32,
    /// Its hosts of the class that is served.
    pub eligible: u32,
    /// All its hosts.
    pub total: u32,
    /// Those left out of its size.
    pub excluded: u32,
}

impl LocalityHealth {
    /// `weight * min(1, factor * eligible / counted)`; 0 for a locality without counted hosts.
    /// The order of the operations is Envoy's (`LocalityWrr::effectiveLocalityWeight`).
    #[must_use]
    pub fn effective_weight(&self, factor: OverprovisioningFactor) -> f64 {
        let counted = self.total.saturating_sub(self.excluded);
        if counted == 0 {
            return 0.0;
        }
        let availability = 1.0 * f64::from(self.eligible) / f64::from(counted);
        let overprovisioned = f64::from(factor.0) / 100.0 * availability;
        f64::from(self.weight) * f64::min(1.0, overprovisioned)
    }
}
