//! Zone-to-zone traffic: which share of the requests of each zone goes to which zone.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    string::String,
    vec::Vec,
};

use super::{MeshOutbound, MeshZone, OutboundDestination};

/// The traffic to one destination from all zones.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TrafficMatrix {
    /// The name of the destination.
    pub destination: String,
    /// The zones of the columns: every zone with proxies or hosts.
    pub zones: Vec<String>,
    /// One row for each zone with proxies.
    pub rows: Vec<TrafficRow>,
}

/// The requests of one zone, in percent.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TrafficRow {
    /// The zone of the proxies.
    pub from: String,
    /// The share of each zone, in the order of the columns.
    pub to: Vec<f64>,
    /// The share of requests without a host.
    pub no_host: f64,
    /// The share of requests to priorities in panic mode, which may go to failed hosts.
    pub panic: f64,
}

impl TrafficMatrix {
    /// The share of the requests of a zone that another one gets; `None` if a zone is unknown.
    #[must_use]
    pub fn share(&self, from: &str, to: &str) -> Option<f64> {
        let column = self.zones.iter().position(|zone| zone == to)?;
        let row = self.rows.iter().find(|row| row.from == from)?;
        row.to.get(column).copied()
    }
}

/// One matrix for each destination, by name. A matrix follows the rule that serves requests which
/// meet no condition.
#[must_use]
pub fn traffic_matrices(zones: &[MeshZone]) -> Vec<TrafficMatrix> {
    let names: BTreeSet<&str> = zones
        .iter()
        .flat_map(|zone| &zone.outbound.destinations)
        .map(|destination| destination.name.as_str())
        .collect();
    names.into_iter().map(|name| matrix(name, zones)).collect()
}

fn matrix(name: &str, zones: &[MeshZone]) -> TrafficMatrix {
    let mut sums = Vec::new();
    for zone in zones {
        let outbound = &zone.outbound;
        let mut destinations = outbound.destinations.iter();
        let found = destinations.find(|destination| destination.name == name);
        if let Some(destination) = found {
            sums.push((zone.name.as_str(), ZoneSums::new(outbound, destination)));
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
    fn new(outbound: &'a MeshOutbound, destination: &OutboundDestination) -> Self {
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
            let found = cluster.shares();
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
