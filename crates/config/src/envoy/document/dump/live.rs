//! Run-time hosts in a dump (`?include_eds`), in addition to the configured clusters.

use alloc::{format, string::String};

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
        facts::ClusterFacts,
        marks::{ClusterMarks, UnknownHosts},
        schema::LOAD_ASSIGNMENT,
    },
    proto::{Message, Report},
};

/// The run-time endpoints of a dump.
pub(crate) struct Live<'n, 'a> {
    assignments: ByName<'n, 'a>,
    /// Whether the dump has any.
    known: bool,
}

impl<'n, 'a> Live<'n, 'a> {
    /// The endpoints by the name of their cluster or EDS service.
    pub(crate) fn of(endpoints: &[Found<'n, 'a>]) -> Self {
        Self {
            assignments: ByName::of(endpoints, "cluster_name"),
            known: !endpoints.is_empty(),
        }
    }

    /// Adds the hosts of the dump to a cluster and reports what the dump omits. An EDS cluster
    /// already has its endpoints from there.
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
                if let Some((live, mut marks)) = self.read(read, report)
                    && let Some(plain) = read.plain_mut()
                {
                    plain.priorities = live.priorities;
                    if let (Some(facts), Some(live)) = (read.marks.facts(), marks.facts()) {
                        facts.localities = core::mem::take(&mut live.localities);
                    }
                    read.marks.priorities = marks.priorities;
                    read.marks.localities = marks.localities;
                    read.marks.found_hosts();
                    note_flattened(read, report);
                }
            }
        }
    }

    fn read(&self, read: &ReadCluster, report: &mut Report) -> Option<(Assignment, ClusterMarks)> {
        let (node, path) = self.assignments.get(&read.cluster.name)?;
        let message = Message::open(node, path, &LOAD_ASSIGNMENT, report)?;
        let mut marks = ClusterMarks::new(node.position);
        if report.is_judged() {
            marks = marks.with_facts(ClusterFacts::new(&read.cluster.name, &message));
        }
        let context = EndpointContext {
            // The addresses are those that DNS names resolved to.
            names: false,
            hash_hostname: read.hash_hostname,
            hashes: matches!(&read.cluster.kind, ClusterKind::Plain(plain) if plain.policy.hashes()),
            once: false,
            one_host: false,
        };
        let assignment = read_assignment(&message, context, &mut marks, report);
        Some((assignment, marks))
    }

    fn note_missing(&self, read: &mut ReadCluster, report: &mut Report) {
        let assigned = read.assigned;
        let missing = read
            .plain_mut()
            .is_some_and(|plain| plain.priorities.is_empty() && !assigned);
        if !missing {
            if report.is_dump() {
                note_flattened(read, report);
            }
            return;
        }
        if !read.complete {
            return;
        }
        const CODE: &str = "config/eds-endpoints";
        // The configuration is complete in this respect, so no other check must report it.
        read.complete = false;
        let what = match (report.is_dump(), self.known, &read.eds_file) {
            (true, true, _) => {
                let what = "EDS has not sent this cluster's endpoints; its requests get 503";
                report.note(CODE, what, &read.path, read.marks.cluster);
                return;
            }
            (true, false, _) => String::from(
                "hosts are not known: the dump omits EDS endpoints; use /config_dump?include_eds, --health FILE or --admin URL",
            ),
            (false, _, Some(file)) => {
                format!(
                    "hosts are not known from the configuration: EDS provides them; add the file {file}, --root DIR, --health FILE or --admin URL"
                )
            }
            (false, _, None) => String::from(
                "hosts are not known from the configuration: EDS provides them; add the file with the ClusterLoadAssignment, --health FILE or --admin URL",
            ),
        };
        read.marks.unknown_hosts = Some(UnknownHosts::NotInInput);
        report.limit(CODE, what, &read.path, read.marks.cluster);
    }
}

/// Takes the health of configured hosts. A dump contains classes only: a status of the same class
/// stays, and a difference is the result of a health check or outlier detection.
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

/// A draining host does not count for the size of its priority, but in a dump it looks like any
/// unhealthy host. Sessions may distinguish further statuses that a dump does not.
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
        let what = "dumps show DRAINING as UNHEALTHY, but Envoy excludes draining hosts from their priority's size; use /clusters to distinguish them";
        report.note("config/dump-health", what, &read.path, read.marks.cluster);
    }
    if guesses {
        let what = "dumps show UNKNOWN as HEALTHY, and TIMEOUT and DRAINING as UNHEALTHY, but override_host_status distinguishes them; use /clusters";
        report.note("config/dump-status", what, &read.path, read.marks.cluster);
    }
}
