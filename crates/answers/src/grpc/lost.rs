//! A cluster under gRPC's rules without some of its hosts.

use std::collections::BTreeSet;

use crate::split::ClientNote;
use spillgate_core::{
    model::{Cluster, ClusterKind, HealthStatus, Metadata, Model},
    shares::{Distribution, Share},
    snapshot::{HostRef, Snapshot},
};
use spillgate_explain::report::{ClusterReport, LoadState};

use super::{GrpcReading, GrpcView};

/// A cluster that can lose hosts. A lost host is UNHEALTHY in EDS; a client that finds out by itself, from
/// failing connections, uses the same hosts in the end.
#[derive(Debug)]
pub struct GrpcLosses<'c> {
    reading: &'c GrpcReading,
    snapshot: &'c Snapshot,
    /// The cluster and the members below it.
    clusters: Vec<Cluster>,
    /// What the report of a client has in common with Envoy's.
    envoy: ClusterReport,
}

/// The answer about a loss.
#[derive(Debug)]
pub struct GrpcState {
    /// The loads.
    pub loads: LoadState,
    /// The shares of the hosts.
    pub shares: Distribution,
    /// What they assume, or why there are no figures.
    pub note: ClientNote,
}

/// Shares below this result from rounding.
const NOTHING: f64 = 1e-9;

impl<'c> GrpcLosses<'c> {
    /// `snapshot` is one of `model`; `None` if it has no such cluster.
    pub fn new(
        reading: &'c GrpcReading,
        model: &Model,
        snapshot: &'c Snapshot,
        name: &str,
    ) -> Option<Self> {
        let mut needed: BTreeSet<&str> = BTreeSet::from([name]);
        let mut open = vec![name];
        while let Some(next) = open.pop() {
            let members = model
                .cluster(next)
                .map_or(&[][..], Cluster::members)
                .iter()
                .map(String::as_str);
            open.extend(members.filter(|member| needed.insert(member)));
        }
        let clusters = model
            .clusters()
            .iter()
            .filter(|cluster| needed.contains(cluster.name.as_str()));
        let id = snapshot.cluster_id(name)?;
        Some(Self {
            reading,
            clusters: clusters.cloned().collect(),
            envoy: ClusterReport::of(model, snapshot, id, &Metadata::EMPTY)?,
            snapshot,
        })
    }

    /// The state without these hosts.
    pub fn without(&self, lost: &[HostRef]) -> GrpcState {
        let mut clusters = self.clusters.clone();
        lose(&mut clusters, self.snapshot, lost);
        let model = Model::new(clusters).unwrap_or_default();
        let view = GrpcView::of(self.reading, &model);
        let Some(found) = view.cluster(&self.envoy.name) else {
            return GrpcState {
                loads: LoadState::default(),
                shares: Distribution::default(),
                note: ClientNote::not_in_input(),
            };
        };
        let report = found.report(&self.envoy, self.snapshot);
        let shares = report
            .hosts()
            .filter(|(_, _, share)| *share > 0.0)
            .map(|(_, host, share)| Share {
                owner: host.cluster,
                priority: host.priority,
                host: host.host,
                share,
            });
        let no_host = match report.no_host {
            none if none < NOTHING => 0.0,
            none => none,
        };
        GrpcState {
            shares: Distribution {
                no_host,
                shares: shares.collect(),
            },
            loads: LoadState {
                priorities: report.priorities.iter().map(|of| of.row).collect(),
                no_host,
            },
            note: found.note(),
        }
    }
}

/// The model with these hosts UNHEALTHY; `snapshot` is one of it.
pub fn model_without(model: &Model, snapshot: &Snapshot, lost: &[HostRef]) -> Model {
    let mut clusters = model.clusters().to_vec();
    lose(&mut clusters, snapshot, lost);
    let changed = Model::new(clusters);
    changed.map_or_else(
        |_| model.clone(),
        |changed| {
            let local = model.local().clone();
            changed.with_local(local).with_chain(model.chain().clone())
        },
    )
}

/// Makes hosts UNHEALTHY. One that is draining stays so: it counts for nothing either way.
fn lose(clusters: &mut [Cluster], snapshot: &Snapshot, lost: &[HostRef]) {
    for cluster in clusters {
        let id = snapshot.cluster_id(&cluster.name);
        let ClusterKind::Plain(plain) = &mut cluster.kind else {
            continue;
        };
        for host in lost.iter().filter(|host| Some(host.cluster) == id) {
            let priority = plain.priorities.get_mut(host.priority);
            let endpoint = priority.and_then(|of| of.endpoints.get_mut(host.host));
            if let Some(endpoint) = endpoint
                && endpoint.health.status != HealthStatus::Draining
            {
                endpoint.health.status = HealthStatus::Unhealthy;
            }
        }
    }
}
