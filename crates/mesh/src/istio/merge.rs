//! Several DestinationRules for one host (`mergeDestinationRule` in `destination_rule.go`,
//! `sortConfigBySelectorAndCreationTime` in `push_context.go`).

use alloc::{
    collections::BTreeSet,
    string::{String, ToString as _},
    vec::Vec,
};

use super::IstioDestinationRule;

/// A DestinationRule as Istio applies it: that of one document, or of several for the same host.
#[derive(Debug, Clone, PartialEq)]
pub struct IstioMergedRule {
    /// The first rule, with the subsets of the others that it does not have by name, and the traffic
    /// policy of the first rule that has one.
    pub rule: IstioDestinationRule,
    /// The positions of the rules in the rule list, in the order in which they were merged.
    pub from: Vec<usize>,
}

// === impl IstioDestinationRule ===

impl IstioDestinationRule {
    /// The namespaces that use the rule; empty means all. A rule with a workload selector is private.
    pub(super) fn exports(&self) -> BTreeSet<String> {
        if self.workload_selector.is_empty() {
            self.export_to.clone()
        } else {
            BTreeSet::from([".".to_string()])
        }
    }
}

/// Merges the rules of one namespace for one host. Rules with a workload selector come first, then
/// older ones, then the name decides; documents without any of these keep their order.
///
/// A rule joins each earlier one that has the same exports or some of them, unless both select
/// workloads, and different ones. It also stays a rule of its own, unless it joined the last earlier
/// one and has the same exports or the same selector.
pub(super) fn merged<'a>(
    rules: impl Iterator<Item = (usize, &'a IstioDestinationRule)>,
) -> Vec<IstioMergedRule> {
    let mut rules: Vec<(usize, &IstioDestinationRule)> = rules.collect();
    rules.sort_by_key(|(_, rule)| (rule.workload_selector.is_empty(), &rule.created, &rule.name));
    let mut all: Vec<IstioMergedRule> = Vec::new();
    for (at, rule) in rules {
        let exports = rule.exports();
        let mut own = true;
        for known in &mut all {
            let before = known.rule.exports();
            let same = exports == before;
            own = !same;
            if !same && (before.is_empty() || !exports.is_superset(&before)) {
                continue;
            }
            let (one, other) = (&known.rule.workload_selector, &rule.workload_selector);
            if one == other {
                own = false;
            } else if !one.is_empty() && !other.is_empty() {
                own = true;
                continue;
            }
            known.add(at, rule);
        }
        if own {
            all.push(IstioMergedRule {
                rule: rule.clone(),
                from: Vec::from([at]),
            });
        }
    }
    all
}

// === impl IstioMergedRule ===

impl IstioMergedRule {
    fn add(&mut self, at: usize, other: &IstioDestinationRule) {
        for subset in &other.subsets {
            if self.rule.subset(&subset.name).is_none() {
                self.rule.subsets.push(subset.clone());
            }
        }
        if self.rule.traffic_policy.is_none() {
            self.rule.traffic_policy.clone_from(&other.traffic_policy);
        }
        self.from.push(at);
    }
}
