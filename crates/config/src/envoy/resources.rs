//! From the sorted messages of an input to clusters and listeners.

use alloc::{format, vec::Vec};

use spillgate_core::{model::ClusterKind, names::Names};

use super::{
    cluster::{ReadCluster, check_assignment_name, lone_assignment, read_cluster},
    common::{ByName, name_of},
    connection::ChainSecurity,
    document::{Live, Roots},
    facts::{ClusterFacts, ListenerFacts},
    filters::FilterChain,
    listener::{ListenerConfig, ListenerContext, read_listener, settle_headers},
    manager::without_manager,
    route::{ClusterNames, RoutesFrom, read_routes},
    running::{ClusterStatus, has_hosts, read_status, removed_hosts, replace_hosts},
    unreached::name_unreached,
};
use crate::{
    Affects, Diagnostic,
    node::quote,
    proto::{Path, Report},
};

/// The clusters of an input.
pub(super) struct ReadClusters {
    pub(super) clusters: Vec<ReadCluster>,
    /// The names of skipped clusters: a dump may contain clusters with values that are not readable.
    pub(super) skipped: Names,
    /// Whether the input has the hosts of a running Envoy for all clusters.
    pub(super) hosts_known: bool,
    /// Their facts, if lint reads the input; also those of skipped clusters.
    pub(super) facts: Vec<ClusterFacts>,
}

/// Reads the clusters.
pub(super) fn read_clusters(roots: &Roots<'_, '_>, report: &mut Report) -> ReadClusters {
    let assignments = ByName::of(&roots.assignments, "cluster_name");
    let live = Live::of(&roots.live);
    let mut clusters = Vec::new();
    let mut skipped = Names::default();
    let mut facts = Vec::new();
    let mut add = |read: Option<ReadCluster>, faults, report: &mut Report| {
        let Some(mut read) = read else { return };
        facts.extend(read.marks.take_facts());
        if report.is_accepted() && report.errors() > faults {
            let name = &read.cluster.name;
            let what = format!("cluster {} has unreadable values; skipped", quote(name));
            let fault = Diagnostic::warning("config/dump-unreadable", what);
            report.push(fault.at(read.path.text(), read.marks.cluster));
            skipped.add(name);
            return;
        }
        clusters.push(read);
    };
    if roots.clusters.is_empty() {
        for (path, node) in &roots.assignments {
            let faults = report.errors();
            let read = lone_assignment(node, path.clone(), report);
            add(read, faults, report);
        }
    }
    if !roots.clusters.is_empty() {
        for (path, node) in &roots.assignments {
            check_assignment_name(node, path, report);
        }
    }
    for (path, node) in &roots.clusters {
        if report.is_full() {
            break;
        }
        let faults = report.errors();
        let mut read = read_cluster(node, path.clone(), &assignments, report);
        if let Some(read) = &mut read {
            let affects = Affects::Cluster(read.cluster.name.as_str().into());
            report.within(affects, |report| live.complete(read, report));
        }
        add(read, faults, report);
    }
    let hosts_known = add_statuses(roots, &mut clusters, &skipped, report);
    if clusters.is_empty() && !skipped.is_empty() {
        report.refuse_tolerated();
    }
    ReadClusters {
        clusters,
        skipped,
        hosts_known,
        facts,
    }
}

/// Gives clusters the hosts of a running Envoy. A cluster that only a status names is read as a
/// ROUND_ROBIN cluster. Returns whether all clusters got hosts.
fn add_statuses(
    roots: &Roots<'_, '_>,
    clusters: &mut Vec<ReadCluster>,
    skipped: &Names,
    report: &mut Report,
) -> bool {
    let mut running = RunningClusters {
        reported: Names::default(),
        names: Names::default(),
        clusters,
    };
    for (at, read) in running.clusters.iter().enumerate() {
        running.names.insert(&read.cluster.name, at);
    }
    for (path, node) in &roots.statuses {
        let status = read_status(node, path.clone(), report);
        if let Some(status) = status.filter(|status| !skipped.contains(&status.name)) {
            running.add(&status, path.clone(), report);
        }
    }
    for status in &roots.text_statuses {
        if !skipped.contains(&status.name) {
            running.add(status, Path::root(), report);
        }
    }
    let RunningClusters {
        reported, clusters, ..
    } = running;
    clusters.iter().all(|read| match &read.cluster.kind {
        ClusterKind::Plain(plain) => {
            reported.contains(&read.cluster.name) && has_hosts(&plain.priorities)
        }
        _ => true,
    })
}

/// The clusters of an input that get the hosts of a running Envoy.
struct RunningClusters<'c> {
    /// The names of those that have them.
    reported: Names,
    /// Their places by name.
    names: Names,
    clusters: &'c mut Vec<ReadCluster>,
}

impl RunningClusters<'_> {
    fn add(&mut self, status: &ClusterStatus<'_>, path: Path, report: &mut Report) {
        self.reported.add(&status.name);
        let at = self.names.get(&status.name).unwrap_or_else(|| {
            self.names.insert(&status.name, self.clusters.len());
            let read = ReadCluster::of_status(&status.name, path, status.position, report);
            self.clusters.push(read);
            self.clusters.len() - 1
        });
        if let Some(ReadCluster { cluster, marks, .. }) = self.clusters.get_mut(at)
            && let ClusterKind::Plain(plain) = &mut cluster.kind
        {
            let difference = replace_hosts(plain, Some(marks), status);
            let removed = removed_hosts(&cluster.name, plain, Some(marks));
            for found in difference.into_iter().chain(removed) {
                report.push(found);
            }
        }
    }
}

/// Reads the listeners, or the route configurations of an input without a listener that has filter chains.
pub(super) fn read_listeners(
    roots: &Roots<'_, '_>,
    clusters: ClusterNames<'_>,
    report: &mut Report,
) -> Vec<ListenerConfig> {
    let route_configurations = ByName::of(&roots.route_configurations, "name");
    let extensions = ByName::of(&roots.extensions, "name");
    let context = ListenerContext {
        clusters,
        route_configurations: &route_configurations,
        extensions: &extensions,
    };
    let mut listeners = Vec::new();
    for (number, (path, node)) in roots.listeners.iter().enumerate() {
        read_listener(node, path.clone(), number, &context, &mut listeners, report);
    }
    name_unreached(&roots.listeners, &listeners, report);
    if listeners.is_empty() {
        for (path, node) in &roots.route_configurations {
            let affects = Affects::Listener(listeners.len());
            let read = report.within(affects, |report| {
                let filters = FilterChain::default();
                let of_routes = (RoutesFrom::Discovery, ChainSecurity::Unknown);
                let read = read_routes(node, path.clone(), clusters, &filters, of_routes, report);
                without_manager(path, node.position, report);
                settle_headers(&read.0, clusters, report);
                read
            });
            let (routes, marks, facts) = read;
            listeners.push(ListenerConfig {
                name: name_of(node, "name").unwrap_or_default().into(),
                routes,
                marks,
                facts: report
                    .is_judged()
                    .then(|| ListenerFacts::new((node, path), Vec::new(), facts)),
                ..ListenerConfig::default()
            });
        }
    }
    listeners
}
