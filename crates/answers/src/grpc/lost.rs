//! A cluster under gRPC's rules without some of its hosts.

use std::collections::BTreeSet;

use crate::split::ClientNote;
use spillgate_core::{
    model::{Cluster, HealthStatus, Metadata, Model},
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
    model: &'c Model,
    snapshot: &'c Snapshot,
    /// The cluster and the members below it.
    needed: BTreeSet<&'c str>,
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
        model: &'c Model,
        snapshot: &'c Snapshot,
        name: &'c str,
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
        let id = snapshot.cluster_id(name)?;
        Some(Self {
            reading,
            needed,
            envoy: ClusterReport::of(model, snapshot, id, &Metadata::EMPTY)?,
            model,
            snapshot,
        })
    }

    /// The state without these hosts.
    pub fn without(&self, lost: &[HostRef]) -> GrpcState {
        let mut model = model_without(self.model, lost);
        model.retain(|cluster| self.needed.contains(cluster.name.as_str()));
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

/// The model with these hosts UNHEALTHY; they are those of a snapshot of it. One that is draining stays so:
/// it counts for nothing either way.
pub fn model_without(model: &Model, lost: &[HostRef]) -> Model {
    let mut changed = model.clone();
    for host in lost {
        let health = changed.health_mut(host.cluster.index(), host.priority, host.host);
        if let Some(health) = health
            && health.status != HealthStatus::Draining
        {
            health.status = HealthStatus::Unhealthy;
        }
    }
    changed
}
