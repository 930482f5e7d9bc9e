//! The traffic policy of one destination (`MergeTrafficPolicy`).

use super::{
    IstioConnectionPool, IstioConsistentHash, IstioDestinationRule, IstioLoadBalancer,
    IstioOutlierDetection, IstioRetryBudget, IstioSubset, IstioTrafficPolicy, IstioVersion,
};

/// The blocks that apply to one port of a host or subset.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct IstioPolicy {
    /// `loadBalancer`: the policy within a priority, consistent hash, warm-up and the locality
    /// setting.
    pub load_balancer: Option<IstioLoadBalancer>,
    /// `outlierDetection`.
    pub outlier_detection: Option<IstioOutlierDetection>,
    /// `connectionPool`.
    pub connection_pool: Option<IstioConnectionPool>,
    /// `retryBudget`, which ports do not replace.
    pub retry_budget: Option<IstioRetryBudget>,
}

// === impl IstioDestinationRule ===

impl IstioDestinationRule {
    /// The policy for a port of the host, or of one of its subsets. Blocks of the subset replace
    /// blocks of the rule; settings of a port replace all blocks.
    #[must_use]
    pub fn policy(&self, subset: Option<&str>, port: u16) -> IstioPolicy {
        let mut policy = IstioPolicy::default();
        policy.apply(self.traffic_policy.as_ref(), port);
        let subset = subset.and_then(|name| self.subset(name));
        policy.apply(subset.and_then(|of| of.traffic_policy.as_ref()), port);
        policy
    }

    /// `tls.mode` for a port of the host, or of one of its subsets; a port without one has that of its
    /// policy. A subset without one has that of the rule only since Istio 1.31
    /// (`tlsModeForDestinationRule`).
    #[must_use]
    pub fn tls_mode(&self, subset: Option<&str>, port: u16, version: IstioVersion) -> Option<&str> {
        let own = tls_mode(self.traffic_policy.as_ref(), port);
        let Some(name) = subset else {
            return own;
        };
        let subset = self.subset(name);
        let of_subset = subset.and_then(|of| tls_mode(of.traffic_policy.as_ref(), port));
        of_subset.or(own.filter(|_| version >= IstioVersion::V1_31))
    }

    /// The consistent hash of a route to the host, or to one of its subsets: that of a port only if the
    /// route names the port, and none of its own keeps that of the rule (`HashForHTTPDestination`).
    #[must_use]
    pub fn route_hash(
        &self,
        subset: Option<&str>,
        port: Option<u16>,
    ) -> Option<&IstioConsistentHash> {
        let subset = subset.and_then(|name| self.subset(name)?.traffic_policy.as_ref());
        let policies = [subset, self.traffic_policy.as_ref()];
        policies.into_iter().flatten().find_map(|policy| {
            let of_port = policy
                .ports
                .iter()
                .find(|of| Some(of.port) == port)
                .and_then(|of| of.load_balancer.as_ref());
            let balancers = [of_port, policy.load_balancer.as_ref()];
            let mut hashes = balancers.into_iter().flatten();
            hashes.find_map(|balancer| balancer.consistent_hash.as_ref())
        })
    }

    /// The subset with this name.
    #[must_use]
    pub fn subset(&self, name: &str) -> Option<&IstioSubset> {
        self.subsets.iter().find(|subset| subset.name == name)
    }
}

fn tls_mode(policy: Option<&IstioTrafficPolicy>, port: u16) -> Option<&str> {
    let policy = policy?;
    let mut ports = policy.ports.iter().filter(|of| of.port == port);
    let of_port = ports.find_map(|of| of.tls_mode.as_deref());
    of_port.or(policy.tls_mode.as_deref())
}

// === impl IstioPolicy ===

impl IstioPolicy {
    fn apply(&mut self, from: Option<&IstioTrafficPolicy>, port: u16) {
        let Some(from) = from else { return };
        if from.load_balancer.is_some() {
            self.load_balancer.clone_from(&from.load_balancer);
        }
        if from.outlier_detection.is_some() {
            self.outlier_detection.clone_from(&from.outlier_detection);
        }
        if from.connection_pool.is_some() {
            self.connection_pool.clone_from(&from.connection_pool);
        }
        if from.retry_budget.is_some() {
            self.retry_budget.clone_from(&from.retry_budget);
        }
        if let Some(of_port) = from.ports.iter().find(|of| of.port == port) {
            self.load_balancer.clone_from(&of_port.load_balancer);
            self.outlier_detection
                .clone_from(&of_port.outlier_detection);
            self.connection_pool.clone_from(&of_port.connection_pool);
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::super::IstioPortPolicy;
    use super::*;

    fn balancer(simple: &str) -> Option<IstioLoadBalancer> {
        Some(IstioLoadBalancer {
            simple: Some(simple.into()),
            ..IstioLoadBalancer::default()
        })
    }

    #[test]
    fn ports_replace_all_blocks_and_subsets_replace_single_ones() {
        let outlier = Some(IstioOutlierDetection::default());
        let rule = IstioDestinationRule {
            traffic_policy: Some(IstioTrafficPolicy {
                load_balancer: balancer("RANDOM"),
                outlier_detection: outlier.clone(),
                ports: vec![IstioPortPolicy {
                    port: 81,
                    ..IstioPortPolicy::default()
                }],
                ..IstioTrafficPolicy::default()
            }),
            subsets: vec![IstioSubset {
                name: "v1".into(),
                traffic_policy: Some(IstioTrafficPolicy {
                    load_balancer: balancer("ROUND_ROBIN"),
                    ..IstioTrafficPolicy::default()
                }),
                ..IstioSubset::default()
            }],
            ..IstioDestinationRule::default()
        };
        let both = |load_balancer, outlier_detection| IstioPolicy {
            load_balancer,
            outlier_detection,
            ..IstioPolicy::default()
        };
        assert_eq!(
            rule.policy(None, 80),
            both(balancer("RANDOM"), outlier.clone())
        );
        assert_eq!(rule.policy(None, 81), IstioPolicy::default());
        assert_eq!(
            rule.policy(Some("v1"), 80),
            both(balancer("ROUND_ROBIN"), outlier)
        );
        assert_eq!(
            rule.policy(Some("v1"), 81),
            both(balancer("ROUND_ROBIN"), None)
        );
    }
}
