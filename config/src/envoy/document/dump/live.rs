//! What a dump tells of hosts at run time (`?include_eds`), beside the clusters' own words.

use spillgate_core::{
    model::{ClusterKind, CoarseHealth, Health, HealthFlags, HealthStatus, Priority},
    names::Names,
};

use super::found::Found;
use crate::{
    envoy::{
        assignment::{Assignment, EndpointContext, read_assignment},
        cluster::ReadCluster,
        common::ByName,
        discovery::Discovery,
        marks::ClusterMarks,
        schema::LOAD_ASSIGNMENT,
    },
    proto::{Message, Report},
};

/// The run-time endpoints of a dump.
pub(crate) struct Live<'n, 'a> {
    assignments: ByName<'n, 'a>,
    /// Whether there are any at all.
    known: bool,
}

impl<'n, 'a> Live<'n, 'a> {
    /// These, by the name of their cluster or EDS service.
    pub(crate) fn of(endpoints: &[Found<'n, 'a>]) -> Self {
        Self {
            assignments: ByName::of(endpoints, "cluster_name"),
            known: !endpoints.is_empty(),
        }
    }

    /// Completes a cluster with what the dump knows of its hosts, and says what it does not know.
    /// An EDS cluster has its endpoints from there already.
    pub(crate) fn complete(&self, read: &mut ReadCluster, report: &mut Report) {
        match read.discovery {
            None | Some(Discovery::OriginalDst) => {}
            Some(Discovery::Eds) => self.note_missing(read, report),
            Some(Discovery::Static) => {
                if let Some((live, _)) = self.read(read, report) {
                    take_health(read, &live.priorities);
                }
            }
            Some(Discovery::StrictDns | Discovery::LogicalDns | Discovery::Other) => {
                if let Some((live, marks)) = self.read(read, report)
                    && let Some(plain) = read.plain_mut()
                {
                    plain.priorities = live.priorities;
                    read.marks.priorities = marks.priorities;
                    read.marks.localities = marks.localities;
                    note_flattened(read, report);
                }
            }
        }
    }

    fn read(&self, read: &ReadCluster, report: &mut Report) -> Option<(Assignment, ClusterMarks)> {
        let (node, path) = self.assignments.get(&read.cluster.name)?;
        let message = Message::open(node, path, &LOAD_ASSIGNMENT, report)?;
        let mut marks = ClusterMarks::new(node.position);
        let context = EndpointContext {
            // Addresses are those that names were resolved to.
            names: false,
            hash_hostname: read.hash_hostname,
            hashes: matches!(&read.cluster.kind, ClusterKind::Plain(plain) if plain.policy.hashes()),
            once: false,
        };
        let assignment = read_assignment(&message, context, &mut marks, report);
        Some((assignment, marks))
    }

    fn note_missing(&self, read: &mut ReadCluster, report: &mut Report) {
        let missing = read
            .plain_mut()
            .is_some_and(|plain| plain.priorities.is_empty());
        if !missing {
            if report.is_dump() {
                note_flattened(read, report);
            }
            return;
        }
        if !read.complete {
            return;
        }
        // They are not missing in the configuration, so nothing else need say so.
        read.complete = false;
        let what = match (report.is_dump(), self.known) {
            (true, true) => {
                "EDS has not sent the endpoints of this cluster yet: none of its requests finds a host"
            }
            (true, false) => {
                "the dump is without the endpoints of EDS clusters, so none of their requests finds a host here; /config_dump?include_eds has them"
            }
            (false, _) => {
                "EDS has the endpoints of this cluster, so none of its requests finds a host here; add its ClusterLoadAssignment, or read the answer of /config_dump?include_eds"
            }
        };
        let position = read.marks.cluster;
        report.note("config/eds-endpoints", what, &read.path, position);
    }
}

/// The health of hosts that stand in the configuration. A dump knows classes only, so a status of
/// the same class stays, and what differs is what a health check or outlier detection found.
fn take_health(read: &mut ReadCluster, live: &[Priority]) {
    let Some(plain) = read.plain_mut() else {
        return;
    };
    for (priority, live) in plain.priorities.iter_mut().zip(live) {
        let mut by_address = Names::default();
        for (at, endpoint) in live.endpoints.iter().enumerate() {
            by_address.insert(&endpoint.address, at);
        }
        for endpoint in &mut priority.endpoints {
            let found = by_address.get(&endpoint.address);
            let Some(found) = found.and_then(|at| live.endpoints.get(at)) else {
                continue;
            };
            let now = found.health.coarse();
            if now != endpoint.health.coarse() {
                endpoint.health = found_out(now);
            }
        }
    }
}

fn found_out(class: CoarseHealth) -> Health {
    let flags = HealthFlags {
        failed_active_hc: class == CoarseHealth::Unhealthy,
        degraded_active_hc: class == CoarseHealth::Degraded,
        ..HealthFlags::default()
    };
    Health {
        status: HealthStatus::Healthy,
        flags,
    }
}

/// A host that drains leaves the size of its priority; in a dump it looks like any unhealthy one.
/// Sessions may tell further statuses apart that a dump does not.
fn note_flattened(read: &mut ReadCluster, report: &mut Report) {
    let Some(plain) = read.plain_mut() else {
        return;
    };
    let endpoints = plain
        .priorities
        .iter()
        .flat_map(|priority| &priority.endpoints);
    let has = |status| endpoints.clone().any(|one| one.health.status == status);
    let keeps = |status| plain.override_statuses.contains(status);
    let drains = has(HealthStatus::Unhealthy);
    let apart = |written, other| keeps(written) != keeps(other) && has(written);
    let guesses = apart(HealthStatus::Healthy, HealthStatus::Unknown)
        || apart(HealthStatus::Unhealthy, HealthStatus::Timeout)
        || apart(HealthStatus::Unhealthy, HealthStatus::Draining);
    if drains {
        let what = "a dump writes DRAINING as UNHEALTHY, though draining hosts leave the size of their priority; /clusters tells them apart";
        report.note("config/dump-health", what, &read.path, read.marks.cluster);
    }
    if guesses {
        let what = "a dump writes UNKNOWN as HEALTHY, TIMEOUT and DRAINING as UNHEALTHY, which are not the same to the sessions of this cluster";
        report.note("config/dump-status", what, &read.path, read.marks.cluster);
    }
}
