//! `localityLbSetting`, before validation.

use alloc::{string::String, vec::Vec};

/// `LocalityLoadBalancerSetting` (`networking/v1alpha3/destination_rule.proto`).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IstioLocalityLbSetting {
    /// Explicit weights between localities (`distribute`), in order. The first entry whose `from`
    /// matches the proxy applies.
    pub distribute: Vec<IstioDistribute>,
    /// The region that serves if a region fails (`failover`), in order.
    pub failover: Vec<IstioFailover>,
    /// Labels that order the endpoints (`failoverPriority`), each `key` or `key=value`.
    pub failover_priority: Vec<String>,
    /// Whether the setting applies (`enabled`); `None` counts as true.
    pub enabled: Option<bool>,
}

/// One entry of `distribute`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IstioDistribute {
    /// The locality of the proxies, `region/zone/sub-zone`; the last part may be `*`.
    pub from: String,
    /// The shares of the target localities, in document order.
    pub to: Vec<IstioShare>,
}

/// One entry of `distribute[].to`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IstioShare {
    /// The target locality, `region/zone/sub-zone`; the last part may be `*`.
    pub locality: String,
    /// The share in percent, 1 to 100. The shares of one entry sum to 100.
    pub weight: i64,
}

/// One entry of `failover`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IstioFailover {
    /// The region of the proxies.
    pub from: String,
    /// The region that serves next.
    pub to: String,
}
