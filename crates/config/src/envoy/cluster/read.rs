//! One `Cluster`: plain, aggregate, composite, or ORIGINAL_DST.

use alloc::{format, string::String, vec::Vec};

use spillgate_core::model::{
    AggregateCluster, Cluster, ClusterKind, OverrideStatuses, PanicThreshold, PlainCluster,
};

use super::{
    assignment::cluster_assignment,
    equal_keys::limit_equal_keys,
    membership::check_memberships,
    options::our_options,
    original_dst::read_original_dst,
    runtime::{threshold_of_runtime, zones_of_runtime},
    signals::note_signals,
    stated::note_what_is_stated,
};
#[cfg(feature = "health")]
use crate::envoy::health_settings::read_health_settings;
use crate::{
    Affects, Position,
    envoy::{
        assignment::{
            Assignment, EndpointContext, HEALTH_STATUS, limit_own_drops, read_assignment,
        },
        common::{ByName, file_of, name_of},
        discovery::{Discovery, HostOrigin, read_origin},
        facts::{ClusterFacts, FieldPlace, OverrideStatusFacts},
        marks::{ClusterMarks, UnknownHosts},
        policy::{LB_POLICY, LbPolicy, PolicyContext, ReadPolicy, check_provided, cluster_policy},
        schema::{CLUSTER, COMMON_LB_CONFIG, HEALTH_STATUS_SET, LOAD_ASSIGNMENT},
    },
    node::Node,
    proto::{Message, Path, Report, field_of},
};

/// A cluster as read. After errors it is incomplete, so the report decides whether it is used.
#[derive(Debug)]
pub(crate) struct ReadCluster {
    /// The cluster.
    pub(crate) cluster: Cluster,
    /// Its positions.
    pub(crate) marks: ClusterMarks,
    /// Its path in the input.
    pub(crate) path: Path,
    /// Whether it was read without an error; only then do missing values mean that the input omits
    /// them.
    pub(crate) complete: bool,
    /// The positions of the names of its members, in order.
    pub(crate) member_positions: Vec<Position>,
    /// How it finds its hosts; `None` for a cluster with members and for an assignment without a
    /// cluster.
    pub(crate) discovery: Option<Discovery>,
    /// Whether the input has its assignment, if only an empty one.
    pub(crate) assigned: bool,
    /// The file with its endpoints, if Envoy watches one.
    pub(crate) eds_file: Option<String>,
    /// Whether hash policies use host names.
    pub(crate) hash_hostname: bool,
}

impl ReadCluster {
    /// A cluster without hosts of which only the name is known.
    pub(crate) fn of_status(
        name: &str,
        path: Path,
        position: Position,
        report: &mut Report,
    ) -> Self {
        let mut marks = ClusterMarks::new(position);
        let plain = default_cluster(Assignment::default(), &mut marks, report);
        limit_defaults(name, &path, &marks, report);
        Self {
            cluster: Cluster {
                name: name.into(),
                kind: ClusterKind::Plain(plain),
            },
            marks,
            path,
            complete: true,
            member_positions: Vec::new(),
            discovery: None,
            assigned: true,
            eds_file: None,
            hash_hostname: false,
        }
    }

    /// The cluster, if it has its own endpoints.
    pub(crate) fn plain_mut(&mut self) -> Option<&mut PlainCluster> {
        match &mut self.cluster.kind {
            ClusterKind::Plain(plain) => Some(plain),
            _ => None,
        }
    }
}

/// Reads a cluster with all its messages.
pub(crate) fn read_cluster(
    node: &Node<'_>,
    path: Path,
    assignments: &ByName<'_, '_>,
    report: &mut Report,
) -> Option<ReadCluster> {
    let name = name_of(node, "name").unwrap_or_default();
    report.within(Affects::Cluster(name.into()), |report| {
        read_within(node, path, assignments, report)
    })
}

fn read_within(
    node: &Node<'_>,
    path: Path,
    assignments: &ByName<'_, '_>,
    report: &mut Report,
) -> Option<ReadCluster> {
    let errors = report.errors();
    let message = Message::open(node, path, &CLUSTER, report)?;
    let name = message.required_string("name", report);
    let mut marks = ClusterMarks::new(node.position);
    if report.is_judged() {
        marks = marks.with_facts(ClusterFacts::new(name.unwrap_or_default(), &message));
    }
    marks.lb_policy = message.get("lb_policy").map(|node| node.position);
    let lb_policy = message.enumeration("lb_policy", &LB_POLICY, report);
    let common = message.message("common_lb_config", &COMMON_LB_CONFIG, report);
    if let Some(common) = &common {
        let kinds = ["zone_aware_lb_config", "locality_weighted_lb_config"];
        common.one_of(&kinds, report);
    }
    let panic_threshold = panic_threshold(common.as_ref(), &mut marks, report);
    let statuses = common.as_ref().map_or(OverrideStatuses::DEFAULT, |common| {
        override_statuses(common, &mut marks, report)
    });
    #[cfg(feature = "yaml")]
    {
        marks.circuit_breakers = super::circuit_breakers::read_circuit_breakers(&message, report);
    }
    note_what_is_stated(&message, common.as_ref(), report);
    note_signals(&message, &mut marks, report);
    #[cfg(feature = "health")]
    {
        marks.health = read_health_settings(&message, common.as_ref(), report);
    }
    message.one_of(&["type", "cluster_type"], report);
    let mut member_positions = Vec::new();
    let origin = read_origin(&message, report);
    if let Some(facts) = marks.facts() {
        facts.found_origin(&origin, &message);
    }
    let context = PolicyContext {
        discovery: origin.discovery(),
        lb_policy,
        common: common.as_ref(),
    };
    let policy = cluster_policy(&message, &context, &mut marks, report);
    check_provided(&message, &context, policy.as_ref(), report);
    let options = our_options(&message, report);
    let mut policy = options.replace(policy.unwrap_or_default());
    if !policy.policy.hashes() {
        zones_of_runtime(&mut policy.locality_lb, &mut marks, report);
        #[cfg(feature = "yaml")]
        super::runtime::name_zones_of_runtime(&policy.locality_lb, report);
    }
    let (discovery, hash_hostname) = (context.discovery, policy.hash_hostname);
    marks.unknown_hosts = match (discovery, lb_policy) {
        (Some(Discovery::Other), Some(LbPolicy::ClusterProvided)) => {
            Some(UnknownHosts::ExtensionChooses)
        }
        (Some(Discovery::Other), _) => Some(UnknownHosts::Extension),
        _ => None,
    };
    let mut assigned = false;
    let kind = match origin {
        HostOrigin::Aggregate(members) => {
            limit_own_drops(&message, report);
            marks.members = members.position;
            member_positions = members.positions;
            ClusterKind::Aggregate(AggregateCluster {
                members: members.names,
                panic_threshold,
                flatten: options.flatten,
            })
        }
        #[cfg(feature = "yaml")]
        HostOrigin::Composite(mut members) => {
            limit_own_drops(&message, report);
            marks.members = members.position;
            member_positions = core::mem::take(&mut members.positions);
            ClusterKind::Composite(super::composite::composite(members, report))
        }
        HostOrigin::Own(Discovery::OriginalDst) => {
            ClusterKind::OriginalDst(read_original_dst(&message, lb_policy, &mut marks, report))
        }
        HostOrigin::Own(discovery) => {
            let assignment = cluster_assignment(
                &message,
                discovery,
                &policy,
                assignments,
                &mut marks,
                report,
            );
            assigned = assignment.is_some();
            let assignment = assignment.unwrap_or_default();
            let plain = PlainCluster {
                override_statuses: statuses,
                ..plain_cluster(policy, panic_threshold, assignment)
            };
            check_memberships(&plain, &message.path, &marks, report);
            if cfg!(feature = "yaml") {
                limit_equal_keys(&plain, &marks, &message.path, report);
            }
            ClusterKind::Plain(plain)
        }
    };
    let cluster = Cluster {
        name: name.unwrap_or_default().into(),
        kind,
    };
    Some(ReadCluster {
        cluster,
        marks,
        eds_file: eds_file(&message),
        path: message.path,
        complete: report.errors() == errors,
        member_positions,
        discovery,
        assigned,
        hash_hostname,
    })
}

/// The file in `eds_cluster_config`.
fn eds_file(message: &Message<'_, '_>) -> Option<String> {
    let config = message.get("eds_cluster_config")?;
    let (path, _) = file_of(field_of(config, "eds_config")?)?;
    Some(path.into())
}

/// Names the settings of a cluster of which only hosts are in the input.
fn limit_defaults(name: &str, path: &Path, marks: &ClusterMarks, report: &mut Report) {
    if cfg!(feature = "yaml") {
        // An assignment and the runtime can state them.
        let factor = match marks.overprovisioning_factor {
            Some(_) => "",
            None => ", overprovisioning factor 140",
        };
        let threshold = match marks.healthy_panic_threshold {
            Some(_) => "",
            None => ", panic threshold 50 %",
        };
        let of_istio = if name.starts_with("outbound|") {
            "; Istio sets the panic threshold to 0 for a cluster with outlier detection or locality \
                 failover: 503 instead of panic mode"
        } else {
            ""
        };
        let effect = format!(
            "the cluster is not in the input, only its hosts: ROUND_ROBIN{factor}{threshold} and the other \
             defaults of Envoy are assumed{of_istio}"
        );
        report.within(Affects::Cluster(name.into()), |report| {
            let position = marks.cluster;
            report.limit("config/cluster-settings-unknown", effect, path, position);
        });
    }
}

/// Reports an assignment that names no cluster, so that none uses it. Envoy rejects it.
pub(crate) fn check_assignment_name(node: &Node<'_>, path: &Path, report: &mut Report) {
    if name_of(node, "cluster_name").is_none_or(str::is_empty)
        && let Some(message) = Message::open(node, path.clone(), &LOAD_ASSIGNMENT, report)
    {
        message.required_string("cluster_name", report);
    }
}

/// An assignment without a cluster: read as a ROUND_ROBIN cluster of its name with EDS discovery.
pub(crate) fn lone_assignment(
    node: &Node<'_>,
    path: Path,
    report: &mut Report,
) -> Option<ReadCluster> {
    let errors = report.errors();
    let message = Message::open(node, path, &LOAD_ASSIGNMENT, report)?;
    let name = message.string("cluster_name", report).unwrap_or_default();
    let mut marks = ClusterMarks::new(node.position);
    if report.is_judged() {
        marks = marks.with_facts(ClusterFacts::lone(name, &message));
    }
    let context = EndpointContext {
        names: true,
        hash_hostname: false,
        hashes: false,
        once: true,
        one_host: false,
    };
    let assignment = read_assignment(&message, context, &mut marks, report);
    let plain = default_cluster(assignment, &mut marks, report);
    limit_defaults(name, &message.path, &marks, report);
    let cluster = Cluster {
        name: name.into(),
        kind: ClusterKind::Plain(plain),
    };
    Some(ReadCluster {
        cluster,
        marks,
        path: message.path,
        eds_file: None,
        complete: report.errors() == errors,
        member_positions: Vec::new(),
        discovery: None,
        assigned: true,
        hash_hostname: false,
    })
}

fn panic_threshold(
    common: Option<&Message<'_, '_>>,
    marks: &mut ClusterMarks,
    report: &mut Report,
) -> PanicThreshold {
    let field = "healthy_panic_threshold";
    let configured = common
        .and_then(|common| {
            marks.healthy_panic_threshold = common.get(field).map(|node| node.position);
            common.percent(field, report)
        })
        .map_or(PanicThreshold::DEFAULT, PanicThreshold::from_percent);
    threshold_of_runtime(configured, marks, report)
}

/// A present but empty set keeps no sessions, unlike an absent one.
fn override_statuses(
    common: &Message<'_, '_>,
    marks: &mut ClusterMarks,
    report: &mut Report,
) -> OverrideStatuses {
    let field = "override_host_status";
    let Some(set) = common.message(field, &HEALTH_STATUS_SET, report) else {
        return OverrideStatuses::DEFAULT;
    };
    marks.override_host_status = Some(set.position);
    let statuses = set.enumerations("statuses", &HEALTH_STATUS, report);
    if let Some(facts) = marks.facts() {
        facts.signals.override_host_status = Some(OverrideStatusFacts {
            place: FieldPlace::of(&set),
            statuses: statuses.clone(),
        });
    }
    statuses.into_iter().collect()
}

/// A cluster without settings of its own.
fn default_cluster(
    assignment: Assignment,
    marks: &mut ClusterMarks,
    report: &Report,
) -> PlainCluster {
    let threshold = threshold_of_runtime(PanicThreshold::DEFAULT, marks, report);
    let mut policy = ReadPolicy::default();
    zones_of_runtime(&mut policy.locality_lb, marks, report);
    plain_cluster(policy, threshold, assignment)
}

fn plain_cluster(
    policy: ReadPolicy,
    panic_threshold: PanicThreshold,
    assignment: Assignment,
) -> PlainCluster {
    PlainCluster {
        policy: policy.policy,
        panic_threshold,
        overprovisioning_factor: assignment.overprovisioning_factor,
        weighted_priority_health: assignment.weighted_priority_health,
        locality_lb: policy.locality_lb,
        slow_start: policy.slow_start,
        healthy_for: Vec::new(),
        hash_balance_factor: policy
            .hash_balance_factor
            .filter(|_| policy.policy.hashes()),
        hash_policies: policy.hash_policies,
        override_hosts: policy.override_hosts,
        override_statuses: OverrideStatuses::DEFAULT,
        drop_overload: assignment.drop_overload,
        subsets: policy.subsets,
        priorities: assignment.priorities,
    }
}
