//! The load-balancing policy of a cluster from `load_balancing_policy`, with nested policies.

use alloc::{format, string::String, vec::Vec};

use spillgate_core::model::{LocalityLb, Policy};

use super::{
    dynamic_module::read_dynamic_module,
    host_sources::read_host_sources,
    kind::{Kind, TypedPolicy, open_policy},
    load_aware::read_load_aware,
    read_policy::ReadPolicy,
    subset::read_subsets,
    typed_kinds::{client_side_weighted, least_request, maglev, ring_hash, simple},
};
use crate::{
    Position,
    envoy::{
        facts::FieldPlace,
        marks::ClusterMarks,
        plugin::module_name,
        schema::{
            CLUSTER_PROVIDED, LOAD_AWARE_LOCALITY, LOAD_BALANCING_POLICY, OVERRIDE_HOST, RANDOM,
            ROUND_ROBIN, SUBSET, WRR_LOCALITY,
        },
    },
    proto::{Any, Message, Report},
};

/// Reads the policy that Envoy uses from the list, the first known one, and records its position.
pub(super) fn read_typed_policy(
    parent: &Message<'_, '_>,
    field: &'static str,
    marks: &mut ClusterMarks,
    report: &mut Report,
) -> Option<ReadPolicy> {
    let message = parent.message(field, &LOAD_BALANCING_POLICY, report)?;
    let errors = report.errors();
    for (path, node) in message.list("policies", report) {
        if let Some(policy) = open_policy(node, path, report) {
            marks.lb_policy = Some(node.position);
            if let Some(read) = read_one(policy, marks, report) {
                return Some(read);
            }
        }
        if report.errors() > errors {
            return None;
        }
    }
    let fault = if message.list("policies", report).next().is_some() {
        "no known policy in the list"
    } else {
        "policy list is empty"
    };
    report.push(message.error("policies", "config/missing", fault));
    None
}

/// Reads the message of a policy.
fn read_one(
    TypedPolicy { any, name, kind }: TypedPolicy<'_, '_>,
    marks: &mut ClusterMarks,
    report: &mut Report,
) -> Option<ReadPolicy> {
    if let (false, Some(facts)) = (kind.wraps(), marks.facts()) {
        facts.policy.place = FieldPlace::new(&any.path, any.node.position);
        facts.policy.settings = facts.policy.place.clone();
    }
    match kind {
        Kind::RoundRobin => simple(any, &ROUND_ROBIN, Policy::RoundRobin, marks, report),
        Kind::Random => simple(any, &RANDOM, Policy::Random, marks, report),
        Kind::LeastRequest => least_request(any, marks, report),
        Kind::RingHash => ring_hash(any, marks, report),
        Kind::Maglev => maglev(any, marks, report),
        Kind::ClientSideWeighted => client_side_weighted(any, marks, report),
        Kind::WrrLocality => wrr_locality(any, marks, report),
        Kind::ClusterProvided => {
            any.open(&CLUSTER_PROVIDED, report)?;
            Some(ReadPolicy {
                provided: true,
                ..ReadPolicy::default()
            })
        }
        Kind::OverrideHost => override_host(any, marks, report),
        // The filter reports an error below.
        Kind::LoadAware if cfg!(feature = "yaml") => load_aware(any, name, marks, report),
        Kind::Subset => subset(any, marks, report),
        // The configuration of the filter is JSON; its clusters have no such policy.
        Kind::DynamicModule
            if cfg!(feature = "yaml")
                && let Some(read) = read_dynamic_module(&any, report) =>
        {
            let module = module_name(any.node);
            if let Some(facts) = marks.facts() {
                facts.policy.module = module.map(String::from);
            }
            marks.set_module(read.undecided, module);
            Some(read)
        }
        Kind::LoadAware | Kind::DynamicModule | Kind::NotModeled => {
            // Other policies have shares near ROUND_ROBIN's while all hosts are idle, so it is a
            // useful approximation for a person who reads the warning.
            report.missing_feature(
                "config/policy-not-modeled",
                &format!("policy {name}"),
                "using ROUND_ROBIN",
                &any.path,
                any.node.position,
            );
            Some(ReadPolicy::default())
        }
    }
}

fn wrr_locality(
    any: Any<'_, '_>,
    marks: &mut ClusterMarks,
    report: &mut Report,
) -> Option<ReadPolicy> {
    let message = any.open(&WRR_LOCALITY, report)?;
    let field = "endpoint_picking_policy";
    let read = child_policy(&message, field, marks, report)?;
    if read.policy != Policy::ClientSideWeightedRoundRobin || read.subsets.is_some() {
        message
            .error(
                field,
                "config/lb-policy",
                "policy is not allowed inside this one",
            )
            .expected("ClientSideWeightedRoundRobin")
            .push_to(report);
    }
    marks.locality_lb = Some(message.position);
    Some(ReadPolicy {
        locality_lb: LocalityLb::Weighted,
        ..read
    })
}

/// The localities share requests by reports of their hosts, which are an input of some commands. Others,
/// and those whose inner policy is not applied to each locality alone, use the inner policy for all hosts.
fn load_aware(
    any: Any<'_, '_>,
    name: &'static str,
    marks: &mut ClusterMarks,
    report: &mut Report,
) -> Option<ReadPolicy> {
    let (path, position) = (any.path.clone(), any.node.position);
    let message = any.open(&LOAD_AWARE_LOCALITY, report)?;
    let settings = read_load_aware(&message, report);
    let read = child_policy(&message, "endpoint_picking_policy", marks, report)?;
    let is_plain = read.subsets.is_none()
        && read.override_hosts.is_empty()
        && read.undecided.is_none()
        && !read.policy.hashes()
        && !read.locality_lb.is_weighted()
        && marks.load_aware.take().is_none();
    if is_plain {
        marks.load_aware = Some(settings);
        report.limit(
            "config/reported-utilization",
            "the utilization that hosts report is not in the input; the hosts of all localities \
             share requests here",
            &path,
            position,
        );
    } else {
        let what = format!("policy {name} around this endpoint_picking_policy");
        let instead = "using the inner policy for all hosts";
        report.missing_feature("config/policy-not-modeled", &what, instead, &path, position);
    }
    Some(read)
}

/// The sources of a nested policy of this kind are never used: both policies share one override
/// host list.
fn override_host(
    any: Any<'_, '_>,
    marks: &mut ClusterMarks,
    report: &mut Report,
) -> Option<ReadPolicy> {
    let message = any.open(&OVERRIDE_HOST, report)?;
    let override_hosts = read_host_sources(&message, marks, report);
    if let Some(facts) = marks.facts() {
        facts.policy.fallback = FieldPlace::of_field(&message, "fallback_policy");
    }
    let mut read = child_policy(&message, "fallback_policy", marks, report)?;
    if read.undecided.is_none() {
        read.override_hosts.clear();
    }
    // Envoy uses the single host of the dynamic module before it asks a policy.
    read.override_hosts.extend(override_hosts);
    Some(read)
}

fn subset(any: Any<'_, '_>, marks: &mut ClusterMarks, report: &mut Report) -> Option<ReadPolicy> {
    let message = any.open(&SUBSET, report)?;
    let field = "subset_lb_policy";
    let child = child_policy(&message, field, marks, report);
    if child.as_ref().is_some_and(|child| child.subsets.is_some()) {
        report.missing_feature(
            "config/policy-not-modeled",
            "a Subset policy inside another",
            "using the outer one",
            &message.path.field(field),
            message.position_of(field),
        );
    }
    // Its localities then share the requests of each subset.
    marks.load_aware = None;
    marks.subset_selectors.clear();
    let subsets = read_subsets(&message, marks, report);
    Some(ReadPolicy {
        subsets: Some(subsets),
        // Inside a subset, Envoy ignores override hosts.
        override_hosts: Vec::new(),
        ..child?
    })
}

/// A nested policy; the mark of the outer one is kept.
fn child_policy(
    parent: &Message<'_, '_>,
    field: &'static str,
    marks: &mut ClusterMarks,
    report: &mut Report,
) -> Option<ReadPolicy> {
    let outer: Option<Position> = marks.lb_policy;
    if !parent.has(field) {
        parent.missing(field).push_to(report);
        return None;
    }
    let read = read_typed_policy(parent, field, marks, report);
    marks.lb_policy = outer;
    let mut read = read?;
    if core::mem::take(&mut read.provided) {
        let fault = "ClusterProvided is not allowed inside another policy";
        report.push(parent.error(field, "config/lb-policy", fault));
    }
    Some(read)
}
