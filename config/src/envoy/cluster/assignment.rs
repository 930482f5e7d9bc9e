//! Which assignment is a cluster's: the one inside it, or one of its name beside it.

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

/// The assignment inside the cluster, or beside it; an EDS cluster has it from beside.
pub(super) fn cluster_assignment(
    message: &Message<'_, '_>,
    discovery: Discovery,
    policy: &ReadPolicy,
    assignments: &ByName<'_, '_>,
    marks: &mut ClusterMarks,
    report: &mut Report,
) -> Assignment {
    let eds = discovery == Discovery::Eds;
    let context = EndpointContext {
        names: matches!(discovery, Discovery::StrictDns | Discovery::LogicalDns),
        hash_hostname: policy.hash_hostname,
        hashes: policy.policy.hashes(),
        once: eds,
    };
    let field = "load_assignment";
    let beside = beside(message, eds, assignments, report);
    let inside = message.message(field, &LOAD_ASSIGNMENT, report);
    if let (true, Some(inside)) = (eds, &inside) {
        report.note(
            "config/eds-assignment",
            "Envoy asks EDS for the endpoints of this cluster; those here stand in for the answer",
            &inside.path,
            inside.position,
        );
    }
    let found = if eds {
        beside.or(inside)
    } else {
        inside.or(beside)
    };
    let Some(found) = found else {
        return Assignment::default();
    };
    let assignment = read_assignment(&found, context, marks, report);
    if discovery == Discovery::LogicalDns {
        check_single_endpoint(&found, report);
    }
    assignment
}

/// The assignment of that cluster that stands beside it. Its name is looked up without reports:
/// the fields are read again where they belong.
fn beside<'n, 'a>(
    message: &Message<'_, '_>,
    eds: bool,
    assignments: &ByName<'n, 'a>,
    report: &mut Report,
) -> Option<Message<'n, 'a>> {
    let field = "eds_cluster_config";
    if message.has(field) && !eds {
        let fault = "this needs a cluster of type EDS";
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
