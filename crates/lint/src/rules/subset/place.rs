//! Subsets where they are not allowed.

use alloc::format;
use spillgate_core::visible::quoted;

use spillgate_config::envoy::facts::Discovery;

use crate::{context::Context, finding::Severity, rule::Rule, sink::Sink};

/// A cluster of type `ORIGINAL_DST` has subset settings.
///
/// Such a cluster has no hosts until requests name them. Envoy rejects selectors on it; without
/// selectors the setting has no effect.
pub(crate) static ORIGINAL_DST: Rule = Rule {
    id: "subset-original-dst",
    severity: Severity::Error,
    summary: "subsets on an ORIGINAL_DST cluster",
    check: original_dst,
};

/// `lb_subset_config` and `load_balancing_policy` are both set.
///
/// Envoy rejects the whole configuration.
pub(crate) static WITH_LB_POLICY: Rule = Rule {
    id: "subset-with-lb-policy",
    severity: Severity::Error,
    summary: "lb_subset_config with load_balancing_policy",
    check: with_lb_policy,
};

/// Finds subsets on ORIGINAL_DST clusters.
fn original_dst(context: &Context<'_>, sink: &mut Sink) {
    for cluster in &context.facts.clusters {
        let Some(subsets) = cluster.policy.subsets() else {
            continue;
        };
        if cluster.discovery != Discovery::OriginalDst {
            continue;
        }
        let cause = format!("ORIGINAL_DST cluster {} has subsets", quoted(&cluster.name));
        let effect = match subsets.selectors.as_slice() {
            [] => "the setting has no effect",
            _ => "Envoy rejects the whole configuration",
        };
        let fix = "remove the subsets, or use another cluster type";
        let finding = sink.add(&subsets.place, cause, effect, fix);
        if !cluster.policy.typed {
            finding.remove(&subsets.place.path);
        }
    }
}

/// Finds `lb_subset_config` next to a typed policy.
fn with_lb_policy(context: &Context<'_>, sink: &mut Sink) {
    for cluster in &context.facts.clusters {
        let policy = &cluster.policy;
        let (Some(classic), Some(stacked)) = (&policy.classic_subsets, &policy.stacked) else {
            continue;
        };
        let cause = format!(
            "cluster {} has both lb_subset_config and load_balancing_policy",
            quoted(&cluster.name)
        );
        let effect = "Envoy rejects the whole configuration";
        let fix = "move the subsets into a Subset policy in load_balancing_policy";
        let typed = cluster.place.field("load_balancing_policy").path;
        sink.add(&classic.place, cause, effect, fix)
            .remove(&classic.place.path)
            .set(typed, stacked.as_str());
    }
}
