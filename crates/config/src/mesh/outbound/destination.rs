//! One destination of a proxy: its host names and its rules.

use alloc::{string::String, vec::Vec};

use spillgate_core::route::{HashPolicy, HeaderMutations, RequestRewrite, RetryPolicy, RouteMatch};

use super::OutboundCluster;
#[cfg(feature = "health")]
use crate::envoy::RouteOverTime;

/// The status with which Envoy answers requests to a cluster that does not exist by default.
pub(super) const UNAVAILABLE: u16 = 503;

/// A destination of a proxy.
#[derive(Debug, Clone, PartialEq)]
pub struct OutboundDestination {
    /// The name of the destination: that of its cluster without a split.
    pub name: String,
    /// The name of its listener; empty for the only one of a sidecar.
    pub listener: String,
    /// The host names of its requests.
    pub domains: Vec<String>,
    /// Which requests go to which clusters. The first rule without a condition serves most requests.
    pub rules: Vec<OutboundRule>,
}

/// A rule of a destination.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct OutboundRule {
    /// Istio: the name of its routes in Envoy; empty if they have none, or it is not known.
    pub name: String,
    /// The condition as a short text; empty matches everything.
    pub matches: String,
    /// The condition as matches of routes, one of which must hold; empty if it is not converted, or
    /// matches everything.
    pub requests: Vec<RouteMatch>,
    /// The status with which the proxy answers its requests instead of forwarding them.
    pub responds: Option<u16>,
    /// The clusters of its requests.
    pub splits: Vec<OutboundSplit>,
    /// The hash policies, in order.
    pub hash_policies: Vec<HashPolicy>,
    /// The headers that requests gain and lose.
    pub headers: HeaderMutations,
    /// How the path and the host of requests change.
    pub rewrite: RequestRewrite,
    /// The retries.
    pub retry: RetryPolicy,
    /// The status of requests to a cluster that does not exist; `None` for that of Envoy, 503.
    pub without_cluster: Option<u16>,
    /// When its requests end.
    #[cfg(feature = "health")]
    pub over_time: RouteOverTime,
}

/// A share of the requests of a rule.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OutboundSplit {
    /// The index of the cluster in [`MeshOutbound::clusters`](super::MeshOutbound::clusters).
    pub cluster: usize,
    /// The share relative to the other splits of the rule.
    pub weight: u32,
    /// The headers that its requests gain and lose before those of the rule.
    pub headers: HeaderMutations,
    /// The host of its requests, unless the rule rewrites it.
    pub authority: Option<String>,
}

impl OutboundDestination {
    /// The rule for requests that meet no condition.
    #[must_use]
    pub fn default_rule(&self) -> Option<&OutboundRule> {
        let mut rules = self.rules.iter();
        rules.find(|rule| rule.matches.is_empty())
    }

    /// Whether the proxy redirects the requests that meet no condition, or answers them without an error: they need no
    /// host.
    #[must_use]
    pub fn is_answered(&self) -> bool {
        let status = self.default_rule().and_then(|rule| rule.responds);
        status.is_some_and(|status| status < 400)
    }
}

impl OutboundSplit {
    /// A share of the requests of a cluster, without changes.
    #[must_use]
    pub fn new(cluster: usize, weight: u32) -> Self {
        Self {
            cluster,
            weight,
            ..Self::default()
        }
    }
}

impl OutboundRule {
    /// A rule of requests that the proxy answers with a status.
    #[must_use]
    pub fn respond(matches: String, requests: Vec<RouteMatch>, status: u16) -> Self {
        Self {
            matches,
            requests,
            responds: Some(status),
            ..Self::default()
        }
    }

    /// The status of the requests of a cluster that does not exist in Envoy; `None` if it does.
    #[must_use]
    pub fn status_of(&self, cluster: &OutboundCluster) -> Option<u16> {
        (!cluster.exists).then(|| self.without_cluster.unwrap_or(UNAVAILABLE))
    }

    /// Its splits, each with its share in percent. Empty if the weights sum to 0.
    pub fn shares(&self) -> impl Iterator<Item = (usize, f64)> {
        let total: u64 = self
            .splits
            .iter()
            .map(|split| u64::from(split.weight))
            .sum();
        let some = self.splits.iter().filter(move |_| total > 0);
        some.map(move |split| {
            let share = f64::from(split.weight) * 100.0 / total as f64;
            (split.cluster, share)
        })
    }
}
