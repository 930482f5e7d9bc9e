//! Sums of the requests of all callers in one case: by host, priority and pair of zones.

use alloc::{collections::BTreeMap, vec, vec::Vec};

use spillgate_core::{
    shares::Distribution,
    snapshot::{ClusterId, Snapshot},
};

use super::{
    PriorityPlace,
    hosts::{HostIndex, HostTable},
};
use crate::LoadState;

/// The sums of one case.
#[derive(Debug, Clone)]
pub(super) struct CaseLoads {
    /// The indices of the lost zones.
    pub(super) lost: Vec<usize>,
    /// The requests per second of each host of the table.
    pub(super) hosts: Vec<f64>,
    pub(super) priorities: BTreeMap<PriorityPlace, PlaceLoad>,
    /// By the zones of callers and hosts.
    pub(super) flows: BTreeMap<(usize, usize), FlowSum>,
    pub(super) requests: f64,
    pub(super) no_host: f64,
}

/// The requests of a priority.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct PlaceLoad {
    pub(super) rps: f64,
    /// Whether it is in panic mode for some callers that send requests to it.
    pub(super) panic: bool,
}

/// The traffic from a zone to a zone.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct FlowSum {
    pub(super) rps: f64,
    /// Bytes per second of the requests whose size is known.
    pub(super) bytes: f64,
    /// Whether the size of all requests is known.
    pub(super) sized: bool,
}

/// The requests of one class to one cluster.
#[derive(Debug, Clone, Copy)]
pub(super) struct Demand {
    /// The index of the callers' zone.
    pub(super) zone: usize,
    pub(super) rps: f64,
    pub(super) bytes: Option<f64>,
}

impl CaseLoads {
    pub(super) fn new(lost: &[usize], table: &HostTable) -> Self {
        Self {
            lost: lost.to_vec(),
            hosts: vec![0.0; table.hosts.len()],
            priorities: BTreeMap::new(),
            flows: BTreeMap::new(),
            requests: 0.0,
            no_host: 0.0,
        }
    }

    /// Adds requests that find no host.
    pub(super) fn add_unanswered(&mut self, rps: f64) {
        self.requests += rps;
        self.no_host += rps;
    }

    /// Adds the requests of a class by the shares of one of its proxies.
    pub(super) fn add(
        &mut self,
        demand: Demand,
        distribution: &Distribution,
        table: &HostTable,
        index: &HostIndex,
    ) {
        self.requests += demand.rps;
        self.no_host += demand.rps * distribution.no_host / 100.0;
        let mut zones = vec![0.0; table.zones.len()];
        for share in &distribution.shares {
            let Some(at) = index.get(share.host_ref()) else {
                continue;
            };
            let rps = demand.rps * share.share / 100.0;
            if let Some(sum) = self.hosts.get_mut(at) {
                *sum += rps;
            }
            let zone = table.hosts.get(at).map(|host| host.zone);
            if let Some(sum) = zone.and_then(|zone| zones.get_mut(zone)) {
                *sum += rps;
            }
        }
        for (to, rps) in zones.into_iter().enumerate().filter(|(_, rps)| *rps > 0.0) {
            let flow = self.flows.entry((demand.zone, to)).or_insert(FlowSum {
                sized: true,
                ..FlowSum::default()
            });
            flow.rps += rps;
            flow.bytes += rps * demand.bytes.unwrap_or(0.0);
            flow.sized &= demand.bytes.is_some();
        }
    }

    /// Adds the same requests by priority.
    pub(super) fn add_priorities(
        &mut self,
        rps: f64,
        distribution: &Distribution,
        state: &LoadState,
        snapshot: &Snapshot,
    ) {
        let mut sums: Vec<((ClusterId, usize), f64)> = Vec::new();
        for share in &distribution.shares {
            let key = (share.owner, share.priority);
            // Shares come priority by priority.
            match sums.last_mut().filter(|(known, _)| *known == key) {
                Some((_, sum)) => *sum += share.share,
                None => sums.push((key, share.share)),
            }
        }
        let place = |cluster: ClusterId, priority| PriorityPlace {
            cluster: snapshot
                .cluster(cluster)
                .map(|of| of.name.clone())
                .unwrap_or_default(),
            priority,
        };
        for (at, row) in state.priorities.iter().enumerate() {
            let of = self
                .priorities
                .entry(place(row.at.cluster, row.at.priority))
                .or_default();
            of.panic |= rps > 0.0 && state.panics(at);
        }
        for ((cluster, priority), share) in sums {
            let of = self.priorities.entry(place(cluster, priority)).or_default();
            of.rps += rps * share / 100.0;
        }
    }
}
