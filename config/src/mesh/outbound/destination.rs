//! One destination of a proxy: its host names and its rules.

use alloc::{string::String, vec::Vec};

use spillgate_core::route::{HashPolicy, RouteMatch};

/// A destination of a proxy.
#[derive(Debug, Clone, PartialEq)]
pub struct OutboundDestination {
    /// The name of the destination: that of its cluster without a split.
    pub name: String,
    /// The host names of its requests.
    pub domains: Vec<String>,
    /// Which requests go to which clusters. The first rule without a condition serves most requests.
    pub rules: Vec<OutboundRule>,
}

/// A rule of a destination.
#[derive(Debug, Clone, PartialEq)]
pub struct OutboundRule {
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
}

/// A share of the requests of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutboundSplit {
    /// The index of the cluster in [`MeshOutbound::clusters`](super::MeshOutbound::clusters).
    pub cluster: usize,
    /// The share relative to the other splits of the rule.
    pub weight: u32,
}

impl OutboundDestination {
    /// The rule for requests that meet no condition.
    #[must_use]
    pub fn default_rule(&self) -> Option<&OutboundRule> {
        let mut rules = self.rules.iter();
        rules.find(|rule| rule.matches.is_empty())
    }
}

impl OutboundRule {
    /// A rule of requests that the proxy answers with a status.
    #[must_use]
    pub const fn respond(matches: String, requests: Vec<RouteMatch>, status: u16) -> Self {
        Self {
            matches,
            requests,
            responds: Some(status),
            splits: Vec::new(),
            hash_policies: Vec::new(),
        }
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
