//! The assignment of a cluster: its own, or one with its name elsewhere in the input.

use crate::{
    envoy::{
        assignment::{Assignment, EndpointContext, read_assignment},
        common::ByName,
        discovery::{Discovery, check_single_endpoint},
        marks::ClusterMarks,
        policy::ReadPolicy,
        schema::{EDS_CLUSTER_CONFIG, LOAD_ASSIGNMENT},
    },
    node::NodeValue,
    proto::{Message, Report},
};

/// The assignment inside the cluster or elsewhere in the input; an EDS cluster prefers the latter.
/// `None` if the input has none.
pub(super) fn cluster_assignment(
    message: &Message<'_, '_>,
    discovery: Discovery,
    policy: &ReadPolicy,
    assignments: &ByName<'_, '_>,
    marks: &mut ClusterMarks,
    report: &mut Report,
) -> Option<Assignment> {
    let eds = discovery == Discovery::Eds;
    let context = EndpointContext {
        names: matches!(discovery, Discovery::StrictDns | Discovery::LogicalDns),
        hash_hostname: policy.hash_hostname,
        hashes: policy.policy.hashes(),
        once: eds,
        one_host: discovery == Discovery::LogicalDns,
    };
    let field = "load_assignment";
    let separate = separate(message, eds, assignments, report);
    let inside = message.message(field, &LOAD_ASSIGNMENT, report);
    if let (true, Some(inside)) = (eds, &inside) {
        report.note(
            "config/eds-assignment",
            "EDS provides this cluster's endpoints; using load_assignment instead",
            &inside.path,
            inside.position,
        );
    }
    let found = if eds {
        separate.or(inside)
    } else {
        inside.or(separate)
    };
    let found = found?;
    let assignment = read_assignment(&found, context, marks, report);
    if discovery == Discovery::LogicalDns {
        check_single_endpoint(&found, report);
    }
    Some(assignment)
}

/// The assignment of that cluster elsewhere in the input. Its name is read without reports; the
/// fields are read again by their own reader.
fn separate<'n, 'a>(
    message: &Message<'_, '_>,
    eds: bool,
    assignments: &ByName<'n, 'a>,
    report: &mut Report,
) -> Option<Message<'n, 'a>> {
    let field = "eds_cluster_config";
    if message.has(field) && !eds {
        let fault = "requires a cluster of type EDS";
        report.push(message.error(field, "config/eds", fault));
    }
    let service = message
        .message(field, &EDS_CLUSTER_CONFIG, report)
        .and_then(|config| config.string("service_name", report))
        .filter(|name| !name.is_empty());
    let name = match service {
        Some(name) => name,
        None => match &message.get("name")?.value {
            NodeValue::String(name) => name,
            _ => return None,
        },
    };
    let (node, path) = assignments.get(name)?;
    Message::open(node, path, &LOAD_ASSIGNMENT, report)
}
