//! The settings of outlier detection, with Envoy's defaults.

use core::time::Duration;

use super::OutlierEjectionType;

/// `envoy.config.cluster.v3.OutlierDetection`. The default has Envoy's defaults, which are those of an empty message.
///
/// Durations have a precision of one millisecond, as in Envoy. A percentage is 0 to 100.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutlierDetection {
    /// `consecutive_5xx`: this many 5xx responses in a row eject a host; default 5, and 0 for never.
    pub consecutive_5xx: u32,
    /// `interval`: the time between sweeps; default 10 s.
    pub interval: Duration,
    /// `base_ejection_time`: the duration of the first ejection; default 30 s.
    pub base_ejection_time: Duration,
    /// `max_ejection_percent`: the largest percentage of hosts that are ejected at the same time; default 10.
    pub max_ejection_percent: u32,
    /// `enforcing_consecutive_5xx`; default 100.
    pub enforcing_consecutive_5xx: u32,
    /// `enforcing_success_rate`; default 100.
    pub enforcing_success_rate: u32,
    /// `success_rate_minimum_hosts`: the fewest hosts with enough requests for a mean success rate; default 5.
    pub success_rate_minimum_hosts: u32,
    /// `success_rate_request_volume`: the fewest requests of such a host in an interval; default 100.
    pub success_rate_request_volume: u32,
    /// `success_rate_stdev_factor`: hosts with a success rate of this many thousandths of the standard deviation below
    /// the mean are ejected; default 1900.
    pub success_rate_stdev_factor: u32,
    /// `consecutive_gateway_failure`: this many responses 502, 503 or 504 in a row eject a host; default 5, and 0 for
    /// never.
    pub consecutive_gateway_failure: u32,
    /// `enforcing_consecutive_gateway_failure`; default 0.
    pub enforcing_consecutive_gateway_failure: u32,
    /// `split_external_local_origin_errors`: whether failures without a response have counters of their own; default
    /// false.
    pub split_external_local_origin_errors: bool,
    /// `consecutive_local_origin_failure`: this many failures without a response in a row eject a host, if they are
    /// split; default 5, and 0 for never.
    pub consecutive_local_origin_failure: u32,
    /// `enforcing_consecutive_local_origin_failure`; default 100.
    pub enforcing_consecutive_local_origin_failure: u32,
    /// `enforcing_local_origin_success_rate`; default 100.
    pub enforcing_local_origin_success_rate: u32,
    /// `failure_percentage_threshold`: hosts with at least this percentage of failures are ejected; default 85.
    pub failure_percentage_threshold: u32,
    /// `enforcing_failure_percentage`; default 0.
    pub enforcing_failure_percentage: u32,
    /// `enforcing_failure_percentage_local_origin`; default 0.
    pub enforcing_failure_percentage_local_origin: u32,
    /// `failure_percentage_minimum_hosts`: the fewest hosts with enough requests; default 5.
    pub failure_percentage_minimum_hosts: u32,
    /// `failure_percentage_request_volume`: the fewest requests of such a host in an interval; default 50.
    pub failure_percentage_request_volume: u32,
    /// `max_ejection_time`: no ejection is longer, without jitter; by default 300 s, or `base_ejection_time` if that is
    /// longer. Envoy rejects a value below `base_ejection_time`.
    pub max_ejection_time: Option<Duration>,
    /// `max_ejection_time_jitter`: up to this time is added to each ejection, at random; default 0.
    pub max_ejection_time_jitter: Duration,
    /// `successful_active_health_check_uneject_host`: whether a passing active health check ends the ejection; default
    /// true.
    pub successful_active_health_check_uneject_host: bool,
    /// `always_eject_one_host`: whether one host can be ejected whatever `max_ejection_percent` is; default false.
    pub always_eject_one_host: bool,
    /// `detect_degraded_hosts`: whether a response with `x-envoy-degraded` makes a host degraded; default false.
    pub detect_degraded_hosts: bool,
}

impl Default for OutlierDetection {
    fn default() -> Self {
        Self {
            consecutive_5xx: 5,
            interval: Duration::from_secs(10),
            base_ejection_time: Duration::from_secs(30),
            max_ejection_percent: 10,
            enforcing_consecutive_5xx: 100,
            enforcing_success_rate: 100,
            success_rate_minimum_hosts: 5,
            success_rate_request_volume: 100,
            success_rate_stdev_factor: 1900,
            consecutive_gateway_failure: 5,
            enforcing_consecutive_gateway_failure: 0,
            split_external_local_origin_errors: false,
            consecutive_local_origin_failure: 5,
            enforcing_consecutive_local_origin_failure: 100,
            enforcing_local_origin_success_rate: 100,
            failure_percentage_threshold: 85,
            enforcing_failure_percentage: 0,
            enforcing_failure_percentage_local_origin: 0,
            failure_percentage_minimum_hosts: 5,
            failure_percentage_request_volume: 50,
            max_ejection_time: None,
            max_ejection_time_jitter: Duration::ZERO,
            successful_active_health_check_uneject_host: true,
            always_eject_one_host: false,
            detect_degraded_hosts: false,
        }
    }
}

impl OutlierDetection {
    /// Envoy's default of `max_ejection_time`, if `base_ejection_time` is not longer.
    pub const MAX_EJECTION_TIME: Duration = Duration::from_secs(300);

    /// The longest ejection without jitter.
    #[must_use]
    pub fn longest_ejection(&self) -> Duration {
        let default = Self::MAX_EJECTION_TIME.max(self.base_ejection_time);
        self.max_ejection_time.unwrap_or(default)
    }

    /// The percentage of findings of this type that eject the host.
    #[must_use]
    pub const fn enforcing(&self, kind: OutlierEjectionType) -> u32 {
        use OutlierEjectionType as Type;
        match kind {
            Type::Consecutive5xx => self.enforcing_consecutive_5xx,
            Type::ConsecutiveGatewayFailure => self.enforcing_consecutive_gateway_failure,
            Type::SuccessRate => self.enforcing_success_rate,
            Type::ConsecutiveLocalOriginFailure => self.enforcing_consecutive_local_origin_failure,
            Type::SuccessRateLocalOrigin => self.enforcing_local_origin_success_rate,
            Type::FailurePercentage => self.enforcing_failure_percentage,
            Type::FailurePercentageLocalOrigin => self.enforcing_failure_percentage_local_origin,
        }
    }

    /// Whether another of `hosts` hosts can be ejected while `ejected` are. Envoy compares
    /// `100 * (ejected + 1) / hosts` with the percentage: 10 percent of 9 hosts allow no ejection.
    #[must_use]
    pub fn has_room(&self, ejected: usize, hosts: usize) -> bool {
        let percent = u128::from(self.max_ejection_percent.min(100));
        let fits = 100 * (ejected as u128 + 1) <= percent * hosts as u128;
        hosts > 0 && fits || self.always_eject_one_host && ejected == 0
    }

    /// The duration of an ejection without jitter: `multiplier` times `base_ejection_time`, at most
    /// `max_ejection_time`.
    #[must_use]
    pub fn ejection(&self, multiplier: u32) -> Duration {
        let time = self.base_ejection_time.saturating_mul(multiplier);
        time.min(self.longest_ejection())
    }
}
