//! The shares of a cluster in the form of Envoy's reports.

use crate::split::{ClientNote, NoFigures};
use spillgate_core::{
    load::{Availability, PriorityHealth},
    model::{HealthStatus, Priority},
    snapshot::Snapshot,
    trace::PriorityRef,
};
use spillgate_explain::report::{
    ClusterReport, LocalityReport, MemberShare, PanicMode, PriorityReport, PriorityRow,
    PriorityTotals,
};
use spillgate_grpc::{
    aggregate::AggregateError,
    shares::{LeafAnswer, PriorityShares, RootShares, serves},
};

use super::view::{GrpcCluster, GrpcLeaf};

impl GrpcCluster<'_> {
    /// The report with the shares of the client, in place of one with Envoy's.
    pub fn report(&self, envoy: &ClusterReport, snapshot: &Snapshot) -> ClusterReport {
        let serving = match self.root {
            RootShares::Leaf(place) => Some(place),
            _ => None,
        };
        let mut report = ClusterReport {
            cluster: envoy.cluster,
            name: envoy.name.clone(),
            kind: envoy.kind,
            policy: self.policy.unwrap_or(envoy.policy),
            no_host: 100.0,
            subset: None,
            members: Vec::new(),
            totals: PriorityTotals::default(),
            priorities: Vec::new(),
        };
        for (place, leaf) in self.leaves.iter().enumerate() {
            let share = if serving == Some(place) {
                100.0 - leaf.dropped()
            } else {
                0.0
            };
            report.no_host -= share;
            if report.has_members() {
                report.members.push(MemberShare {
                    cluster: leaf.name.into(),
                    share,
                });
            }
            priorities(leaf, share, snapshot, &mut report);
        }
        report
    }

    /// What the report does not show.
    pub fn note(&self) -> ClientNote {
        let mut notes = self.notes.clone();
        let no_figures = match &self.root {
            RootShares::Rejected(why) => Some(NoFigures::Rejected(why.clone())),
            RootShares::Unknown(why) => Some(NoFigures::Unknown(why.clone())),
            RootShares::Failed(error) => {
                notes.push(failure(*error).into());
                None
            }
            RootShares::Leaf(_) | RootShares::NoHost => None,
        };
        ClientNote { no_figures, notes }
    }
}

const fn failure(error: AggregateError) -> &'static str {
    match error {
        AggregateError::MaxDepth => {
            "every request fails: aggregates inside each other exceed gRPC's maximum depth of 16"
        }
        AggregateError::Missing => "every request fails: the cluster does not exist",
        AggregateError::NoLeaves => "every request fails: the aggregate has no leaf clusters",
    }
}

impl GrpcLeaf<'_> {
    /// The percentage of requests that the leaf drops.
    pub(super) fn dropped(&self) -> f64 {
        match self.answer {
            LeafAnswer::Shares { drops, .. } => f64::from(drops.millionths()) / 10_000.0,
            LeafAnswer::Rejected(_) | LeafAnswer::Unknown(_) => 0.0,
        }
    }
}

/// Adds the priorities of a leaf with this share.
fn priorities(leaf: &GrpcLeaf<'_>, share: f64, snapshot: &Snapshot, report: &mut ClusterReport) {
    let Some(cluster) = snapshot.cluster_id(leaf.name) else {
        return;
    };
    let shares = match leaf.answer {
        LeafAnswer::Shares { shares, .. } => Some(shares),
        LeafAnswer::Rejected(_) | LeafAnswer::Unknown(_) => None,
    };
    for (number, priority) in leaf.plain.priorities.iter().enumerate() {
        let found = shares.and_then(|shares| shares.priorities.get(number));
        let is_used = shares.is_some_and(|shares| shares.used == Some(number));
        let at = PriorityRef {
            cluster,
            priority: number,
        };
        let load = if is_used && share > 0.0 { 100 } else { 0 };
        let row = row(at, priority, found, load);
        let parts = found.map_or(&[][..], |found| &found.hosts);
        let part = |host: usize| parts.get(host).copied().unwrap_or(0.0);
        let hosts: Vec<f64> = (0..priority.endpoints.len())
            .map(|host| share * part(host))
            .collect();
        report.priorities.push(PriorityReport {
            place: report.priorities.len(),
            name: if report.has_members() {
                format!("{} P{number}", leaf.name)
            } else {
                format!("P{number}")
            },
            owner: leaf.name.into(),
            row,
            panic: PanicMode::Off,
            panic_threshold: 0,
            repeated: false,
            localities: localities(priority, &hosts),
            hosts,
        });
    }
}

fn row(
    at: PriorityRef,
    priority: &Priority,
    found: Option<&PriorityShares>,
    load: u32,
) -> PriorityRow {
    let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let usable = found.map_or(0, |found| found.usable);
    let draining = priority
        .endpoints
        .iter()
        .filter(|host| host.health.status == HealthStatus::Draining);
    PriorityRow {
        at,
        health: PriorityHealth {
            hosts: count(priority.endpoints.len()),
            healthy: count(usable),
            degraded: 0,
            excluded: count(draining.count()),
            weights: None,
            factor: Default::default(),
        },
        availability: Availability {
            // One usable host has capacity for everything.
            healthy: if usable > 0 { 100 } else { 0 },
            degraded: 0,
        },
        healthy_load: load,
        degraded_load: 0,
        panic: false,
        own_panic: false,
    }
}

fn localities(priority: &Priority, shares: &[f64]) -> Vec<LocalityReport> {
    let localities = priority.localities.iter().enumerate();
    let report = |(at, of): (usize, &spillgate_core::model::PriorityLocality)| {
        let endpoints = priority.endpoints.iter().enumerate();
        let own = endpoints.filter(|(_, endpoint)| endpoint.locality == at);
        let hosts: Vec<usize> = own.clone().map(|(host, _)| host).collect();
        LocalityReport {
            locality: of.locality.clone(),
            weight: of.weight,
            healthy: own.filter(|(_, endpoint)| serves(endpoint)).count(),
            degraded: 0,
            share: hosts
                .iter()
                .filter_map(|&host| shares.get(host))
                .fold(0.0, |sum, share| sum + share),
            hosts,
        }
    };
    localities.map(report).collect()
}
