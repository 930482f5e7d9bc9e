//! Settings that bend a policy: request counts, slow start, dropped overload.

use core::time::Duration;

/// Envoy's default number of hosts that `LEAST_REQUEST` compares.
pub const DEFAULT_CHOICE_COUNT: u32 = 2;

/// Settings of `LEAST_REQUEST` (`least_request.v3.LeastRequest`).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LeastRequestConfig {
    /// How equally weighted hosts are compared.
    pub selection: SelectionMethod,
    /// With different weights: the weight is divided by `(active + 1)` to this power; 0 leaves
    /// it alone. Finite and not negative.
    active_request_bias: f64,
}

/// How a host with few requests is sought (`LeastRequest.SelectionMethod`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SelectionMethod {
    /// The best of this many random choices, at least 2, with repetition.
    Choices(u32),
    /// The best of all; among equals a random one.
    FullScan,
}

impl LeastRequestConfig {
    /// A bias that is negative or not a number becomes 1, as Envoy replaces it.
    #[must_use]
    pub fn new(selection: SelectionMethod, active_request_bias: f64) -> Self {
        let legal = active_request_bias.is_finite() && active_request_bias >= 0.0;
        Self {
            selection,
            active_request_bias: if legal { active_request_bias } else { 1.0 },
        }
    }

    /// The power of `(active + 1)`.
    #[must_use]
    pub const fn active_request_bias(&self) -> f64 {
        self.active_request_bias
    }
}

impl Default for LeastRequestConfig {
    fn default() -> Self {
        Self::new(SelectionMethod::Choices(DEFAULT_CHOICE_COUNT), 1.0)
    }
}

/// A host that has just become healthy gets less at first (`SlowStartConfig`). `ROUND_ROBIN` and
/// `LEAST_REQUEST` know it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SlowStart {
    window: Duration,
    aggression: f64,
    min_weight_percent: f64,
}

impl SlowStart {
    /// `None` for a window of 0, which switches slow start off. `aggression` must be above 0 and
    /// `min_weight_percent` from 0 to 100; what is not becomes Envoy's default, 1 and 10.
    #[must_use]
    pub fn new(window: Duration, aggression: f64, min_weight_percent: f64) -> Option<Self> {
        let (aggressive, percent) = (
            aggression.is_finite() && aggression > 0.0,
            (0.0..=100.0).contains(&min_weight_percent),
        );
        (!window.is_zero()).then_some(Self {
            window,
            aggression: if aggressive { aggression } else { 1.0 },
            min_weight_percent: if percent { min_weight_percent } else { 10.0 },
        })
    }

    /// How long it lasts.
    #[must_use]
    pub const fn window(&self) -> Duration {
        self.window
    }

    /// The bend of the curve: the weight grows by the elapsed part to the power of 1/aggression.
    #[must_use]
    pub const fn aggression(&self) -> f64 {
        self.aggression
    }

    /// The least part of its weight that a host has, in percent.
    #[must_use]
    pub const fn min_weight_percent(&self) -> f64 {
        self.min_weight_percent
    }
}

/// How many requests are refused before a host is chosen
/// (`ClusterLoadAssignment.Policy.drop_overloads`), in millionths.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DropOverload(u32);

impl DropOverload {
    /// Caps at all of them.
    #[must_use]
    pub const fn from_millionths(millionths: u32) -> Self {
        Self(if millionths < 1_000_000 {
            millionths
        } else {
            1_000_000
        })
    }

    /// Millionths of the requests, 0 to 1,000,000.
    #[must_use]
    pub const fn millionths(self) -> u32 {
        self.0
    }
}

/// How far a host may be above the average number of active requests before hash policies pass it
/// over (`ConsistentHashingLbConfig.hash_balance_factor`), in percent, at least 100.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HashBalanceFactor(u32);

impl HashBalanceFactor {
    /// `None` below 100, which Envoy refuses.
    #[must_use]
    pub const fn new(percent: u32) -> Option<Self> {
        if percent >= 100 {
            Some(Self(percent))
        } else {
            None
        }
    }

    /// The factor in percent.
    #[must_use]
    pub const fn percent(self) -> u32 {
        self.0
    }
}
