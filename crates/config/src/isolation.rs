//! Isolation: a cluster in Envoy that only uses hosts which the filter chose.
//!
//! Envoy asks a fallback policy if no host of the filter's list is left. In an isolated cluster this
//! is a subset policy without hosts, so that the request gets 503.
//!
//! The filter is not asked again when the list is used up, so the cluster decides whether a request
//! may leave its subset. `override_host` has no strict mode; `NO_FALLBACK` with a selector that
//! matches no host has the same effect. Requests without a host list then have no host either, so
//! those that may bypass the filter need another cluster.

use alloc::vec::Vec;

use spillgate_core::{
    model::{
        OverrideHostSource, PlainCluster, Policy, SelectorFallback, SubsetConfig, SubsetFallback,
        SubsetSelector,
    },
    route::{CHOICE_NAMESPACE, CHOSEN_HOSTS_KEY},
};

/// The metadata key that no host has: the only selector of an isolated cluster's subset policy.
pub const ISOLATION_KEY: &str = "spillgate-none";

/// What serves a request if no host of the filter's list is left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListFallback {
    /// No host: the request gets 503.
    Isolation,
    /// Any host of the cluster, by the cluster's own policy.
    Availability,
}

/// The Envoy cluster for a cluster of the filter in output mode `override_host`: it uses the hosts
/// in the dynamic metadata `spillgate.host`.
#[must_use]
pub fn steered_cluster(own: &PlainCluster, fallback: ListFallback) -> PlainCluster {
    let steered = PlainCluster {
        override_hosts: Vec::from([chosen_hosts()]),
        ..own.clone()
    };
    match fallback {
        ListFallback::Availability => steered,
        ListFallback::Isolation => isolated(steered),
    }
}

/// The dynamic metadata with the hosts that the filter chose.
pub(crate) fn chosen_hosts() -> OverrideHostSource {
    OverrideHostSource::Metadata {
        namespace: CHOICE_NAMESPACE.into(),
        path: Vec::from([CHOSEN_HOSTS_KEY.into()]),
    }
}

/// A cluster that uses only the hosts of a list.
pub(crate) fn isolated(cluster: PlainCluster) -> PlainCluster {
    PlainCluster {
        // A policy without hosts needs no settings.
        policy: Policy::RoundRobin,
        slow_start: None,
        hash_balance_factor: None,
        hash_policies: Vec::new(),
        subsets: Some(no_host()),
        ..cluster
    }
}

/// Subsets of which none has a host.
fn no_host() -> SubsetConfig {
    let selector = SubsetSelector::new([ISOLATION_KEY], SelectorFallback::NotDefined, false);
    SubsetConfig {
        selectors: selector.into_iter().collect(),
        ..SubsetConfig::default()
    }
}

/// Whether these subsets are those of an isolated cluster.
#[must_use]
pub fn isolates(subsets: &SubsetConfig) -> bool {
    let is_key =
        |selector: &SubsetSelector| selector.keys().iter().all(|key| **key == *ISOLATION_KEY);
    !falls_back(subsets) && !subsets.selectors.is_empty() && subsets.selectors.iter().all(is_key)
}

/// Whether a request without criteria, or with criteria of no subset, gets a host.
#[must_use]
pub fn falls_back(subsets: &SubsetConfig) -> bool {
    let leaves = |selector: &SubsetSelector| {
        matches!(
            selector.fallback(),
            SelectorFallback::AnyEndpoint | SelectorFallback::DefaultSubset
        )
    };
    subsets.fallback != SubsetFallback::NoFallback
        || subsets.panic_mode_any
        || subsets.selectors.iter().any(leaves)
}
