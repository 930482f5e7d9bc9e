//! The effective weights of localities under locality-weighted load balancing.

use crate::model::OverprovisioningFactor;

/// The values that the effective weight of a locality depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LocalityHealth {
    /// The configured locality weight; 0 if not configured.
    pub weight: u32,
    /// The number of hosts of the class that is served, healthy or degraded.
    pub eligible: u32,
    /// The number of all hosts.
    pub total: u32,
    /// The number of excluded hosts.
    pub excluded: u32,
}

impl LocalityHealth {
    /// `weight * min(1, factor * eligible / counted)`; 0 for a locality without counted hosts. The
    /// operations have Envoy's order (`LocalityWrr::effectiveLocalityWeight`), because their
    /// rounding can change a pick.
    ///
    /// # Examples
    /// ```
    /// use spillgate_core::load::LocalityHealth;
    /// use spillgate_core::model::OverprovisioningFactor;
    ///
    /// let locality = LocalityHealth { weight: 100, eligible: 1, total: 2, excluded: 0 };
    /// assert_eq!(locality.effective_weight(OverprovisioningFactor::DEFAULT), 70.0);
    /// ```
    #[must_use]
    pub fn effective_weight(&self, factor: OverprovisioningFactor) -> f64 {
        let counted = self.total.saturating_sub(self.excluded);
        if counted == 0 {
            return 0.0;
        }
        // Two quotients and their product, as in Envoy: one quotient of the products would round
        // differently.
        let availability = 1.0 * f64::from(self.eligible) / f64::from(counted);
        let overprovisioned = f64::from(factor.0) / 100.0 * availability;
        f64::from(self.weight) * f64::min(1.0, overprovisioned)
    }
}
