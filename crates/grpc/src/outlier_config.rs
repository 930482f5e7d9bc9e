//! Settings of outlier detection: the defaults and limits of gRPC (A50).

use alloc::vec::Vec;

use crate::ProtoDuration;

/// The fields of `envoy.config.cluster.v3.OutlierDetection` that gRPC reads; `None` is an unset field.
/// gRPC ignores the settings for consecutive failures and local origin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GrpcOutlierDetection {
    /// The time between two sweeps.
    pub interval: Option<ProtoDuration>,
    /// The duration of a first ejection.
    pub base_ejection_time: Option<ProtoDuration>,
    /// The maximum duration of an ejection.
    pub max_ejection_time: Option<ProtoDuration>,
    /// The maximum share of ejected endpoints, in percent.
    pub max_ejection_percent: Option<u32>,
    /// The probability that a success-rate outlier is ejected, in percent.
    pub enforcing_success_rate: Option<u32>,
    /// The threshold: thousandths of a standard deviation below the mean.
    pub success_rate_stdev_factor: Option<u32>,
    /// The minimum number of endpoints with the request volume.
    pub success_rate_minimum_hosts: Option<u32>,
    /// The minimum number of requests in an interval for an endpoint to count.
    pub success_rate_request_volume: Option<u32>,
    /// The probability that an endpoint with too many failures is ejected, in percent.
    pub enforcing_failure_percentage: Option<u32>,
    /// The maximum share of failures, in percent.
    pub failure_percentage_threshold: Option<u32>,
    /// The minimum number of endpoints with the request volume.
    pub failure_percentage_minimum_hosts: Option<u32>,
    /// The minimum number of requests in an interval for an endpoint to count.
    pub failure_percentage_request_volume: Option<u32>,
}

/// Valid settings. Times are in ms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutlierSettings {
    /// The time between two sweeps.
    pub interval_ms: u64,
    /// The duration of a first ejection; the n-th in a row lasts n times as long.
    pub base_ejection_time_ms: u64,
    /// The maximum duration of an ejection, at least the base ejection time.
    pub max_ejection_time_ms: u64,
    /// No more endpoints are ejected while this share is ejected, 0 to 100 %. The first endpoint can
    /// always be ejected.
    pub max_ejection_percent: u32,
    /// Ejection of endpoints with a much lower success rate than the others.
    pub success_rate: Option<SuccessRate>,
    /// Ejection of endpoints that fail too often.
    pub failure_percentage: Option<FailurePercentage>,
}

/// Ejection by success rate, below the mean of all endpoints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SuccessRate {
    /// The threshold: thousandths of a standard deviation below the mean.
    pub stdev_factor: u32,
    /// The probability that an outlier is ejected, 0 to 100 %.
    pub enforcement_percentage: u32,
    /// The minimum number of endpoints with the request volume.
    pub minimum_hosts: u32,
    /// The minimum number of requests in an interval for an endpoint to count.
    pub request_volume: u32,
}

/// Ejection by failure percentage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FailurePercentage {
    /// The maximum share of failures, 0 to 100 %.
    pub threshold: u32,
    /// The probability that an outlier is ejected, 0 to 100 %.
    pub enforcement_percentage: u32,
    /// The minimum number of endpoints with the request volume.
    pub minimum_hosts: u32,
    /// The minimum number of requests in an interval for an endpoint to count.
    pub request_volume: u32,
}

/// The defaults of unset fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutlierReading {
    /// Whether ejection by success rate is on if `enforcing_success_rate` is unset.
    pub success_rate_unless_zero: bool,
    /// The default of `max_ejection_time`, in ms.
    pub max_ejection_time_ms: u64,
}

impl OutlierReading {
    /// The defaults of A50.
    pub const A50: Self = Self {
        success_rate_unless_zero: true,
        max_ejection_time_ms: 300_000,
    };
    /// The defaults of gRPC 1.85 (C-core).
    pub const GRPC_1_85: Self = Self {
        success_rate_unless_zero: false,
        max_ejection_time_ms: 30_000,
    };
}

impl Default for SuccessRate {
    fn default() -> Self {
        Self {
            stdev_factor: 1900,
            enforcement_percentage: 100,
            minimum_hosts: 5,
            request_volume: 100,
        }
    }
}

impl Default for FailurePercentage {
    fn default() -> Self {
        Self {
            threshold: 85,
            enforcement_percentage: 100,
            minimum_hosts: 5,
            request_volume: 50,
        }
    }
}

impl Default for OutlierSettings {
    /// The defaults of A50, without any ejection.
    fn default() -> Self {
        Self {
            interval_ms: 10_000,
            base_ejection_time_ms: 30_000,
            max_ejection_time_ms: OutlierReading::A50.max_ejection_time_ms,
            max_ejection_percent: 10,
            success_rate: None,
            failure_percentage: None,
        }
    }
}

impl OutlierSettings {
    /// Whether requests are counted.
    #[must_use]
    pub const fn counts(&self) -> bool {
        self.success_rate.is_some() || self.failure_percentage.is_some()
    }
}

impl GrpcOutlierDetection {
    /// The settings.
    ///
    /// # Errors
    /// The names of all fields for which gRPC rejects (NACK) the resource: durations out of range and
    /// percentages above 100. gRPC 1.85 accepts a `failure_percentage_threshold` above 100 and then
    /// fails every request; this function rejects it.
    pub fn settings(&self, reading: OutlierReading) -> Result<OutlierSettings, Vec<&'static str>> {
        let mut faults = Vec::new();
        let default = OutlierSettings::default();
        let mut ms = |name, field: Option<ProtoDuration>, default: u64| match field {
            None => default,
            Some(duration) => duration.get().map_or_else(
                || {
                    faults.push(name);
                    default
                },
                // 10,000 years in ms fit.
                |duration| duration.as_millis() as u64,
            ),
        };
        let interval_ms = ms("interval", self.interval, default.interval_ms);
        let base_ejection_time_ms = ms(
            "base_ejection_time",
            self.base_ejection_time,
            default.base_ejection_time_ms,
        );
        let max_ejection_time_ms = ms(
            "max_ejection_time",
            self.max_ejection_time,
            reading.max_ejection_time_ms.max(base_ejection_time_ms),
        );
        let mut percent = |name, field: Option<u32>, default: u32| {
            let percent = field.unwrap_or(default);
            if percent > 100 {
                faults.push(name);
            }
            percent
        };
        let max_ejection_percent = percent(
            "max_ejection_percent",
            self.max_ejection_percent,
            default.max_ejection_percent,
        );
        let success_rate = SuccessRate::default();
        let success_rate = SuccessRate {
            stdev_factor: self
                .success_rate_stdev_factor
                .unwrap_or(success_rate.stdev_factor),
            enforcement_percentage: percent(
                "enforcing_success_rate",
                self.enforcing_success_rate,
                if reading.success_rate_unless_zero {
                    100
                } else {
                    0
                },
            ),
            minimum_hosts: self
                .success_rate_minimum_hosts
                .unwrap_or(success_rate.minimum_hosts),
            request_volume: self
                .success_rate_request_volume
                .unwrap_or(success_rate.request_volume),
        };
        let failure = FailurePercentage::default();
        let failure = FailurePercentage {
            threshold: percent(
                "failure_percentage_threshold",
                self.failure_percentage_threshold,
                failure.threshold,
            ),
            enforcement_percentage: percent(
                "enforcing_failure_percentage",
                self.enforcing_failure_percentage,
                0,
            ),
            minimum_hosts: self
                .failure_percentage_minimum_hosts
                .unwrap_or(failure.minimum_hosts),
            request_volume: self
                .failure_percentage_request_volume
                .unwrap_or(failure.request_volume),
        };
        if !faults.is_empty() {
            return Err(faults);
        }
        Ok(OutlierSettings {
            interval_ms,
            base_ejection_time_ms,
            max_ejection_time_ms,
            max_ejection_percent,
            success_rate: Some(success_rate).filter(|rate| rate.enforcement_percentage > 0),
            failure_percentage: Some(failure).filter(|rate| rate.enforcement_percentage > 0),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_invalid_fields_are_reported_at_once() {
        let negative = Some(ProtoDuration {
            seconds: -1,
            nanos: 0,
        });
        let given = GrpcOutlierDetection {
            interval: negative,
            max_ejection_time: negative,
            max_ejection_percent: Some(101),
            failure_percentage_threshold: Some(150),
            ..GrpcOutlierDetection::default()
        };
        assert_eq!(
            given.settings(OutlierReading::A50),
            Err(alloc::vec![
                "interval",
                "max_ejection_time",
                "max_ejection_percent",
                "failure_percentage_threshold"
            ])
        );
    }

    #[test]
    fn released_grpc_has_other_defaults() {
        let long = GrpcOutlierDetection {
            base_ejection_time: Some(ProtoDuration {
                seconds: 20,
                nanos: 0,
            }),
            ..GrpcOutlierDetection::default()
        };
        let text = long.settings(OutlierReading::A50).unwrap();
        assert_eq!(text.max_ejection_time_ms, 300_000);
        assert_eq!(text.success_rate, Some(SuccessRate::default()));
        assert!(text.counts());
        let released = long.settings(OutlierReading::GRPC_1_85).unwrap();
        assert_eq!(released.max_ejection_time_ms, 30_000);
        assert!(!released.counts());
    }
}
