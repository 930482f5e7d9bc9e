//! The localities of a priority.

use alloc::{format, string::String, vec::Vec};

use spillgate_core::{
    model::{CoarseHealth, Locality},
    snapshot::PriorityHosts,
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
    pub(super) fn all(priority: &PriorityHosts, shares: &[f64]) -> Vec<Self> {
        let localities = priority.configured.localities.iter();
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
        for (host, endpoint) in priority.configured.endpoints.iter().enumerate() {
            let Some(report) = reports.get_mut(endpoint.locality) else {
                continue;
            };
            report.hosts.push(host);
            report.share += shares.get(host).copied().unwrap_or(0.0);
            match priority.health(host).coarse() {
                CoarseHealth::Healthy => report.healthy += 1,
                CoarseHealth::Degraded => report.degraded += 1,
                CoarseHealth::Unhealthy => {}
            }
        }
        reports
    }

    /// Whether neither region, zone nor sub-zone is configured.
    #[must_use]
    pub fn is_unnamed(&self) -> bool {
        self.locality == Locality::default()
    }

    /// `zone a`, or the configured parts; `no zone` without any.
    #[must_use]
    pub fn title(&self) -> String {
        locality_title(&self.locality)
    }

    /// The same without the word `zone`.
    #[must_use]
    pub fn short_title(&self) -> String {
        match zone_alone(&self.locality) {
            Some("") | None => self.title(),
            Some(zone) => zone.into(),
        }
    }
}

/// `zone a`, or the parts of a locality; `no zone` without any.
#[must_use]
pub fn locality_title(locality: &Locality) -> String {
    match zone_alone(locality) {
        Some("") => "no zone".into(),
        Some(zone) => format!("zone {zone}"),
        None => parts(locality),
    }
}

/// The zone of a locality without region and sub-zone.
fn zone_alone(locality: &Locality) -> Option<&str> {
    let alone = locality.region.is_empty() && locality.sub_zone.is_empty();
    alone.then_some(locality.zone.as_str())
}

fn parts(locality: &Locality) -> String {
    let parts = [&locality.region, &locality.zone, &locality.sub_zone];
    let set = parts.into_iter().filter(|part| !part.is_empty());
    let set: Vec<&str> = set.map(String::as_str).collect();
    set.join(" / ")
}
