//! Why proxies do not receive endpoints, and how two readings of a policy differ, as text.

use alloc::{format, string::String, vec::Vec};

use spillgate_core::order::sorted;
use spillgate_mesh::{DropReason, MeshAssignment, kuma::KumaRow};

use crate::node::quote;

/// Why a proxy does not receive an endpoint, as the end of a sentence.
#[must_use]
pub fn drop_reason(reason: &DropReason) -> String {
    match reason {
        DropReason::NoRuleTakesZone { zone } => {
            format!("no failover rule takes zone {}", quote(zone))
        }
        DropReason::EndedByNone { zone, rule } => format!(
            "failover[{rule}] of type None ends the list before a rule takes zone {}",
            quote(zone)
        ),
        DropReason::EgressWithoutCrossZone { zone } => format!(
            "the policy keeps requests in the local zone, and the zone egress serves zone {}",
            quote(zone)
        ),
        DropReason::NoShare { rule } => {
            format!("distribute[{rule}] gives its locality no share")
        }
        DropReason::RepeatedGateway => {
            "Envoy keeps a gateway in its first locality only (istio/istio#56355)".into()
        }
    }
}

/// What the readings of a row differ in.
#[must_use]
pub const fn row_sentence(row: KumaRow) -> &'static str {
    match row {
        KumaRow::EmptyObject => {
            "an empty localityAwareness keeps other zones at priority 1; the record drops them"
        }
        KumaRow::Threshold => {
            "the overprovisioning factor is truncated to a multiple of 100; the record promises the \
             threshold itself"
        }
        KumaRow::NoneEndsList => {
            "a rule of type None has no effect; the record ends the list there"
        }
        KumaRow::TagOrder => {
            "an endpoint joins the first matching tag; the record chooses the highest weight"
        }
        KumaRow::ExcludedZone => {
            "proxies of an excluded zone use the AnyExcept rule, too; the record excludes them"
        }
        KumaRow::PriorityGaps => {
            "rules that do not apply leave gaps in the priorities; the record numbers without gaps"
        }
        KumaRow::Disabled => {
            "disabled has no effect next to localZone or crossZone; the record lets it win"
        }
        KumaRow::EgressWithoutCrossZone => {
            "the zone egress keeps priority 1 without crossZone; the record drops it"
        }
        KumaRow::LabelFallback => {
            "labels of the Dataplane replace missing tags; the record reads tags only"
        }
    }
}

/// The groups of an assignment on one line:
/// `factor 200; P0 zone-1 k=v weight 9 (2 hosts); P1 zone-2 (1 host); 3 hosts dropped`.
#[must_use]
pub fn assignment_line(assignment: &MeshAssignment) -> String {
    let mut parts = Vec::new();
    parts.push(match assignment.overprovisioning_factor {
        Some(factor) => format!("factor {factor}"),
        None => String::from("factor unset (140)"),
    });
    let groups: Vec<_> = assignment.groups.iter().collect();
    for group in sorted(groups, |a, b| a.priority.cmp(&b.priority)) {
        let locality = &group.locality;
        let names = [&locality.region, &locality.zone, &locality.sub_zone];
        let names: Vec<&str> = names
            .into_iter()
            .filter(|name| !name.is_empty())
            .map(String::as_str)
            .collect();
        let weight = group.weight.map(|weight| format!(" weight {weight}"));
        parts.push(format!(
            "P{} {}{} ({})",
            group.priority,
            names.join(" "),
            weight.unwrap_or_default(),
            hosts(group.endpoints.len())
        ));
    }
    if !assignment.dropped.is_empty() {
        parts.push(format!("{} dropped", hosts(assignment.dropped.len())));
    }
    parts.join("; ")
}

fn hosts(count: usize) -> String {
    match count {
        1 => String::from("1 host"),
        _ => format!("{count} hosts"),
    }
}
