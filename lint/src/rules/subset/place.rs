//! Subsets where they cannot be.

use alloc::format;

use spillgate_config::envoy::facts::Discovery;

use crate::{
    context::Context,
    finding::Severity,
    rule::{Rule, Sink},
};

/// A cluster of type `ORIGINAL_DST` has subset settings.
///
/// Such a cluster has no hosts before requests name them. Envoy refuses selectors on it; without
/// selectors the setting does nothing.
pub(crate) static ORIGINAL_DST: Rule = Rule {
    id: "subset-original-dst",
    severity: Severity::Error,
    summary: "subsets on an ORIGINAL_DST cluster",
    check: original_dst,
};

/// `lb_subset_config` stands beside `load_balancing_policy`.
///
/// Envoy refuses the whole configuration.
pub(crate) static WITH_LB_POLICY: Rule = Rule {
    id: "subset-with-lb-policy",
    severity: Severity::Error,
    summary: "lb_subset_config beside load_balancing_policy",
    check: with_lb_policy,
};

/// Looks for subsets on clusters without hosts of their own.
fn original_dst(context: &Context<'_>, sink: &mut Sink<'_>) {
    for cluster in &context.facts.clusters {
        let Some(subsets) = cluster.policy.subsets() else {
            continue;
        };
        if cluster.discovery != Discovery::OriginalDst {
            continue;
        }
        let cause = format!(
            "cluster {:?} is of type ORIGINAL_DST and has subsets",
            cluster.name
        );
        let effect = match subsets.selectors.as_slice() {
            [] => "such a cluster has no hosts to select from, and the setting does nothing",
            _ => {
                "such a cluster has no hosts to select from, and Envoy refuses the whole configuration"
            }
        };
        let fix = "drop the subsets, or give the cluster endpoints and another type";
        let finding = sink.add(&subsets.place, cause, effect, fix);
        if !cluster.policy.typed {
            finding.remove(&subsets.place.path);
        }
    }
}

/// Looks for `lb_subset_config` next to a typed policy.
fn with_lb_policy(context: &Context<'_>, sink: &mut Sink<'_>) {
    for cluster in &context.facts.clusters {
        let policy = &cluster.policy;
        let (Some(classic), Some(stacked)) = (&policy.classic_subsets, &policy.stacked) else {
            continue;
        };
        let cause = format!(
            "cluster {:?} has lb_subset_config and load_balancing_policy",
            cluster.name
        );
        let effect = "Envoy refuses the whole configuration";
        let fix =
            "move the subsets into load_balancing_policy, as a Subset policy around the other";
        let typed = cluster.place.field("load_balancing_policy").path;
        sink.add(&classic.place, cause, effect, fix)
            .remove(&classic.place.path)
            .set(typed, stacked.as_str());
    }
}
