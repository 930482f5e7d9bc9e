//! The localities of a priority.

use alloc::{format, string::String, vec::Vec};

use spillgate_core::{
    model::{Coarse, Locality},
    snapshot::LevelHosts,
};

/// One locality of a priority.
#[derive(Debug, Clone, PartialEq)]
pub struct LocalityReport {
    /// Its region, zone and sub-zone.
    pub locality: Locality,
    /// Its weight, if configured.
    pub weight: Option<u32>,
    /// The indices of its hosts in the priority.
    pub hosts: Vec<usize>,
    /// The number of healthy hosts.
    pub healthy: usize,
    /// The number of degraded hosts.
    pub degraded: usize,
    /// The share of its hosts, in percent.
    pub share: f64,
}

impl LocalityReport {
    /// The localities of a priority in configuration order, from the shares of its hosts.
    pub(super) fn all(level: &LevelHosts, shares: &[f64]) -> Vec<Self> {
        let localities = level.level.localities.iter();
        let mut reports: Vec<Self> = localities
            .map(|of| Self {
                locality: of.locality.clone(),
                weight: of.weight,
                hosts: Vec::new(),
                healthy: 0,
                degraded: 0,
                share: 0.0,
            })
            .collect();
        for (host, endpoint) in level.level.endpoints.iter().enumerate() {
            let Some(report) = reports.get_mut(endpoint.locality) else {
                continue;
            };
            report.hosts.push(host);
            report.share += shares.get(host).copied().unwrap_or(0.0);
            match level.health(host).coarse() {
                Coarse::Healthy => report.healthy += 1,
                Coarse::Degraded => report.degraded += 1,
                Coarse::Unhealthy => {}
            }
        }
        reports
    }

    /// See [`locality_title`].
    #[must_use]
    pub fn title(&self) -> String {
        locality_title(&self.locality)
    }
}

/// `zone a`, or the configured parts; `no zone` without any.
#[must_use]
pub fn locality_title(locality: &Locality) -> String {
    let Locality {
        region,
        zone,
        sub_zone,
    } = locality;
    match (region.is_empty(), zone.is_empty(), sub_zone.is_empty()) {
        (true, true, true) => "no zone".into(),
        (true, false, true) => format!("zone {zone}"),
        _ => {
            let parts = [region.as_str(), zone, sub_zone];
            let set: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
            set.join(" / ")
        }
    }
}
