//! A `ClusterLoadAssignment`: levels, localities and endpoints.

use alloc::{format, vec::Vec};

use spillgate_core::model::{Level, LevelLocality, Locality, OverprovisioningFactor};

use super::{
    endpoint::{EndpointContext, read_endpoint, read_weight},
    marks::{ClusterMarks, EndpointMarks},
    schema::{ASSIGNMENT_POLICY, LOCALITY, LOCALITY_LB_ENDPOINTS},
};
use crate::{
    Diagnostic,
    node::Node,
    proto::{Message, Path, Report},
};

/// The highest level number that Envoy accepts.
const MAXIMUM_PRIORITY: u32 = 128;

/// What an assignment gives to its cluster.
#[derive(Debug, Default)]
pub(super) struct Assignment {
    pub(super) levels: Vec<Level>,
    pub(super) overprovisioning_factor: OverprovisioningFactor,
    pub(super) weighted_priority_health: bool,
}

/// Reads an assignment and notes its places in `marks`. After an error the rest is still read.
pub(super) fn read_assignment(
    message: &Message<'_, '_>,
    context: EndpointContext,
    marks: &mut ClusterMarks,
    report: &mut Report,
) -> Assignment {
    let mut assignment = Assignment::default();
    message.required_string("cluster_name", report);
    if let Some(policy) = message.message("policy", &ASSIGNMENT_POLICY, report) {
        marks.overprovisioning_factor = policy
            .get("overprovisioning_factor")
            .map(|node| node.position);
        assignment.overprovisioning_factor = overprovisioning_factor(&policy, report);
        assignment.weighted_priority_health = policy
            .bool("weighted_priority_health", report)
            .unwrap_or(false);
    }
    for (path, node) in message.list("endpoints", report) {
        read_locality(
            node,
            path,
            context,
            &mut assignment.levels,
            &mut marks.levels,
            report,
        );
    }
    for (number, level) in assignment.levels.iter().enumerate() {
        check_weight_sum(message, number, level, report);
    }
    assignment
}

fn overprovisioning_factor(
    policy: &Message<'_, '_>,
    report: &mut Report,
) -> OverprovisioningFactor {
    policy
        .positive_u32("overprovisioning_factor", report)
        .map_or(OverprovisioningFactor::DEFAULT, OverprovisioningFactor)
}

/// One `LocalityLbEndpoints`. Two of the same level and locality become one, as in Envoy.
fn read_locality(
    node: &Node<'_>,
    path: Path,
    context: EndpointContext,
    levels: &mut Vec<Level>,
    marks: &mut Vec<Vec<EndpointMarks>>,
    report: &mut Report,
) {
    let Some(message) = Message::open(node, path, &LOCALITY_LB_ENDPOINTS, report) else {
        return;
    };
    let weight = read_weight(&message, report);
    let locality = message.message("locality", &LOCALITY, report);
    // Envoy keeps the weight only of a locality that says which one it is.
    let weight = weight.filter(|_| locality.is_some() && message.has("load_balancing_weight"));
    let locality = locality.map(|l| read_names(&l, report)).unwrap_or_default();
    let number = level_number(&message, report);
    if levels.len() <= number {
        levels.resize_with(number + 1, Level::default);
        marks.resize_with(number + 1, Vec::new);
    }
    let (Some(level), Some(marks)) = (levels.get_mut(number), marks.get_mut(number)) else {
        return;
    };
    let known = level
        .localities
        .iter_mut()
        .position(|l| l.locality == locality);
    let index = known.unwrap_or(level.localities.len());
    if known.is_none() {
        level.localities.push(LevelLocality {
            locality,
            weight: None,
        });
    }
    if let (Some(weight), Some(locality)) = (weight, level.localities.get_mut(index)) {
        locality.weight = Some(weight.get());
    }
    for (path, node) in message.list("lb_endpoints", report) {
        if let Some((endpoint, mark)) = read_endpoint(node, path, index, context, report) {
            level.endpoints.push(endpoint);
            marks.push(mark);
        }
    }
}

fn read_names(message: &Message<'_, '_>, report: &mut Report) -> Locality {
    let mut text = |field| message.string(field, report).unwrap_or_default().into();
    Locality {
        region: text("region"),
        zone: text("zone"),
        sub_zone: text("sub_zone"),
    }
}

fn level_number(message: &Message<'_, '_>, report: &mut Report) -> usize {
    match message.u32("priority", report) {
        Some(priority @ 0..=MAXIMUM_PRIORITY) => usize::try_from(priority).unwrap_or(0),
        Some(_) => {
            report.push(
                message
                    .error("priority", "config/value", "out of range")
                    .expected(format!("a whole number from 0 to {MAXIMUM_PRIORITY}")),
            );
            0
        }
        None => 0,
    }
}

/// Envoy documents the limit and lets static clusters exceed it.
fn check_weight_sum(message: &Message<'_, '_>, number: usize, level: &Level, report: &mut Report) {
    let sum: u64 = level
        .endpoints
        .iter()
        .map(|e| u64::from(e.weight.get()))
        .sum();
    if sum > u64::from(u32::MAX) {
        report.doubt(
            Diagnostic::warning(
                "config/weight-sum",
                format!("the weights of the endpoints of level {number} sum to too much"),
            )
            .at(
                message.path.field("endpoints").text(),
                message.position_of("endpoints"),
            )
            .found(format!("{sum}"))
            .expected("at most 4294967295"),
        );
    }
}
