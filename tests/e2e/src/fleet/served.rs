//! What a fleet counted, next to what is predicted of it.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result, ensure};
use spillgate_sim::fleet::{CaseReport, EqualHosts, FleetFlow, FleetHost, FleetReport};

use super::{CountedLoad, RandomFleet};

/// How often hosts answered the callers of each zone, and how often none did.
#[derive(Debug, Default)]
pub(super) struct Answers {
    /// By the zone of the caller and the address of the host.
    pub(super) hosts: BTreeMap<(&'static str, String), u64>,
    /// By the zone of the caller.
    pub(super) none: BTreeMap<&'static str, u64>,
}

/// The counts of a fleet: of each host, each zone, each pair of the zones of callers and hosts, and without a host.
#[derive(Debug)]
pub struct ServedFleet {
    /// The counts with their predictions.
    pub loads: Vec<CountedLoad>,
    /// The same counts with predictions that ignore the local cluster.
    pub without_local_cluster: Vec<CountedLoad>,
}

impl ServedFleet {
    pub(super) fn new(
        name: &str,
        fleet: &RandomFleet,
        requests: u64,
        answers: &Answers,
    ) -> Result<Self> {
        let wrong = fleet.predicted_without_local_cluster(requests)?;
        Ok(Self {
            loads: compare(name, fleet, requests, &fleet.predicted(requests)?, answers)?,
            without_local_cluster: compare(name, fleet, requests, &wrong, answers)?,
        })
    }
}

fn compare(
    name: &str,
    fleet: &RandomFleet,
    requests: u64,
    report: &FleetReport,
    answers: &Answers,
) -> Result<Vec<CountedLoad>> {
    let case = case_of(report, fleet.lost)?;
    let all = requests * fleet.callers.len() as u64;
    let load = |what: String, requests, expected, counted| CountedLoad {
        what: format!("{name} without {:?} {what}", fleet.lost),
        requests,
        expected,
        counted,
    };
    let none = answers.none.values().sum();
    let mut found = vec![load("without a host".into(), all, case.no_host, none)];
    let mut served = 0;
    let mut zones = vec![0; report.zones.len()];
    let mut flows: BTreeMap<(&str, usize), u64> = BTreeMap::new();
    for (at, host) in report.hosts.iter().enumerate() {
        let own = answers
            .hosts
            .iter()
            .filter(|((_, of), _)| *of == host.address);
        let mut counted = 0;
        for ((from, _), count) in own {
            counted += count;
            *flows.entry((*from, host.zone)).or_default() += count;
        }
        served += counted;
        if let Some(zone) = zones.get_mut(host.zone) {
            *zone += counted;
        }
        let expected = match fleet.lost {
            None => report.loads.get(at).copied(),
            Some(_) => of_class(report, case, host),
        };
        let expected = expected.context("a host without a load")?;
        found.push(load(
            format!("host {}", host.address),
            all,
            expected,
            counted,
        ));
    }
    ensure!(served + none == all, "{name}: {answers:?}");
    for (at, counted) in zones.into_iter().enumerate() {
        let expected = case.zones.get(at).map_or(0.0, |zone| zone.rps);
        found.push(load(
            format!("zone {}", report.zone_name(at)),
            all,
            expected,
            counted,
        ));
    }
    for from in callers(fleet) {
        let own = fleet.callers.iter().filter(|zone| **zone == from).count();
        for to in 0..report.zones.len() {
            let is_own = |flow: &&FleetFlow| {
                let zone = report.zones.get(flow.from);
                flow.to == to && zone.is_some_and(|zone| zone.zone == from)
            };
            let expected = case.flows.iter().find(is_own).map_or(0.0, |flow| flow.rps);
            let counted = flows.get(&(from, to)).copied().unwrap_or(0);
            let what = format!("zone {from} to zone {}", report.zone_name(to));
            found.push(load(what, requests * own as u64, expected, counted));
        }
    }
    Ok(found)
}

/// The zones of the callers, each once.
fn callers(fleet: &RandomFleet) -> Vec<&'static str> {
    let mut zones = fleet.callers.clone();
    zones.sort_unstable();
    zones.dedup();
    zones
}

/// The case without the lost zone. A zone without a host has no case of its own: its loss changes nothing.
fn case_of<'r>(report: &'r FleetReport, lost: Option<&str>) -> Result<&'r CaseReport> {
    let is_lost = |case: &&CaseReport| {
        let zones = case.lost.iter().filter_map(|at| report.zones.get(*at));
        let names: Vec<&str> = zones.map(|zone| zone.zone.as_str()).collect();
        !names.is_empty() && names.as_slice() == lost.as_slice()
    };
    let case = report
        .cases
        .iter()
        .find(is_lost)
        .or_else(|| report.present());
    case.context("no case")
}

/// The load of a host: equal hosts have equal loads.
fn of_class(report: &FleetReport, case: &CaseReport, host: &FleetHost) -> Option<f64> {
    let is_own = |class: &EqualHosts| {
        (&class.place, &class.locality, class.health, class.weight)
            == (&host.place, &host.locality, host.health, host.weight)
    };
    let at = report.classes.iter().position(is_own)?;
    let rps = case.classes.get(at)?.rps;
    Some(rps / report.classes.get(at)?.hosts as f64)
}
