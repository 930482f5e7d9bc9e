//! Settings of outlier detection: gRPC's defaults and what it refuses (A50).

use alloc::vec::Vec;

use crate::ProtoDuration;

/// `envoy.config.cluster.v3.GrpcOutlierDetection` as it arrives; `None` is an unset field. What Envoy
/// alone knows (consecutive failures, local origin) is not read by gRPC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GrpcOutlierDetection {
    /// Time between two sweeps.
    pub interval: Option<ProtoDuration>,
    /// How long a first ejection lasts.
    pub base_ejection_time: Option<ProtoDuration>,
    /// The longest that an ejection lasts.
    pub max_ejection_time: Option<ProtoDuration>,
    /// The share of endpoints that may be ejected.
    pub max_ejection_percent: Option<u32>,
    /// The chance that a success-rate outlier is ejected, in percent.
    pub enforcing_success_rate: Option<u32>,
    /// Thousandths of a standard deviation below the mean.
    pub success_rate_stdev_factor: Option<u32>,
    /// Endpoints that must have the volume.
    pub success_rate_minimum_hosts: Option<u32>,
    /// Requests in an interval that make an endpoint count.
    pub success_rate_request_volume: Option<u32>,
    /// The chance that an endpoint with too many failures is ejected, in percent.
    pub enforcing_failure_percentage: Option<u32>,
    /// More failures than this, in percent, are too many.
    pub failure_percentage_threshold: Option<u32>,
    /// Endpoints that must have the volume.
    pub failure_percentage_minimum_hosts: Option<u32>,
    /// Requests in an interval that make an endpoint count.
    pub failure_percentage_request_volume: Option<u32>,
}

/// Legal settings. Times are in ms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutlierSettings {
    /// Time between two sweeps.
    pub interval_ms: u64,
    /// How long a first ejection lasts; the n-th in a row lasts n times as long.
    pub base_ejection_time_ms: u64,
    /// The longest that an ejection lasts. Where the base is longer, that counts.
    pub max_ejection_time_ms: u64,
    /// While this share of the endpoints is ejected, 0 to 100, no more are. The first always may be.
    pub max_ejection_percent: u32,
    /// Ejection of endpoints that succeed much less often than the others.
    pub success_rate: Option<SuccessRate>,
    /// Ejection of endpoints that fail too often.
    pub failure_percentage: Option<FailurePercentage>,
}

/// Ejection below the mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SuccessRate {
    /// Thousandths of a standard deviation below the mean.
    pub stdev_factor: u32,
    /// The chance that an outlier is ejected, 0 to 100.
    pub enforcement_percentage: u32,
    /// Endpoints that must have the volume.
    pub minimum_hosts: u32,
    /// Requests in an interval that make an endpoint count.
    pub request_volume: u32,
}

/// Ejection above a share of failures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FailurePercentage {
    /// More failures than this, 0 to 100, are too many.
    pub threshold: u32,
    /// The chance that an outlier is ejected, 0 to 100.
    pub enforcement_percentage: u32,
    /// Endpoints that must have the volume.
    pub minimum_hosts: u32,
    /// Requests in an interval that make an endpoint count.
    pub request_volume: u32,
}

/// What unset fields mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutlierReading {
    /// Whether an unset `enforcing_success_rate` means that it is on.
    pub success_rate_unless_zero: bool,
    /// What an unset `max_ejection_time` means, in ms.
    pub max_ejection_time_ms: u64,
}

impl OutlierReading {
    /// The text of A50.
    pub const A50: Self = Self {
        success_rate_unless_zero: true,
        max_ejection_time_ms: 300_000,
    };
    /// What gRPC 1.85 does (C-core).
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
    /// Every default of A50, and nothing that ejects.
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
    /// Whether requests are counted at all.
    #[must_use]
    pub const fn counts(&self) -> bool {
        self.success_rate.is_some() || self.failure_percentage.is_some()
    }
}

impl GrpcOutlierDetection {
    /// The settings.
    ///
    /// # Errors
    /// The names of all fields that make gRPC refuse (NACK) the resource: durations out of range
    /// and percentages above 100. gRPC 1.85 lets a `failure_percentage_threshold` above 100 pass,
    /// and then fails every request; here it is refused.
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
                // Ten thousand years in ms fit.
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
    fn all_faults_are_named_at_once() {
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
    fn released_grpc_reads_unset_fields_otherwise() {
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
