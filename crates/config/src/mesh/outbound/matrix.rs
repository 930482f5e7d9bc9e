//! The traffic matrices of the documents of a mesh.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    string::String,
    vec::Vec,
};

use spillgate_mesh::traffic::{TrafficMatrix, TrafficRow};

use super::{MeshOutbound, MeshZone, OutboundCluster, OutboundDestination, OutboundShares};

/// One matrix for each destination, by name. A matrix follows the rule that serves requests which
/// meet no condition. Destinations with requests whose clients choose the host have none, and zones whose
/// proxies redirect or answer the requests have no row.
#[must_use]
pub fn traffic_matrices(zones: &[MeshZone]) -> Vec<TrafficMatrix> {
    traffic_matrices_with(zones, &mut OutboundCluster::shares)
}

/// As [`traffic_matrices`], with other shares of the clusters than Envoy's.
#[must_use]
pub fn traffic_matrices_with(
    zones: &[MeshZone],
    shares: &mut dyn FnMut(&OutboundCluster) -> OutboundShares,
) -> Vec<TrafficMatrix> {
    let names: BTreeSet<&str> = zones
        .iter()
        .flat_map(|zone| {
            let destinations = zone.outbound.destinations.iter();
            destinations.filter(|of| !is_chosen(&zone.outbound, of) && !of.is_answered())
        })
        .map(|destination| destination.name.as_str())
        .collect();
    let matrices = names.into_iter();
    matrices.map(|name| matrix(name, zones, shares)).collect()
}

/// Whether clients choose the hosts of some requests to a destination: those have no shares.
fn is_chosen(outbound: &MeshOutbound, destination: &OutboundDestination) -> bool {
    let rule = destination.default_rule();
    rule.into_iter()
        .flat_map(|rule| rule.shares())
        .any(|(at, share)| {
            let cluster = outbound.clusters.get(at);
            share > 0.0 && cluster.is_some_and(|cluster| cluster.settings.chosen.is_some())
        })
}

fn matrix(
    name: &str,
    zones: &[MeshZone],
    shares: &mut dyn FnMut(&OutboundCluster) -> OutboundShares,
) -> TrafficMatrix {
    let mut sums = Vec::new();
    for zone in zones {
        let outbound = &zone.outbound;
        let mut destinations = outbound.destinations.iter();
        let found = destinations.find(|of| of.name == name && !of.is_answered());
        if let Some(destination) = found {
            sums.push((
                zone.name.as_str(),
                ZoneSums::new(outbound, destination, shares),
            ));
        }
    }
    let columns: BTreeSet<&str> = sums
        .iter()
        .flat_map(|(from, sums)| sums.shares.keys().copied().chain([*from]))
        .collect();
    let rows = sums.iter().map(|(from, sums)| TrafficRow {
        from: (*from).into(),
        to: columns
            .iter()
            .map(|zone| sums.shares.get(zone).copied().unwrap_or_default())
            .collect(),
        no_host: sums.no_host,
        panic: sums.panic,
    });
    TrafficMatrix {
        destination: name.into(),
        rows: rows.collect(),
        zones: columns.into_iter().map(String::from).collect(),
    }
}

/// The requests of one zone to a destination, in percent.
struct ZoneSums<'a> {
    /// The share of each zone with hosts.
    shares: BTreeMap<&'a str, f64>,
    no_host: f64,
    panic: f64,
}

impl<'a> ZoneSums<'a> {
    fn new(
        outbound: &'a MeshOutbound,
        destination: &OutboundDestination,
        shares: &mut dyn FnMut(&OutboundCluster) -> OutboundShares,
    ) -> Self {
        let mut sums = Self {
            shares: BTreeMap::new(),
            no_host: 100.0,
            panic: 0.0,
        };
        let rule = destination.default_rule();
        for (at, share) in rule.into_iter().flat_map(|rule| rule.shares()) {
            let Some(cluster) = outbound.clusters.get(at) else {
                continue;
            };
            let found = shares(cluster);
            sums.no_host -= share * (100.0 - found.no_host) / 100.0;
            sums.panic += share * f64::from(found.panic_load()) / 100.0;
            for (of, zone) in found.endpoints.iter().zip(&cluster.zones) {
                *sums.shares.entry(zone.as_str()).or_default() += share * of / 100.0;
            }
        }
        // Differences below the precision of shares are rounding.
        if sums.no_host.abs() < 1e-9 {
            sums.no_host = 0.0;
        }
        sums
    }
}
