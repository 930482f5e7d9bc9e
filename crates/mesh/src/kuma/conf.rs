//! The configuration of one group of destinations (`spec.to[].default`), before validation.
//!
//! Numbers are signed and wider than the fields of the schema, so that validation can report values
//! out of range together with other faults.

use alloc::{string::String, vec::Vec};

use super::{KumaHashPolicy, KumaLocalityAwareness, KumaNumber};

/// `spec.to[].default` (`Conf`).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct KumaConf {
    /// Local zone and failover (`localityAwareness`).
    pub locality_awareness: Option<KumaLocalityAwareness>,
    /// The load-balancing policy within a priority (`loadBalancer`).
    pub load_balancer: Option<KumaLoadBalancer>,
    /// The hash policies, in order (`hashPolicies`). They are written even if the load-balancing
    /// policy uses no hash.
    pub hash_policies: Option<Vec<KumaHashPolicy>>,
}

/// `loadBalancer`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct KumaLoadBalancer {
    /// The type as written: `RoundRobin`, `LeastRequest`, `RingHash`, `Random` or `Maglev`.
    pub kind: String,
    /// `leastRequest`, used with that type only.
    pub least_request: Option<KumaLeastRequest>,
    /// `ringHash`, used with that type only.
    pub ring_hash: Option<KumaRingHash>,
    /// `maglev`, used with that type only.
    pub maglev: Option<KumaMaglev>,
}

/// `loadBalancer.leastRequest`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct KumaLeastRequest {
    /// The number of random hosts, at least 2 (`choiceCount`); Envoy's default is 2.
    pub choice_count: Option<i64>,
    /// The effect of active requests on weights, at least 0 (`activeRequestBias`); Envoy's default
    /// is 1.
    pub active_request_bias: Option<KumaNumber>,
}

/// `loadBalancer.ringHash`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct KumaRingHash {
    /// `XXHash` (the default) or `MurmurHash2`, as written (`hashFunction`).
    pub hash_function: Option<String>,
    /// The minimum ring size, 1 to 8,000,000 entries (`minRingSize`); Envoy's default is 1024.
    pub min_ring_size: Option<i64>,
    /// The maximum ring size, 1 to 8,000,000 entries (`maxRingSize`).
    pub max_ring_size: Option<i64>,
    /// Hash policies at this place (`hashPolicies`); until Kuma 2.14.
    pub hash_policies: Option<Vec<KumaHashPolicy>>,
}

/// `loadBalancer.maglev`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct KumaMaglev {
    /// The table size, a prime number of 1 to 5,000,011 slots (`tableSize`); Envoy's default is
    /// 65,537.
    pub table_size: Option<i64>,
    /// Hash policies at this place (`hashPolicies`); until Kuma 2.14.
    pub hash_policies: Option<Vec<KumaHashPolicy>>,
}
