//! Which share of the requests of each zone goes to which zone.

use alloc::{string::String, vec::Vec};

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
