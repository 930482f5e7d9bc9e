//! Settings of policies: request counts, slow start, drop overload, bounded load.

use core::time::Duration;

/// Envoy's default for the number of hosts that `LEAST_REQUEST` compares
/// (`LeastRequest.choice_count`).
pub const DEFAULT_CHOICE_COUNT: u32 = 2;

/// The most hosts that `LEAST_REQUEST` draws for a request. Envoy draws any number, which takes
/// seconds. Among up to 29,000 hosts, further draws change no share by more than the precision of a
/// 64-bit float: they miss a host with a probability below 2^-52.
pub const MOST_CHOICES: u32 = 1 << 20;

/// Settings of `LEAST_REQUEST`
/// (`envoy.extensions.load_balancing_policies.least_request.v3.LeastRequest`).
///
/// With equal weights, [`selection`](Self::selection) applies. With different weights, an EDF
/// scheduler picks hosts by the weight `weight / (active_requests + 1)^active_request_bias`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LeastRequestConfig {
    /// How hosts of equal weight are compared.
    pub selection: SelectionMethod,
    /// The exponent of `active_requests + 1`: 0 keeps the plain weight. Finite, at least 0; default
    /// 1.
    active_request_bias: f64,
}

/// How a host with few active requests is selected (`LeastRequest.SelectionMethod`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SelectionMethod {
    /// `N_CHOICES`: the best of this many random hosts, with repetition; at least 2, default 2
    /// (`choice_count`). A request draws at most [`MOST_CHOICES`].
    Choices(u32),
    /// `FULL_SCAN`: the best of all hosts; a random one if several are equal.
    FullScan,
}

impl LeastRequestConfig {
    /// A negative, infinite or NaN bias becomes 1, as in Envoy.
    ///
    /// # Examples
    /// ```
    /// use spillgate_core::model::{LeastRequestConfig, SelectionMethod};
    ///
    /// let config = LeastRequestConfig::new(SelectionMethod::FullScan, -1.0);
    /// assert_eq!(config.active_request_bias(), 1.0);
    /// ```
    #[must_use]
    pub fn new(selection: SelectionMethod, active_request_bias: f64) -> Self {
        let legal = active_request_bias.is_finite() && active_request_bias >= 0.0;
        Self {
            selection,
            active_request_bias: if legal { active_request_bias } else { 1.0 },
        }
    }

    /// The exponent of `active_requests + 1`, at least 0.
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

/// Slow start (`SlowStartConfig`): a newly healthy host gets fewer requests at first. Only
/// `ROUND_ROBIN` and `LEAST_REQUEST` support it.
///
/// The host weight is multiplied by `max((elapsed / window)^(1 / aggression), min_weight_percent /
/// 100)`, see [`slow_start_factor`](crate::pick::slow_start_factor).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SlowStart {
    window: Duration,
    aggression: f64,
    min_weight_percent: f64,
}

/// How long a host has been healthy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HealthyFor {
    /// The priority of the host, from 0.
    pub priority: usize,
    /// The index of the host in the priority.
    pub host: usize,
    /// The time since it became healthy.
    pub time: Duration,
}

impl SlowStart {
    /// `None` for a window of 0, which disables slow start. `aggression` must be above 0 and
    /// `min_weight_percent` from 0 to 100; other values become Envoy's defaults, 1 and 10.
    ///
    /// # Examples
    /// ```
    /// use core::time::Duration;
    /// use spillgate_core::model::SlowStart;
    ///
    /// let slow_start = SlowStart::new(Duration::from_secs(60), 1.0, 500.0).unwrap();
    /// assert_eq!(slow_start.min_weight_percent(), 10.0);
    /// assert!(SlowStart::new(Duration::ZERO, 1.0, 10.0).is_none());
    /// ```
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

    /// The duration of slow start (`slow_start_window`).
    #[must_use]
    pub const fn window(&self) -> Duration {
        self.window
    }

    /// The exponent of the curve is `1 / aggression`; above 0, default 1 (`aggression`).
    #[must_use]
    pub const fn aggression(&self) -> f64 {
        self.aggression
    }

    /// The minimum weight in percent of the full weight, 0 to 100; default 10
    /// (`min_weight_percent`).
    #[must_use]
    pub const fn min_weight_percent(&self) -> f64 {
        self.min_weight_percent
    }
}

/// The share of requests that is dropped before a host is chosen
/// (`ClusterLoadAssignment.Policy.drop_overloads`), in millionths. Envoy answers dropped requests
/// with 503 and the response flag `DO`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DropOverload(u32);

impl DropOverload {
    /// Caps at 1,000,000, which drops all requests.
    #[must_use]
    pub const fn from_millionths(millionths: u32) -> Self {
        Self(if millionths < 1_000_000 {
            millionths
        } else {
            1_000_000
        })
    }

    /// The dropped share in millionths, 0 to 1,000,000.
    #[must_use]
    pub const fn millionths(self) -> u32 {
        self.0
    }
}

/// The limit of a host's active requests in percent of the average, at least 100
/// (`ConsistentHashingLbConfig.hash_balance_factor`). Hash policies pass over hosts above the
/// limit, see [`bounded`](crate::pick::bounded).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HashBalanceFactor(u32);

impl HashBalanceFactor {
    /// `None` below 100, which Envoy rejects.
    #[must_use]
    pub const fn new(percent: u32) -> Option<Self> {
        if percent >= 100 {
            Some(Self(percent))
        } else {
            None
        }
    }

    /// The factor in percent, at least 100.
    #[must_use]
    pub const fn percent(self) -> u32 {
        self.0
    }
}
