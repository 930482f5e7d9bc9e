//! A `ClusterLoadAssignment`: priorities, localities and endpoints.

use alloc::{format, vec::Vec};

use spillgate_core::{
    model::{DropOverload, Locality, OverprovisioningFactor, Priority, Weight},
    names::Names,
};

#[cfg(feature = "unread")]
use super::endpoint::note_transport_match;
use super::{
    drop_overload::read_drop_overload,
    endpoint::{EndpointContext, WEIGHT, read_endpoint, read_weight},
};
use crate::{
    Diagnostic,
    envoy::{
        common::is_dns_name,
        facts::{FieldPlace, LocalityFacts},
        marks::ClusterMarks,
        schema::{ASSIGNMENT_POLICY, LOCALITY, LOCALITY_LB_ENDPOINTS},
    },
    node::{Node, NodeValue},
    proto::{Message, Path, Report},
};

/// The highest priority number that Envoy accepts.
pub(crate) const MAXIMUM_PRIORITY: u32 = 128;

/// The parts of a cluster that its assignment provides.
#[derive(Debug, Default)]
pub(crate) struct Assignment {
    pub(crate) priorities: Vec<Priority>,
    pub(crate) overprovisioning_factor: OverprovisioningFactor,
    pub(crate) weighted_priority_health: bool,
    pub(crate) drop_overload: DropOverload,
}

/// Reads an assignment and records its positions in `marks`. Continues after an error.
pub(crate) fn read_assignment(
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
        check_stale_after(&policy, context.once, report);
        assignment.drop_overload = read_drop_overload(&policy, marks, report);
    }
    let mut reader = Reader {
        context,
        seen: Names::default(),
        priorities: Vec::new(),
        marks,
    };
    for (path, node) in message.list("endpoints", report) {
        reader.read_locality(node, path, report);
    }
    assignment.priorities = reader.priorities;
    for (number, priority) in assignment.priorities.iter().enumerate() {
        check_weight_sum(message, number, priority, context.hashes, report);
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

/// Endpoints do not expire here, which is named for those of EDS; Envoy rejects an age of 0.
fn check_stale_after(policy: &Message<'_, '_>, from_eds: bool, report: &mut Report) {
    let field = "endpoint_stale_after";
    let Some(age) = policy.duration(field, report) else {
        return;
    };
    if age.is_zero() {
        policy.out_of_range(field, "more than \"0s\"", report);
    } else if from_eds {
        let effect = "endpoint_stale_after is not modeled; the cluster loses its hosts if EDS sends no update for this time";
        let (path, position) = (policy.path.field(field), policy.position_of(field));
        report.limit("config/not-modeled", effect, &path, position);
    }
}

struct Reader<'m> {
    context: EndpointContext,
    /// The addresses so far, if each is used once.
    seen: Names,
    priorities: Vec<Priority>,
    marks: &'m mut ClusterMarks,
}

impl Reader<'_> {
    /// One `LocalityLbEndpoints`. Entries with the same priority and locality are merged, as in
    /// Envoy.
    fn read_locality(&mut self, node: &Node<'_>, path: Path, report: &mut Report) {
        let Some(message) = Message::open(node, path, &LOCALITY_LB_ENDPOINTS, report) else {
            return;
        };
        let stated_weight = locality_weight(&message, report);
        #[cfg(feature = "unread")]
        report.at_conditions(message.get("locality"), |report| {
            note_transport_match(&message, "LocalityLbEndpoints", report);
        });
        let locality = message.message("locality", &LOCALITY, report);
        // Envoy uses the weight only of an entry that names its locality.
        let weight = stated_weight.filter(|_| locality.is_some());
        let has_locality = locality.is_some();
        let locality = locality.map(|l| read_names(&l, report)).unwrap_or_default();
        let number = priority_number(&message, report);
        let mut facts = report.is_judged().then(|| LocalityFacts {
            place: FieldPlace::of(&message),
            priority: number,
            locality: locality.clone(),
            has_locality,
            weight: FieldPlace::of_field(&message, WEIGHT).filter(|_| stated_weight.is_some()),
            weight_value: stated_weight.map_or(0, Weight::get),
            endpoints: Vec::new(),
            scalars: Vec::new(),
        });
        if self.priorities.len() <= number {
            self.priorities.resize_with(number + 1, Priority::default);
            self.marks.priorities.resize_with(number + 1, Vec::new);
            self.marks.localities.resize_with(number + 1, Vec::new);
        }
        let (Some(priority), Some(marks), Some(places)) = (
            self.priorities.get_mut(number),
            self.marks.priorities.get_mut(number),
            self.marks.localities.get_mut(number),
        ) else {
            return;
        };
        let index = priority.locality_index(locality);
        places.resize(priority.localities.len(), node.position);
        if let (Some(weight), Some(locality)) = (weight, priority.localities.get_mut(index)) {
            locality.weight = Some(weight.get());
        }
        for (path, node) in message.list("lb_endpoints", report) {
            let place = path.clone();
            let found = facts.as_mut();
            let Some((endpoint, mark)) =
                read_endpoint(node, path, (index, self.context), found, report)
            else {
                continue;
            };
            // EDS keeps the first endpoint of an address in a cluster, whatever its priority; other
            // clusters keep all.
            let replaced = report.is_accepted() && is_dns_name(&endpoint.address);
            if self.context.once && !replaced && !self.seen.add(&endpoint.address) {
                if report.is_judged() {
                    continue;
                }
                let why = "duplicate address; EDS keeps the first endpoint";
                report.note("config/repeated-address", why, &place, node.position);
                continue;
            }
            priority.endpoints.push(endpoint);
            marks.push(mark);
        }
        if let (Some(read), Some(facts)) = (facts, self.marks.facts()) {
            facts.localities.push(read);
        }
    }
}

/// The weight of a locality, if it has one.
fn locality_weight(message: &Message<'_, '_>, report: &mut Report) -> Option<Weight> {
    let node = message.get(WEIGHT)?;
    if report.is_dump() && node.value == NodeValue::Int(0) {
        return None;
    }
    read_weight(message, report)
}

/// The three names of a `Locality`.
pub(crate) fn read_names(message: &Message<'_, '_>, report: &mut Report) -> Locality {
    let mut text = |field| message.string(field, report).unwrap_or_default().into();
    Locality {
        region: text("region"),
        zone: text("zone"),
        sub_zone: text("sub_zone"),
    }
}

fn priority_number(message: &Message<'_, '_>, report: &mut Report) -> usize {
    match message.u32("priority", report) {
        Some(priority @ 0..=MAXIMUM_PRIORITY) => usize::try_from(priority).unwrap_or(0),
        Some(_) => {
            message.out_of_range(
                "priority",
                format!("an integer from 0 to {MAXIMUM_PRIORITY}"),
                report,
            );
            0
        }
        None => 0,
    }
}

/// Envoy documents the limits but enforces them only for hash policies.
fn check_weight_sum(
    message: &Message<'_, '_>,
    number: usize,
    priority: &Priority,
    hashes: bool,
    report: &mut Report,
) {
    let endpoints = priority.endpoints.iter().map(|e| u64::from(e.weight.get()));
    let localities = priority.localities.iter().filter_map(|l| l.weight);
    let sums = [
        ("endpoint", endpoints.sum::<u64>()),
        ("locality", localities.map(u64::from).sum()),
    ];
    for (what, sum) in sums {
        if sum > u64::from(u32::MAX) {
            let fault = Diagnostic::error(
                "config/weight-sum",
                format!("sum of {what} weights in priority {number} is too large"),
            )
            .at(
                message.path.field("endpoints").text(),
                message.position_of("endpoints"),
            )
            .found(format!("{sum}"))
            .expected("at most 4294967295");
            if hashes {
                report.push(fault)
            } else {
                report.doubt(fault)
            }
        }
    }
}
