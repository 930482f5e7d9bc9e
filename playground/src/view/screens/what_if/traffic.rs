//! From which zone to which zone requests go: before and after a loss, and after the loss of each zone.

use std::collections::BTreeSet;

use spillgate_core::{shares::Distribution, snapshot::HostRef};
use spillgate_explain::host_address;
use spillgate_mesh::traffic::{TrafficMatrix, TrafficRow};
use spillgate_sim::{LoadState, Scene, WhatIf};

use super::{Question, Stage, ZoneView, ZoneViews};

/// The name of the column for hosts without a zone.
const NO_ZONE: &str = "no zone";

/// The traffic before a loss.
#[derive(Debug)]
pub struct ZonesTraffic {
    /// The zones: every one with hosts, or with proxies.
    pub names: Vec<String>,
    /// The traffic.
    pub before: TrafficMatrix,
    /// In a mesh, the traffic after the loss of each whole zone; otherwise empty.
    pub zones: Vec<ZoneLossRow>,
}

/// The traffic after the loss of a whole zone.
#[derive(Debug)]
pub struct ZoneLossRow {
    /// The lost zone.
    pub zone: String,
    /// The traffic.
    pub traffic: TrafficMatrix,
}

/// The lost hosts of a zone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ZoneHosts {
    /// The zone.
    pub zone: String,
    /// The number of its lost hosts.
    pub lost: usize,
    /// The number of all its hosts.
    pub all: usize,
}

/// Only the same traffic is equal: comparing all of it would take longer than drawing it.
impl PartialEq for ZonesTraffic {
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(self, other)
    }
}

impl ZonesTraffic {
    /// The traffic of the views of a stage.
    #[must_use]
    pub fn new(stage: &Stage) -> Self {
        let views = &stage.views;
        let names = names(views);
        let whole = names
            .iter()
            .filter(|zone| views.is_mesh() && *zone != NO_ZONE);
        let zones = whole.map(|zone| {
            let hosts = all_hosts(views);
            let lost = hosts.filter(|host| zone_of(&stage.scene, *host) == *zone);
            ZoneLossRow {
                zone: zone.clone(),
                traffic: matrix(stage, &names, &lost.collect::<Vec<_>>()),
            }
        });
        Self {
            before: matrix(stage, &names, &[]),
            zones: zones.collect(),
            names,
        }
    }

    /// The traffic after a loss. Other proxies lose the hosts with the same addresses.
    #[must_use]
    pub fn after(&self, stage: &Stage, what_if: &WhatIf, question: &Question) -> TrafficMatrix {
        let views = &stage.views;
        match views.views.as_slice() {
            [view] => TrafficMatrix {
                destination: views.destination.clone(),
                zones: self.names.clone(),
                rows: vec![row(
                    view,
                    &self.names,
                    &what_if.after,
                    &what_if.shares_after,
                )],
            },
            _ => {
                let losses = question.losses.iter();
                let lost: Vec<HostRef> = losses.flat_map(|loss| stage.lost(loss)).collect();
                matrix(stage, &self.names, &with_same_address(stage, &lost))
            }
        }
    }

    /// The number of hosts that each zone of the shown cluster loses.
    #[must_use]
    pub fn hosts(&self, stage: &Stage, what_if: &WhatIf) -> Vec<ZoneHosts> {
        let count = |hosts: &[HostRef], zone: &str| {
            let hosts = hosts.iter();
            hosts
                .filter(|host| zone_of(&stage.scene, **host) == zone)
                .count()
        };
        let hosts = self.names.iter().map(|zone| ZoneHosts {
            zone: zone.clone(),
            lost: count(&what_if.lost, zone),
            all: count(stage.scene.hosts(), zone),
        });
        hosts.collect()
    }
}

/// The hosts of all views with the addresses of some.
fn with_same_address(stage: &Stage, lost: &[HostRef]) -> Vec<HostRef> {
    let snapshot = stage.scene.snapshot();
    let addresses: BTreeSet<&str> = lost
        .iter()
        .map(|host| host_address(snapshot, *host))
        .collect();
    let hosts = all_hosts(&stage.views);
    hosts
        .filter(|host| addresses.contains(host_address(snapshot, *host)))
        .collect()
}

fn all_hosts(views: &ZoneViews) -> impl Iterator<Item = HostRef> {
    let views = views.views.iter();
    views.flat_map(|view| view.scene.hosts().iter().copied())
}

/// The names of the columns: every zone with hosts, or with proxies of which a host's zone is known.
fn names(views: &ZoneViews) -> Vec<String> {
    let hosts = views.views.iter().flat_map(|view| {
        let hosts = view.scene.hosts().iter();
        hosts.map(|&host| zone_of(&view.scene, host))
    });
    let mut zones: BTreeSet<String> = hosts.collect();
    if views.is_mesh() {
        zones.extend(views.views.iter().map(|view| view.zone.clone()));
    }
    zones.into_iter().collect()
}

/// The traffic of all views without some hosts.
fn matrix(stage: &Stage, zones: &[String], lost: &[HostRef]) -> TrafficMatrix {
    let snapshot = stage.scene.without(lost);
    let rows = stage.views.views.iter().map(|view| {
        let scene = &view.scene;
        row(
            view,
            zones,
            &scene.load_state(&snapshot),
            &scene.shares(&snapshot),
        )
    });
    TrafficMatrix {
        destination: stage.views.destination.clone(),
        zones: zones.to_vec(),
        rows: rows.collect(),
    }
}

fn row(view: &ZoneView, zones: &[String], state: &LoadState, shares: &Distribution) -> TrafficRow {
    let panicking = (0..state.priorities.len()).filter(|&place| state.panics(place));
    let mut to = vec![0.0; zones.len()];
    for share in &shares.shares {
        let host = HostRef {
            cluster: share.owner,
            priority: share.priority,
            host: share.host,
        };
        let name = zone_of(&view.scene, host);
        let column = zones.iter().position(|zone| *zone == name);
        if let Some(sum) = column.and_then(|column| to.get_mut(column)) {
            *sum += share.share;
        }
    }
    TrafficRow {
        from: view.zone.clone(),
        to,
        panic: panicking.map(|place| f64::from(state.load(place))).sum(),
        no_host: state.no_host,
    }
}

/// `zone-1`, or `region/zone-1` if it has a region.
pub(super) fn zone_of(scene: &Scene, host: HostRef) -> String {
    match scene.locality(host) {
        Some(at) if at.zone.is_empty() => NO_ZONE.into(),
        Some(at) if at.region.is_empty() => at.zone.clone(),
        Some(at) => format!("{}/{}", at.region, at.zone),
        None => NO_ZONE.into(),
    }
}
