//! The answer about a fleet.

use alloc::{format, string::String, vec, vec::Vec};

use super::{
    CaseReport, FleetHost, FleetZone, PriorityNeed, ZoneDemand,
    hosts::{EqualHosts, HostTable},
    loads::CaseLoads,
    need::needs,
};

/// The loads of all hosts, in each case.
#[derive(Debug, Clone)]
pub struct FleetReport {
    /// The zones of callers and hosts.
    pub zones: Vec<FleetZone>,
    /// All hosts.
    pub hosts: Vec<FleetHost>,
    /// The requests per second of each host with all zones.
    pub loads: Vec<f64>,
    /// The highest load of each host over all cases, and the index of its case; the first of several.
    pub worst: Vec<(f64, usize)>,
    /// Hosts that only their addresses distinguish.
    pub classes: Vec<EqualHosts>,
    /// The case with all zones, then those without zones.
    pub cases: Vec<CaseReport>,
    /// What each priority must be able to take.
    pub needs: Vec<PriorityNeed>,
}

/// The load of each host now, and its highest load.
pub(super) struct WorstLoads {
    now: Vec<f64>,
    worst: Vec<(f64, usize)>,
}

impl WorstLoads {
    pub(super) fn new(table: &HostTable) -> Self {
        Self {
            now: vec![0.0; table.hosts.len()],
            worst: vec![(0.0, 0); table.hosts.len()],
        }
    }

    pub(super) fn add(&mut self, case: usize, loads: &CaseLoads) {
        if case == 0 {
            self.now.clone_from(&loads.hosts);
        }
        for (worst, load) in self.worst.iter_mut().zip(&loads.hosts) {
            if *load > worst.0 {
                *worst = (*load, case);
            }
        }
    }
}

impl FleetReport {
    pub(super) fn new(table: HostTable, cases: Vec<CaseReport>, worst: WorstLoads) -> Self {
        Self {
            needs: needs(&cases),
            zones: table.zones,
            hosts: table.hosts,
            classes: table.classes,
            loads: worst.now,
            worst: worst.worst,
            cases,
        }
    }

    /// The case with all zones.
    #[must_use]
    pub fn present(&self) -> Option<&CaseReport> {
        self.cases.first()
    }

    /// The name of a zone.
    #[must_use]
    pub fn zone_name(&self, zone: usize) -> String {
        let zone = self.zones.get(zone);
        zone.map_or_else(String::new, |zone| zone.name_among(&self.zones))
    }

    /// The names of the lost zones of a case: `a and b`; empty for the present.
    #[must_use]
    pub fn case_name(&self, case: usize) -> String {
        let lost = self.cases.get(case).map(|case| case.lost.as_slice());
        let names = lost.unwrap_or_default().iter();
        names
            .map(|zone| self.zone_name(*zone))
            .collect::<Vec<_>>()
            .join(" and ")
    }

    /// When the figures of a case hold: `if a fails`, `if a and b fail`; empty for the present.
    #[must_use]
    pub fn condition(&self, case: usize) -> String {
        let name = self.case_name(case);
        match self.cases.get(case).map_or(0, |case| case.lost.len()) {
            0 => name,
            1 => format!("if {name} fails"),
            _ => format!("if {name} fail"),
        }
    }

    /// The hosts of a zone as a subject with its verb, and their possessive pronoun: `zone a gets`, `its`.
    #[must_use]
    pub fn zone_subject(&self, zone: usize) -> (String, &'static str) {
        let found = self.zones.get(zone);
        if found.is_some_and(|zone| zone.zone.is_empty()) {
            (String::from("the hosts without a zone get"), "their")
        } else {
            (format!("zone {} gets", self.zone_name(zone)), "its")
        }
    }

    /// Whether capacities are given.
    #[must_use]
    pub fn has_capacity(&self) -> bool {
        self.hosts.iter().any(|host| host.capacity.is_some())
    }

    /// How bad the load of a zone is: its utilization, which is 0 without usable hosts; without capacities, its
    /// requests per second.
    #[must_use]
    pub fn measure(&self, zone: &ZoneDemand) -> f64 {
        if self.has_capacity() {
            zone.utilization().unwrap_or(0.0)
        } else {
            zone.rps
        }
    }
}
