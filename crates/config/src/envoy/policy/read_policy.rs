//! A policy as read, and the cluster settings that its readers need.

use alloc::vec::Vec;

use spillgate_core::{
    model::{HashBalanceFactor, LocalityLb, OverrideHostSource, Policy, SlowStart, SubsetConfig},
    route::HashPolicy,
};

use super::hash_table::Hashing;
use crate::{envoy::discovery::Discovery, proto::Message, undecided::UndecidedRequests};

/// A policy with its settings.
#[derive(Debug, Default)]
pub(crate) struct ReadPolicy {
    pub(crate) policy: Policy,
    /// The cluster's type provides the policy (`CLUSTER_PROVIDED`).
    pub(crate) provided: bool,
    pub(crate) locality_lb: LocalityLb,
    pub(crate) slow_start: Option<SlowStart>,
    pub(crate) hash_hostname: bool,
    pub(crate) hash_balance_factor: Option<HashBalanceFactor>,
    pub(crate) hash_policies: Vec<HashPolicy>,
    pub(crate) subsets: Option<SubsetConfig>,
    pub(crate) override_hosts: Vec<OverrideHostSource>,
    /// Set if the policy is that of the dynamic module.
    pub(crate) undecided: Option<UndecidedRequests>,
}

impl ReadPolicy {
    /// A policy with default settings.
    pub(crate) fn bare(policy: Policy) -> Self {
        Self {
            policy,
            ..Self::default()
        }
    }

    /// With the settings of hash policies.
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

/// `Cluster.LbPolicy`, by name and number. Numbers 4 and above 7 are unused.
pub(crate) const LB_POLICY: [(&str, i64, LbPolicy); 7] = [
    ("ROUND_ROBIN", 0, LbPolicy::RoundRobin),
    ("LEAST_REQUEST", 1, LbPolicy::LeastRequest),
    ("RING_HASH", 2, LbPolicy::RingHash),
    ("RANDOM", 3, LbPolicy::Random),
    ("MAGLEV", 5, LbPolicy::Maglev),
    ("CLUSTER_PROVIDED", 6, LbPolicy::ClusterProvided),
    ("LOAD_BALANCING_POLICY_CONFIG", 7, LbPolicy::Extension),
];

/// The cluster settings that policy readers need.
pub(crate) struct PolicyContext<'c, 'n, 'a> {
    /// How the cluster finds its hosts; `None` for an aggregate.
    pub(crate) discovery: Option<Discovery>,
    pub(crate) lb_policy: Option<LbPolicy>,
    /// `common_lb_config`.
    pub(crate) common: Option<&'c Message<'n, 'a>>,
}
