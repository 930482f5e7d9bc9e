//! Shares of requests, compared with the random number of a request.

/// A share of requests (`envoy.type.v3.FractionalPercent`): those whose random number modulo the
/// denominator is less than the numerator.
///
/// # Examples
/// ```
/// use spillgate_core::route::{FractionDenominator, FractionalPercent};
///
/// let third = FractionalPercent::new(30, FractionDenominator::Hundred);
/// assert!(third.contains(129));
/// assert!(!third.contains(130));
/// assert!(FractionalPercent::new(100, FractionDenominator::Hundred).is_always());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FractionalPercent {
    /// The numerator; from the denominator on, all requests are meant.
    pub numerator: u32,
    /// The denominator.
    pub denominator: FractionDenominator,
}

/// The denominator of a share (`FractionalPercent.DenominatorType`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum FractionDenominator {
    /// 100, the default.
    #[default]
    Hundred,
    /// 10,000.
    TenThousand,
    /// 1,000,000.
    Million,
}

impl FractionDenominator {
    /// The number.
    #[must_use]
    pub const fn number(self) -> u32 {
        match self {
            Self::Hundred => 100,
            Self::TenThousand => 10_000,
            Self::Million => 1_000_000,
        }
    }
}

impl FractionalPercent {
    /// A share.
    #[must_use]
    pub const fn new(numerator: u32, denominator: FractionDenominator) -> Self {
        Self {
            numerator,
            denominator,
        }
    }

    /// Whether a request with this random number belongs to the share.
    #[must_use]
    pub fn contains(&self, number: u64) -> bool {
        let rest = number.checked_rem(self.denominator.number().into());
        rest.is_some_and(|rest| rest < self.numerator.into())
    }

    /// Whether no request belongs to the share.
    #[must_use]
    pub const fn is_never(&self) -> bool {
        self.numerator == 0
    }

    /// Whether every request belongs to the share.
    #[must_use]
    pub const fn is_always(&self) -> bool {
        self.numerator >= self.denominator.number()
    }
}
