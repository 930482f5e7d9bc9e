//! A DestinationRule, before validation.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    string::String,
    vec::Vec,
};

use super::{
    IstioConnectionPool, IstioConsistentHash, IstioLocalityLbSetting, IstioRetryBudget,
    IstioZoneAwareLb,
};

/// One DestinationRule, as far as it affects load balancing.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct IstioDestinationRule {
    /// The name (`metadata.name`).
    pub name: String,
    /// The namespace; empty means `default`.
    pub namespace: String,
    /// The host (`spec.host`); may start with `*.`.
    pub host: String,
    /// The policy for all subsets (`spec.trafficPolicy`).
    pub traffic_policy: Option<IstioTrafficPolicy>,
    /// The subsets (`spec.subsets`).
    pub subsets: Vec<IstioSubset>,
    /// The labels of the proxies that use the rule (`spec.workloadSelector.matchLabels`); empty
    /// selects all.
    pub workload_selector: BTreeMap<String, String>,
    /// The namespaces whose proxies use the rule (`spec.exportTo`): names, `.` for its own one, `*`
    /// for all; empty means all. Istio ignores it for rules with a workload selector, which are
    /// private.
    pub export_to: BTreeSet<String>,
    /// When the rule was created (`metadata.creationTimestamp`), as written: RFC 3339 in UTC, which
    /// sorts as text. Empty if the document does not say; such a rule counts as the oldest.
    pub created: String,
}

/// One entry of `subsets`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct IstioSubset {
    /// The name, which VirtualServices refer to.
    pub name: String,
    /// The labels of the endpoints in the subset.
    pub labels: BTreeMap<String, String>,
    /// The policy of the subset. Its blocks replace those of the rule.
    pub traffic_policy: Option<IstioTrafficPolicy>,
}

/// `trafficPolicy`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct IstioTrafficPolicy {
    /// `loadBalancer`.
    pub load_balancer: Option<IstioLoadBalancer>,
    /// `outlierDetection`. Its presence enables failover.
    pub outlier_detection: Option<IstioOutlierDetection>,
    /// `connectionPool`.
    pub connection_pool: Option<IstioConnectionPool>,
    /// `retryBudget`.
    pub retry_budget: Option<IstioRetryBudget>,
    /// `tls.mode`, as written.
    pub tls_mode: Option<String>,
    /// `portLevelSettings`. The settings of a port replace those of the policy as a whole.
    pub ports: Vec<IstioPortPolicy>,
}

/// One entry of `portLevelSettings`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct IstioPortPolicy {
    /// The port number of the service (`port.number`).
    pub port: u16,
    /// `loadBalancer`.
    pub load_balancer: Option<IstioLoadBalancer>,
    /// `outlierDetection`.
    pub outlier_detection: Option<IstioOutlierDetection>,
    /// `connectionPool`.
    pub connection_pool: Option<IstioConnectionPool>,
    /// `tls.mode`, as written.
    pub tls_mode: Option<String>,
}

/// `loadBalancer`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct IstioLoadBalancer {
    /// The policy as written (`simple`): `LEAST_REQUEST` (the default), `ROUND_ROBIN`, `RANDOM`,
    /// `PASSTHROUGH`, or the deprecated `LEAST_CONN`.
    pub simple: Option<String>,
    /// `consistentHash`; excludes `simple`.
    pub consistent_hash: Option<IstioConsistentHash>,
    /// `localityLbSetting`. It replaces the setting of the mesh as a whole.
    pub locality_lb_setting: Option<IstioLocalityLbSetting>,
    /// `zoneAwareLbSetting`, since Istio 1.31. It replaces the setting of the mesh as a whole.
    pub zone_aware_lb_setting: Option<IstioZoneAwareLb>,
    /// Slow start (`warmup`, or the deprecated `warmupDurationSecs`).
    pub warmup: Option<IstioWarmup>,
}

/// `warmup`: slow start of new endpoints.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct IstioWarmup {
    /// The duration in milliseconds (`duration`).
    pub duration_ms: u64,
    /// The lowest weight in percent, 0 to 100 (`minimumPercent`); default 10.
    pub minimum_percent: Option<f64>,
    /// The exponent of the ramp, at least 1 (`aggression`); default 1, a linear ramp.
    pub aggression: Option<f64>,
}

/// `outlierDetection`. Numbers are as written; absent ones have the defaults of Istio.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IstioOutlierDetection {
    /// The panic threshold in percent (`minHealthPercent`), 0 to 100; default 0, which disables
    /// panic mode.
    pub min_health_percent: Option<i64>,
    /// `consecutive5xxErrors`.
    pub consecutive_5xx_errors: Option<i64>,
    /// `consecutiveGatewayErrors`.
    pub consecutive_gateway_errors: Option<i64>,
    /// `consecutiveLocalOriginFailures`.
    pub consecutive_local_origin_failures: Option<i64>,
    /// `splitExternalLocalOriginErrors`.
    pub split_external_local_origin_errors: Option<bool>,
    /// `interval` in milliseconds.
    pub interval_ms: Option<u64>,
    /// `baseEjectionTime` in milliseconds.
    pub base_ejection_time_ms: Option<u64>,
    /// `maxEjectionPercent`, 0 to 100.
    pub max_ejection_percent: Option<i64>,
}

impl IstioOutlierDetection {
    /// The percentage of hosts that may be ejected. Istio does not write a 0, for which Envoy uses its
    /// default.
    #[must_use]
    pub fn ejection_limit(&self) -> u64 {
        const DEFAULT: u64 = 10;
        let stated = self
            .max_ejection_percent
            .and_then(|percent| u64::try_from(percent).ok());
        stated.filter(|percent| *percent > 0).unwrap_or(DEFAULT)
    }

    /// Whether any detector ejects hosts. Without a number of errors, 5 errors do; 0 switches a detector
    /// off.
    #[must_use]
    pub fn ejects(&self) -> bool {
        let counts = |errors: Option<i64>| errors.is_some_and(|errors| errors > 0);
        self.consecutive_5xx_errors.is_none_or(|errors| errors > 0)
            || counts(self.consecutive_gateway_errors)
            || (self.split_external_local_origin_errors == Some(true)
                && counts(self.consecutive_local_origin_failures))
    }
}
