//! The traffic policy of one destination (`MergeTrafficPolicy`).

use super::{
    IstioDestinationRule, IstioLoadBalancer, IstioOutlierDetection, IstioSubset, IstioTrafficPolicy,
};

/// The blocks that apply to one port of a host or subset.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct IstioPolicy {
    /// `loadBalancer`: the policy within a priority, consistent hash, warm-up and the locality
    /// setting.
    pub load_balancer: Option<IstioLoadBalancer>,
    /// `outlierDetection`.
    pub outlier_detection: Option<IstioOutlierDetection>,
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

    /// The subset with this name.
    #[must_use]
    pub fn subset(&self, name: &str) -> Option<&IstioSubset> {
        self.subsets.iter().find(|subset| subset.name == name)
    }
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
        if let Some(of_port) = from.ports.iter().find(|of| of.port == port) {
            self.load_balancer.clone_from(&of_port.load_balancer);
            self.outlier_detection
                .clone_from(&of_port.outlier_detection);
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
