//! Host weights.

use core::num::NonZeroU32;

/// A load-balancing weight, 1 to 2^32-1 (`LbEndpoint.load_balancing_weight`). Within one priority,
/// Envoy rejects weights whose sum exceeds 2^32-1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Weight(NonZeroU32);

impl Weight {
    /// The default weight, 1.
    pub const ONE: Self = Self(NonZeroU32::MIN);

    /// `None` for 0, which Envoy rejects.
    ///
    /// # Examples
    /// ```
    /// use spillgate_core::model::Weight;
    ///
    /// assert_eq!(Weight::new(5).map(Weight::get), Some(5));
    /// assert_eq!(Weight::new(0), None);
    /// ```
    #[must_use]
    pub const fn new(weight: u32) -> Option<Self> {
        match NonZeroU32::new(weight) {
            Some(weight) => Some(Self(weight)),
            None => None,
        }
    }

    /// The weight as a number, at least 1.
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
