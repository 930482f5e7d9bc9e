//! A `ClusterLoadAssignment`: priorities, localities and endpoints, in the order that hash tables
//! and round robin depend on.

use alloc::{format, vec::Vec};

use spillgate_core::model::{
    DropOverload, Locality, OverprovisioningFactor, PlainCluster, Priority, PriorityLocality,
};

use super::{
    super::{
        names::name_of,
        tree::{Fields, Tree},
    },
    endpoint::{EndpointContext, endpoint},
};
use crate::{Diagnostic, envoy::DENOMINATOR, node::quote, proto::Report};

/// The assignment of a cluster.
pub(super) fn assignment(
    plain: &PlainCluster,
    context: EndpointContext<'_>,
    report: &mut Report,
) -> Fields {
    let mut endpoints = Vec::new();
    for (number, priority) in plain.priorities.iter().enumerate() {
        let last = number + 1 == plain.priorities.len();
        let number32 = u32::try_from(number).unwrap_or(u32::MAX);
        write_priority(priority, number32, last, context, &mut endpoints, report);
    }
    let factor = plain.overprovisioning_factor;
    if factor.0 == 0 {
        refused(context, "overprovisioning factor is 0", report);
    }
    let policy = Fields::new()
        .with_list("drop_overloads", drop_overload(plain.drop_overload))
        .with_unless(
            "overprovisioning_factor",
            factor.0,
            OverprovisioningFactor::DEFAULT.0,
        )
        .with_flag("weighted_priority_health", plain.weighted_priority_health);
    Fields::new()
        .with("cluster_name", context.cluster)
        .with_list("endpoints", endpoints)
        .with_filled("policy", policy)
}

/// The names of a locality; unset names are omitted.
pub(super) fn locality(locality: &Locality) -> Fields {
    Fields::new()
        .with_text("region", &locality.region)
        .with_text("zone", &locality.zone)
        .with_text("sub_zone", &locality.sub_zone)
}

/// Writes adjacent endpoints of one locality as one message. A locality may occur again: Envoy
/// merges its endpoints, and their order in the priority is kept.
fn write_priority(
    priority: &Priority,
    number: u32,
    last: bool,
    context: EndpointContext<'_>,
    into: &mut Vec<Tree>,
    report: &mut Report,
) {
    let mut written = 0;
    for run in priority.endpoints.chunk_by(|a, b| a.locality == b.locality) {
        let index = run.first().map_or(0, |endpoint| endpoint.locality);
        // The order of localities is that of their first occurrence.
        while written < index {
            into.extend(empty_locality(priority, written, number, context, report));
            written += 1;
        }
        let endpoints: Vec<Fields> = run
            .iter()
            .filter_map(|one| endpoint(one, context, report))
            .collect();
        let head = head(priority.localities.get(index), number, context, report);
        into.push(head.with_list("lb_endpoints", endpoints).into());
        written = written.max(index + 1);
    }
    while written < priority.localities.len() {
        into.extend(empty_locality(priority, written, number, context, report));
        written += 1;
    }
    if last && priority.localities.is_empty() && priority.endpoints.is_empty() {
        // The last priority defines the number of priorities.
        into.push(head(None, number, context, report).into());
    }
}

fn empty_locality(
    priority: &Priority,
    index: usize,
    number: u32,
    context: EndpointContext<'_>,
    report: &mut Report,
) -> Option<Tree> {
    let locality = priority.localities.get(index)?;
    Some(head(Some(locality), number, context, report).into())
}

/// The fields before the endpoints of a locality.
fn head(
    of: Option<&PriorityLocality>,
    priority: u32,
    context: EndpointContext<'_>,
    report: &mut Report,
) -> Fields {
    let names = of.map(|of| locality(&of.locality)).unwrap_or_default();
    let weight = of.and_then(|of| of.weight);
    if weight == Some(0) {
        refused(context, "locality weight is 0", report);
    }
    // Envoy uses the weight only of an entry with a locality, even an unnamed one.
    let stated = weight.is_some() || !names.is_empty();
    Fields::new()
        .with_some("locality", stated.then_some(names))
        .with_some("load_balancing_weight", weight)
        .with_unless("priority", priority, 0)
}

fn drop_overload(drop: DropOverload) -> Option<Fields> {
    let millionths = drop.millionths();
    if millionths == 0 {
        return None;
    }
    // The coarsest denominator that divides evenly.
    let unit = DENOMINATOR
        .into_iter()
        .map(|(_, _, unit)| unit)
        .find(|unit| millionths.is_multiple_of(*unit))
        .unwrap_or(1);
    let percentage = Fields::new()
        .with("numerator", millionths / unit)
        .with("denominator", name_of(&DENOMINATOR, &unit));
    Some(
        Fields::new()
            .with("category", "drop")
            .with("drop_percentage", percentage),
    )
}

fn refused(context: EndpointContext<'_>, what: &str, report: &mut Report) {
    let message = format!("cluster {}: {what}", quote(context.cluster));
    report.push(Diagnostic::error("write/value", message).expected("at least 1"));
}
