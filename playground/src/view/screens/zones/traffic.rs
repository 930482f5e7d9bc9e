//! The traffic of all views before and after a loss, and after the loss of each zone.

use std::collections::BTreeSet;

use spillgate_core::snapshot::HostRef;
use spillgate_mesh::traffic::{TrafficMatrix, TrafficRow};
use spillgate_sim::{Amount, Scene};

use super::{ZoneView, ZoneViews, ZonesInput};

/// The name of the column for hosts without a zone.
const NO_ZONE: &str = "no zone";

/// The traffic for one input.
#[derive(Debug)]
pub struct ZonesTraffic {
    /// Without a loss.
    pub before: TrafficMatrix,
    /// After the loss.
    pub after: TrafficMatrix,
    /// The number of lost hosts, and of all hosts of their zone.
    pub lost: (usize, usize),
    /// After the loss of each whole zone.
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

/// Every input makes a new result, so only the same one is equal.
impl PartialEq for ZonesTraffic {
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(self, other)
    }
}

impl ZonesTraffic {
    /// The traffic of the views.
    #[must_use]
    pub fn new(views: &ZoneViews, input: &ZonesInput) -> Self {
        let zones = zones(views);
        let lost = views.views.iter().map(|view| {
            let hosts = in_zone(&view.scene, &input.zone);
            (part(&hosts, input.percent), hosts.len())
        });
        let whole = zones.iter().filter(|zone| *zone != NO_ZONE);
        Self {
            before: matrix(views, &zones, "", 0),
            after: matrix(views, &zones, &input.zone, input.percent),
            lost: lost.max_by_key(|(_, all)| *all).unwrap_or_default(),
            zones: whole
                .map(|zone| ZoneLossRow {
                    zone: zone.clone(),
                    traffic: matrix(views, &zones, zone, 100),
                })
                .collect(),
        }
    }
}

/// The names of the columns: every zone with hosts, or with proxies of which a host's zone is known.
fn zones(views: &ZoneViews) -> Vec<String> {
    let hosts = views.views.iter().flat_map(|view| {
        let hosts = view.scene.hosts().iter();
        hosts.map(|&host| zone_of(&view.scene, host))
    });
    let mut zones: BTreeSet<String> = hosts.collect();
    if views.views.len() > 1 {
        zones.extend(views.views.iter().map(|view| view.zone.clone()));
    }
    zones.into_iter().collect()
}

fn matrix(views: &ZoneViews, zones: &[String], zone: &str, percent: u32) -> TrafficMatrix {
    let rows = views
        .views
        .iter()
        .map(|view| row(view, zones, zone, percent));
    TrafficMatrix {
        destination: views.destination.clone(),
        zones: zones.to_vec(),
        rows: rows.collect(),
    }
}

/// The traffic of one view after the loss of a part of a zone.
fn row(view: &ZoneView, zones: &[String], zone: &str, percent: u32) -> TrafficRow {
    let scene = &view.scene;
    let hosts = in_zone(scene, zone);
    let snapshot = scene.without(&scene.first_lost(&hosts, part(&hosts, percent)));
    let state = scene.load_state(&snapshot);
    let panicking = (0..state.priorities.len()).filter(|&place| state.panics(place));
    let mut to = vec![0.0; zones.len()];
    for share in &scene.shares(&snapshot).shares {
        let host = HostRef {
            cluster: share.owner,
            priority: share.priority,
            host: share.host,
        };
        let name = zone_of(scene, host);
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

/// The hosts of a zone; none for an empty name.
fn in_zone(scene: &Scene, zone: &str) -> Vec<HostRef> {
    let hosts = scene.hosts().iter().copied();
    let inside = |host: &HostRef| !zone.is_empty() && zone_of(scene, *host) == zone;
    hosts.filter(inside).collect()
}

/// The number of hosts that is a percentage of some, rounded to whole hosts.
fn part(hosts: &[HostRef], percent: u32) -> usize {
    let all = hosts.len();
    Amount::Percent(f64::from(percent)).of(all).unwrap_or(all)
}

/// `zone-1`, or `region/zone-1` if it has a region.
fn zone_of(scene: &Scene, host: HostRef) -> String {
    match scene.locality(host) {
        Some(at) if at.zone.is_empty() => NO_ZONE.into(),
        Some(at) if at.region.is_empty() => at.zone.clone(),
        Some(at) => format!("{}/{}", at.region, at.zone),
        None => NO_ZONE.into(),
    }
}
