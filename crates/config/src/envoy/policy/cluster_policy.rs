//! The policy of a cluster, classic or typed, and whether it fits the cluster's type.

use super::{
    classic::read_policy,
    read_policy::{LbPolicy, PolicyContext, ReadPolicy},
    subset::classic_subset_settings,
    typed::read_typed_policy,
};
use crate::{
    Diagnostic,
    envoy::{
        discovery::Discovery,
        facts::{FieldPlace, stacked},
        marks::ClusterMarks,
    },
    proto::{Message, Report},
};

const TYPED: &str = "load_balancing_policy";

/// Reads the policy; `None` after an error.
pub(crate) fn cluster_policy(
    message: &Message<'_, '_>,
    context: &PolicyContext<'_, '_, '_>,
    marks: &mut ClusterMarks,
    report: &mut Report,
) -> Option<ReadPolicy> {
    if message.has(TYPED) {
        if report.is_for_grpc() && !is_for_envoy(message, marks, report) {
            return Some(ReadPolicy::default());
        }
        // It replaces lb_policy and its settings, except the panic threshold.
        check_alone(message, context.common, report);
        if report.is_judged() {
            // Envoy refuses both together; a lint rule says so.
            classic_subset_settings(message, marks, report);
        }
        if let (Some(facts), Some(policy)) = (marks.facts(), message.get(TYPED)) {
            facts.policy.place = FieldPlace::new(&message.path.field(TYPED), policy.position);
            facts.policy.typed = true;
            let classic = message.get("lb_subset_config");
            facts.policy.stacked = classic.map(|classic| stacked(classic, policy));
        }
        return read_typed_policy(message, TYPED, marks, report);
    }
    let lb_policy = match context.lb_policy {
        Some(lb_policy) => lb_policy,
        // An unreadable value has already been reported.
        None if message.has("lb_policy") => return None,
        None => LbPolicy::RoundRobin,
    };
    let read = read_policy(message, lb_policy, context, marks, report);
    if let (true, Some(common)) = (read.hash_hostname, context.common)
        && context.discovery != Some(Discovery::StrictDns)
    {
        Diagnostic::error(
            "config/hash-hostname",
            "use_hostname_for_hashing requires a cluster of type STRICT_DNS",
        )
        .at(
            common.path.field("consistent_hashing_lb_config").text(),
            common.position_of("consistent_hashing_lb_config"),
        )
        .push_to(report);
    }
    Some(read)
}

/// Whether Envoy has a policy of the list, and reads it without an error.
fn is_for_envoy(message: &Message<'_, '_>, marks: &ClusterMarks, report: &Report) -> bool {
    let (mut marks, mut attempt) = (marks.clone(), report.attempt());
    let read = read_typed_policy(message, TYPED, &mut marks, &mut attempt);
    read.is_some() && attempt.errors() == 0
}

/// Reports fields that Envoy does not allow with a typed policy.
fn check_alone(message: &Message<'_, '_>, common: Option<&Message<'_, '_>>, report: &mut Report) {
    const COMMON: [&str; 3] = [
        "zone_aware_lb_config",
        "locality_weighted_lb_config",
        "consistent_hashing_lb_config",
    ];
    let fault = "not allowed with load_balancing_policy";
    if message.has("lb_subset_config") && !report.is_judged() {
        report.push(message.error("lb_subset_config", "config/one-of", fault));
    }
    let Some(common) = common else { return };
    for field in COMMON {
        if common.has(field) {
            report.push(common.error(field, "config/one-of", fault));
        }
    }
}

/// A cluster type that provides its policy requires CLUSTER_PROVIDED; other types reject it.
pub(crate) fn check_provided(
    message: &Message<'_, '_>,
    context: &PolicyContext<'_, '_, '_>,
    read: Option<&ReadPolicy>,
    report: &mut Report,
) {
    let Some(read) = read.filter(|_| !report.is_for_grpc()) else {
        return;
    };
    let typed = message.has(TYPED);
    let field = if typed { TYPED } else { "lb_policy" };
    let brings = match context.discovery {
        None => true,
        // The classic field of such a cluster is checked with its other fields.
        Some(Discovery::OriginalDst) if !typed => return,
        Some(Discovery::OriginalDst) => true,
        // The behavior of an unknown type is unknown.
        Some(Discovery::Other) => return,
        Some(_) => false,
    };
    // A lint rule covers a subset policy on a cluster without its own hosts.
    let subsets = report.is_judged() && read.subsets.is_some();
    if subsets && context.discovery == Some(Discovery::OriginalDst) {
        return;
    }
    let mut diagnostic = if brings && !read.provided {
        let fault = "this cluster type requires CLUSTER_PROVIDED";
        message.error(field, "config/lb-policy", fault)
    } else if !brings && read.provided {
        let fault = "this cluster type does not support CLUSTER_PROVIDED";
        message.error(field, "config/lb-policy", fault)
    } else if !typed && context.lb_policy == Some(LbPolicy::Extension) {
        message.error(
            field,
            "config/lb-policy",
            "load_balancing_policy is missing",
        )
    } else {
        return;
    };
    if brings {
        diagnostic = diagnostic.expected("CLUSTER_PROVIDED");
    }
    report.push(diagnostic);
}
