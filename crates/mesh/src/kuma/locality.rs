//! `localityAwareness`, before validation.

use alloc::{string::String, vec::Vec};

use super::KumaNumber;

/// `localityAwareness`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct KumaLocalityAwareness {
    /// Whether other zones keep priority 0 (`disabled`); default false. Released Kuma ignores it if
    /// `localZone` or `crossZone` is present.
    pub disabled: Option<bool>,
    /// `localZone`. An empty object differs from a missing one.
    pub local_zone: Option<KumaLocalZone>,
    /// `crossZone`. An empty object differs from a missing one.
    pub cross_zone: Option<KumaCrossZone>,
}

/// `localityAwareness.localZone`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct KumaLocalZone {
    /// Groups within the local zone, most preferred first (`affinityTags`).
    pub affinity_tags: Option<Vec<KumaAffinityTag>>,
}

/// One entry of `affinityTags`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KumaAffinityTag {
    /// The tag whose value proxy and endpoint must share.
    pub key: String,
    /// The weight of the group, 1 to 2^32-1. Either all tags have a weight or none; the default
    /// weights are 9 * 10^(n-1-i) for tag i of n.
    pub weight: Option<i64>,
}

/// `localityAwareness.crossZone`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct KumaCrossZone {
    /// The rules for other zones, most preferred first (`failover`). Zones of no rule are not used.
    pub failover: Option<Vec<KumaFailover>>,
    /// The share of usable hosts in percent below which the next priority serves
    /// (`failoverThreshold.percentage`), above 0 and at most 100; default 50.
    pub failover_threshold: Option<KumaNumber>,
}

/// One entry of `failover`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KumaFailover {
    /// The zones of the proxies that use the rule (`from.zones`); `None` without `from`, which
    /// means all.
    pub from_zones: Option<Vec<String>>,
    /// The zones that the rule takes (`to`).
    pub to: KumaFailoverTo,
}

/// `failover[].to`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KumaFailoverTo {
    /// The type as written: `None`, `Only`, `Any` or `AnyExcept`.
    pub kind: String,
    /// The zones (`zones`), for `Only` and `AnyExcept`; `None` if the field is missing.
    pub zones: Option<Vec<String>>,
}
