//! Regions and labels that no endpoint has.

use alloc::{collections::BTreeSet, format, string::String};
use spillgate_core::visible::quoted;

use spillgate_config::nearest;

use super::{
    super::{context::MeshContext, rule::MeshRule},
    views::all_localities,
};
use crate::{finding::Severity, json, sink::Sink};

/// `failover` names a target region without endpoints. Often the name is misspelled.
///
/// All other regions have the same priority.
pub(in super::super) static REGION: MeshRule = MeshRule {
    id: "istio-failover-no-endpoint",
    severity: Severity::Warning,
    summary: "failover to a region that no endpoint has",
    check: region,
};

/// No endpoint has a label of `failoverPriority`.
///
/// For proxies with the label, no endpoint matches it, and the labels after it have no effect.
pub(in super::super) static LABEL: MeshRule = MeshRule {
    id: "istio-label-no-endpoint",
    severity: Severity::Warning,
    summary: "failoverPriority with a label that no endpoint has",
    check: label,
};

/// Labels that proxies and endpoints both lack in a mesh of one network or without sub-zones.
const OPTIONAL: [&str; 5] = [
    "topology.istio.io/network",
    "topology.istio.io/cluster",
    "topology.istio.io/subzone",
    "topology.kubernetes.io/region",
    "topology.kubernetes.io/zone",
];

/// Finds regions without endpoints.
fn region(context: &MeshContext<'_>, sink: &mut Sink) {
    for at in &context.settings {
        let localities = all_localities(at.services(&context.services));
        let regions: BTreeSet<&str> = localities
            .iter()
            .filter_map(|locality| locality.split('/').next())
            .filter(|region| !region.is_empty())
            .collect();
        // The endpoints of one region do not show the others.
        if regions.len() < 2 {
            continue;
        }
        for (index, rule) in at.setting.failover.iter().enumerate() {
            if regions.contains(rule.to.as_str()) {
                continue;
            }
            let cause = format!("no endpoint is in region {}", quoted(&rule.to));
            let effect = format!(
                "the rule adds 0 hosts: all other regions have one priority for proxies in {}",
                quoted(&rule.from)
            );
            let others = regions
                .iter()
                .copied()
                .filter(|region| *region != rule.from);
            let meant = nearest(&rule.to, others);
            let fix = match meant {
                Some(meant) => format!("write {}", quoted(meant)),
                None => String::from("name a region with endpoints"),
            };
            let place = at.place(&format!("failover[{index}].to"));
            let finding = sink.add(&place, cause, effect, fix);
            if let Some(meant) = meant {
                finding.set(&place.path, json::text(meant));
            }
        }
    }
}

/// Finds labels without endpoints.
fn label(context: &MeshContext<'_>, sink: &mut Sink) {
    for at in &context.settings {
        let endpoints = || {
            at.services(&context.services)
                .flat_map(|service| &service.endpoints)
        };
        if endpoints().next().is_none() {
            continue;
        }
        for (index, written) in at.setting.failover_priority.iter().enumerate() {
            let (key, value) = match written.split_once('=') {
                Some((key, value)) => (key, Some(value)),
                None => (written.as_str(), None),
            };
            let has = |own: &String| value.is_none_or(|value| own == value);
            let optional = value.is_none() && OPTIONAL.contains(&key);
            if optional || endpoints().any(|endpoint| endpoint.labels.get(key).is_some_and(has)) {
                continue;
            }
            let cause = format!("no endpoint has the label {}", quoted(written));
            let effect = match index {
                0 => String::from("all endpoints have the same priority"),
                _ => String::from("only the labels before it affect the priorities"),
            };
            let keys = endpoints().flat_map(|endpoint| endpoint.labels.keys());
            let keys: BTreeSet<&str> = keys.map(String::as_str).collect();
            let known = keys.contains(key);
            let meant = nearest(key, keys.iter().copied()).filter(|_| value.is_none() && !known);
            let fix = match meant {
                Some(meant) => format!("write {}", quoted(meant)),
                None => String::from("use a label of the endpoints, or remove it"),
            };
            let place = at.place(&format!("failoverPriority[{index}]"));
            let finding = sink.add(&place, cause, effect, fix);
            match meant {
                Some(meant) => finding.set(&place.path, json::text(meant)),
                None => finding.remove(&place.path),
            };
        }
    }
}
