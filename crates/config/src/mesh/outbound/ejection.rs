//! The outlier detection of a DestinationRule as settings of `spillgate_health`.

use core::time::Duration;

use spillgate_health::outlier::OutlierDetection;
use spillgate_mesh::istio::IstioOutlierDetection;

use super::OutboundSettings;

impl OutboundSettings {
    /// The settings of outlier detection that Istio writes (`applyOutlierDetection`), with Envoy's defaults. Success
    /// rates eject no host.
    ///
    /// | `outlierDetection` | setting |
    /// |---|---|
    /// | `consecutive5xxErrors` | `consecutive_5xx`; 0 sets `enforcing_consecutive_5xx` to 0 |
    /// | `consecutiveGatewayErrors` | `consecutive_gateway_failure`, with `enforcing_consecutive_gateway_failure` of 100; 0 sets it to 0 |
    /// | `splitExternalLocalOriginErrors` | `split_external_local_origin_errors` |
    /// | `consecutiveLocalOriginFailures` | `consecutive_local_origin_failure`, with a split |
    /// | `interval`, `baseEjectionTime`, `maxEjectionPercent` | `interval`, `base_ejection_time`, `max_ejection_percent`; 0 is the default |
    /// | `minHealthPercent` | the panic threshold of the cluster |
    #[must_use]
    pub fn outlier_settings(&self) -> Option<OutlierDetection> {
        self.outlier_detection.as_ref().map(settings)
    }
}

fn settings(of: &IstioOutlierDetection) -> OutlierDetection {
    let number = |value: Option<i64>| value.and_then(|value| u32::try_from(value).ok());
    let positive = |value: Option<i64>| number(value).filter(|value| *value > 0);
    let time = |ms: Option<u64>| ms.filter(|ms| *ms > 0).map(Duration::from_millis);
    let enforcing = |value: Option<i64>| number(value).map(|value| if value > 0 { 100 } else { 0 });
    let split = of.split_external_local_origin_errors == Some(true);
    let local = positive(of.consecutive_local_origin_failures).filter(|_| split);
    let plain = OutlierDetection::default();
    OutlierDetection {
        consecutive_5xx: positive(of.consecutive_5xx_errors).unwrap_or(plain.consecutive_5xx),
        enforcing_consecutive_5xx: enforcing(of.consecutive_5xx_errors)
            .unwrap_or(plain.enforcing_consecutive_5xx),
        consecutive_gateway_failure: positive(of.consecutive_gateway_errors)
            .unwrap_or(plain.consecutive_gateway_failure),
        enforcing_consecutive_gateway_failure: enforcing(of.consecutive_gateway_errors)
            .unwrap_or(plain.enforcing_consecutive_gateway_failure),
        split_external_local_origin_errors: split,
        consecutive_local_origin_failure: local.unwrap_or(plain.consecutive_local_origin_failure),
        enforcing_local_origin_success_rate: match local {
            Some(_) => 0,
            None => plain.enforcing_local_origin_success_rate,
        },
        enforcing_success_rate: 0,
        interval: time(of.interval_ms).unwrap_or(plain.interval),
        base_ejection_time: time(of.base_ejection_time_ms).unwrap_or(plain.base_ejection_time),
        max_ejection_percent: positive(of.max_ejection_percent)
            .unwrap_or(plain.max_ejection_percent),
        ..plain
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn istio_enforces_what_it_states_and_no_success_rate() {
        let outlier_detection = Some(IstioOutlierDetection {
            consecutive_5xx_errors: Some(0),
            consecutive_gateway_errors: Some(2),
            interval_ms: Some(1_000),
            max_ejection_percent: Some(0),
            ..IstioOutlierDetection::default()
        });
        let outbound = OutboundSettings {
            outlier_detection,
            ..OutboundSettings::default()
        };
        let expected = OutlierDetection {
            enforcing_consecutive_5xx: 0,
            consecutive_gateway_failure: 2,
            enforcing_consecutive_gateway_failure: 100,
            enforcing_success_rate: 0,
            interval: Duration::from_secs(1),
            ..OutlierDetection::default()
        };
        assert_eq!(outbound.outlier_settings(), Some(expected));
    }
}
