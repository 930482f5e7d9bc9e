//! Host weights.

use core::num::NonZeroU32;

/// A load balancing weight, 1 to 2^32-1 (`LbEndpoint.load_balancing_weight`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Weight(NonZeroU32);

impl Weight {
    /// The weight of a host that states none.
    pub const ONE: Self = Self(NonZeroU32::MIN);

    /// `None` for 0, which Envoy refuses.
    #[must_use]
    pub const fn new(weight: u32) -> Option<Self> {
        match NonZeroU32::new(weight) {
            Some(weight) => Some(Self(weight)),
            None => None,
        }
    }

    /// The plain number.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0.get()
    }
}

impl Default for Weight {
    fn default() -> Self {
        Self::ONE
    }
}
