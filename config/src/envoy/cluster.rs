//! One `Cluster`, plain or aggregate.

use alloc::{collections::BTreeMap, vec::Vec};

use spillgate_core::model::{
    AggregateCluster, Cluster, ClusterKind, LocalityLb, PanicThreshold, PlainCluster, Policy,
};

use super::{
    assignment::{Assignment, read_assignment},
    discovery::{Discovery, aggregate_members},
    endpoint::EndpointContext,
    marks::ClusterMarks,
    policy::{LB_POLICY, LbPolicy, ReadPolicy, read_policy},
    schema::{CLUSTER, COMMON_LB_CONFIG, EDS_CLUSTER_CONFIG, LOAD_ASSIGNMENT},
    typed_policy::read_typed_policy,
};
use crate::{
    Diagnostic, Position,
    node::{Node, Value},
    proto::{Message, Path, Report},
};

/// Assignments that stand beside the clusters instead of inside them, by name.
pub(super) type Assignments<'n, 'a> = BTreeMap<&'n str, (&'n Node<'a>, Path)>;

/// A cluster as read. After errors it is incomplete, which is why the report has the last word.
#[derive(Debug)]
pub(crate) struct ReadCluster {
    /// The cluster.
    pub(crate) cluster: Cluster,
    /// Its places.
    pub(crate) marks: ClusterMarks,
    /// Where it is in the text's structure.
    pub(crate) path: Path,
    /// Whether it was read without an error, so that what is missing is missing in the text.
    pub(crate) complete: bool,
    /// The places of an aggregate's member names, in order.
    pub(crate) member_positions: Vec<Position>,
}

/// Reads clusters whose assignments are inside them.
pub(crate) fn read_clusters(nodes: &[(Path, &Node<'_>)], report: &mut Report) -> Vec<ReadCluster> {
    let assignments = Assignments::new();
    nodes
        .iter()
        .filter_map(|(path, node)| read_cluster(node, path.clone(), &assignments, report))
        .collect()
}

/// Reads a cluster with all that is inside it.
pub(super) fn read_cluster(
    node: &Node<'_>,
    path: Path,
    assignments: &Assignments<'_, '_>,
    report: &mut Report,
) -> Option<ReadCluster> {
    let errors = report.errors();
    let message = Message::open(node, path, &CLUSTER, report)?;
    let name = message.required_string("name", report);
    let mut marks = ClusterMarks::new(node.position);
    marks.lb_policy = message.get("lb_policy").map(|node| node.position);
    let lb_policy = message.enumeration("lb_policy", &LB_POLICY, report);
    let common = message.message("common_lb_config", &COMMON_LB_CONFIG, report);
    let panic_threshold = match &common {
        Some(common) => {
            common.one_of(
                &["zone_aware_lb_config", "locality_weighted_lb_config"],
                report,
            );
            marks.healthy_panic_threshold = common
                .get("healthy_panic_threshold")
                .map(|node| node.position);
            common
                .percent("healthy_panic_threshold", report)
                .map_or(PanicThreshold::DEFAULT, PanicThreshold::from_percent)
        }
        None => PanicThreshold::DEFAULT,
    };
    message.one_of(&["type", "cluster_type"], report);
    let mut member_positions = Vec::new();
    let kind = match aggregate_members(&message, report) {
        Ok(members) => {
            check_cluster_provided(&message, lb_policy, report);
            marks.members = members.position;
            member_positions = members.positions;
            ClusterKind::Aggregate(AggregateCluster {
                members: members.names,
                panic_threshold,
            })
        }
        Err(discovery) => {
            let context = PlainContext {
                discovery,
                lb_policy,
                panic_threshold,
                assignments,
            };
            let plain = read_plain(&message, common.as_ref(), &context, &mut marks, report);
            ClusterKind::Plain(plain)
        }
    };
    let cluster = Cluster {
        name: name.unwrap_or_default().into(),
        kind,
    };
    let path = message.path;
    let complete = report.errors() == errors;
    Some(ReadCluster {
        cluster,
        marks,
        path,
        complete,
        member_positions,
    })
}

/// An assignment without a cluster: a ROUND_ROBIN cluster of its name.
pub(super) fn lone_assignment(
    node: &Node<'_>,
    path: Path,
    report: &mut Report,
) -> Option<ReadCluster> {
    let errors = report.errors();
    let message = Message::open(node, path, &LOAD_ASSIGNMENT, report)?;
    let name = message.string("cluster_name", report).unwrap_or_default();
    let mut marks = ClusterMarks::new(node.position);
    let context = EndpointContext {
        names: true,
        hash_hostname: false,
    };
    let assignment = read_assignment(&message, context, &mut marks, report);
    let plain = plain_cluster(
        Policy::RoundRobin,
        false,
        PanicThreshold::DEFAULT,
        assignment,
    );
    let cluster = Cluster {
        name: name.into(),
        kind: ClusterKind::Plain(plain),
    };
    let path = message.path;
    let complete = report.errors() == errors;
    Some(ReadCluster {
        cluster,
        marks,
        path,
        complete,
        member_positions: Vec::new(),
    })
}

fn check_cluster_provided(
    message: &Message<'_, '_>,
    lb_policy: Option<LbPolicy>,
    report: &mut Report,
) {
    // A value that could not be read has been reported already.
    let unreadable = message.has("lb_policy") && lb_policy.is_none();
    let provided = lb_policy == Some(LbPolicy::ClusterProvided);
    if !provided && !unreadable && !message.has("load_balancing_policy") {
        report.push(
            message
                .error(
                    "lb_policy",
                    "config/lb-policy",
                    "an aggregate brings its own policy",
                )
                .expected("CLUSTER_PROVIDED"),
        );
    }
}

struct PlainContext<'c, 'n, 'a> {
    discovery: Discovery,
    lb_policy: Option<LbPolicy>,
    panic_threshold: PanicThreshold,
    assignments: &'c Assignments<'n, 'a>,
}

fn read_plain(
    message: &Message<'_, '_>,
    common: Option<&Message<'_, '_>>,
    context: &PlainContext<'_, '_, '_>,
    marks: &mut ClusterMarks,
    report: &mut Report,
) -> PlainCluster {
    let policy = plain_policy(message, common, context, marks, report);
    let endpoints = EndpointContext {
        names: matches!(
            context.discovery,
            Discovery::StrictDns | Discovery::LogicalDns
        ),
        hash_hostname: policy.hash_hostname,
    };
    let inside = message.message("load_assignment", &LOAD_ASSIGNMENT, report);
    let inside = inside.or_else(|| beside(message, context.assignments, report));
    let assignment = match &inside {
        Some(assignment) => read_assignment(assignment, endpoints, marks, report),
        None => Assignment::default(),
    };
    plain_cluster(
        policy.policy,
        policy.locality_weighted,
        context.panic_threshold,
        assignment,
    )
}

fn plain_cluster(
    policy: Policy,
    locality_weighted: bool,
    panic_threshold: PanicThreshold,
    assignment: Assignment,
) -> PlainCluster {
    PlainCluster {
        policy,
        panic_threshold,
        overprovisioning_factor: assignment.overprovisioning_factor,
        weighted_priority_health: assignment.weighted_priority_health,
        locality_lb: if locality_weighted {
            LocalityLb::Weighted
        } else {
            LocalityLb::default()
        },
        levels: assignment.levels,
        ..PlainCluster::default()
    }
}

/// The assignment of that cluster that stands beside it. Its name is looked up without reports:
/// the fields are read again where they belong.
fn beside<'n, 'a>(
    message: &Message<'_, '_>,
    assignments: &Assignments<'n, 'a>,
    report: &mut Report,
) -> Option<Message<'n, 'a>> {
    let service = message
        .message("eds_cluster_config", &EDS_CLUSTER_CONFIG, report)
        .and_then(|config| config.string("service_name", report))
        .filter(|name| !name.is_empty());
    let name = match service {
        Some(name) => name,
        None => match &message.get("name")?.value {
            Value::String(name) => name,
            _ => return None,
        },
    };
    let (node, path) = assignments.get(name)?;
    Message::open(node, path.clone(), &LOAD_ASSIGNMENT, report)
}

fn plain_policy(
    message: &Message<'_, '_>,
    common: Option<&Message<'_, '_>>,
    context: &PlainContext<'_, '_, '_>,
    marks: &mut ClusterMarks,
    report: &mut Report,
) -> ReadPolicy {
    const FALLBACK: ReadPolicy = ReadPolicy {
        policy: Policy::RoundRobin,
        locality_weighted: false,
        hash_hostname: false,
    };
    if message.has("load_balancing_policy") {
        // It replaces lb_policy and all that goes with it, but for the panic threshold.
        let read = read_typed_policy(message, "load_balancing_policy", report);
        return read.map_or(FALLBACK, |(policy, position)| {
            marks.lb_policy = Some(position);
            policy
        });
    }
    let lb_policy = context.lb_policy.unwrap_or(LbPolicy::RoundRobin);
    let brings_its_own = matches!(context.discovery, Discovery::OriginalDst | Discovery::Other);
    let fault = match lb_policy {
        LbPolicy::ClusterProvided if !brings_its_own => {
            Some("a cluster of this type does not bring a policy")
        }
        LbPolicy::Extension => Some("load_balancing_policy is missing"),
        _ => None,
    };
    if let Some(fault) = fault {
        report.push(message.error("lb_policy", "config/lb-policy", fault));
    }
    let read = read_policy(message, lb_policy, common, report).unwrap_or(FALLBACK);
    if let (true, Some(common)) = (read.hash_hostname, common)
        && context.discovery != Discovery::StrictDns
    {
        report.push(
            Diagnostic::error(
                "config/hash-hostname",
                "use_hostname_for_hashing here needs a cluster of type STRICT_DNS",
            )
            .at(
                common.path.field("consistent_hashing_lb_config").text(),
                common.position_of("consistent_hashing_lb_config"),
            ),
        );
    }
    read
}
