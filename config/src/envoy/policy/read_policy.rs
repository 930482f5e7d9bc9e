//! A policy as read, and what reading it needs to know of its cluster.

use alloc::vec::Vec;

use spillgate_core::{
    model::{HashBalanceFactor, LocalityLb, OverrideHostSource, Policy, SlowStart, SubsetConfig},
    route::HashPolicy,
};

use super::hash_table::Hashing;
use crate::{envoy::discovery::Discovery, proto::Message};

/// A policy with the settings that come along with it.
#[derive(Debug, Default)]
pub(crate) struct ReadPolicy {
    pub(crate) policy: Policy,
    /// The cluster's own type brings the policy (`CLUSTER_PROVIDED`).
    pub(crate) provided: bool,
    pub(crate) locality_lb: LocalityLb,
    pub(crate) slow_start: Option<SlowStart>,
    pub(crate) hash_hostname: bool,
    pub(crate) hash_balance_factor: Option<HashBalanceFactor>,
    pub(crate) hash_policies: Vec<HashPolicy>,
    pub(crate) subsets: Option<SubsetConfig>,
    pub(crate) override_hosts: Vec<OverrideHostSource>,
}

impl ReadPolicy {
    /// A policy without further settings.
    pub(crate) fn bare(policy: Policy) -> Self {
        Self {
            policy,
            ..Self::default()
        }
    }

    /// With what hash policies are told.
    pub(crate) fn hashing(self, hashing: Hashing) -> Self {
        Self {
            hash_hostname: hashing.hostname,
            hash_balance_factor: hashing.balance_factor,
            hash_policies: hashing.policies,
            ..self
        }
    }
}

/// The values of `Cluster.lb_policy`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LbPolicy {
    RoundRobin,
    LeastRequest,
    RingHash,
    Random,
    Maglev,
    ClusterProvided,
    Extension,
}

/// `Cluster.LbPolicy`, by name and number. Numbers 4 and above 7 have no meaning.
pub(crate) const LB_POLICY: [(&str, i64, LbPolicy); 7] = [
    ("ROUND_ROBIN", 0, LbPolicy::RoundRobin),
    ("LEAST_REQUEST", 1, LbPolicy::LeastRequest),
    ("RING_HASH", 2, LbPolicy::RingHash),
    ("RANDOM", 3, LbPolicy::Random),
    ("MAGLEV", 5, LbPolicy::Maglev),
    ("CLUSTER_PROVIDED", 6, LbPolicy::ClusterProvided),
    ("LOAD_BALANCING_POLICY_CONFIG", 7, LbPolicy::Extension),
];

/// What a policy needs to know of its cluster.
pub(crate) struct PolicyContext<'c, 'n, 'a> {
    /// How the cluster finds its hosts; none for an aggregate.
    pub(crate) discovery: Option<Discovery>,
    pub(crate) lb_policy: Option<LbPolicy>,
    /// `common_lb_config`.
    pub(crate) common: Option<&'c Message<'n, 'a>>,
}
