//! Evaluates a fleet: class by class, in each case.

use alloc::{collections::BTreeMap, vec, vec::Vec};

use spillgate_core::{
    model::Model,
    snapshot::{HostRef, Snapshot},
};

use super::{
    CallerClass, CallerTarget, CapacityRule, CaseReport, Fleet, FleetReport, FleetZone,
    LostCallers,
    hosts::{HostIndex, HostTable, INGRESS},
    loads::{CaseLoads, Demand},
    report::WorstLoads,
    view::{view, with_local_cluster},
};
use crate::{LoadState, fault::SpecFault, loss_model::lose};

/// The cases that are evaluated together: each has a sum for every host.
const CASES: usize = 64;

/// A configuration with the local cluster of the fleet, and the places of its hosts.
struct ConfigView<'f> {
    model: Model,
    targets: &'f [CallerTarget],
    index: HostIndex,
}

/// The snapshot of a class, and the places of its hosts.
struct ClassView<'f> {
    fleet: &'f Fleet,
    class: &'f CallerClass,
    config: &'f ConfigView<'f>,
    snapshot: Snapshot,
    /// The hosts of the local cluster by zone, if they fail with it.
    own: BTreeMap<FleetZone, Vec<HostRef>>,
}

/// All hosts with their capacities, and their places in the clusters of each model.
type PlacedHosts = (HostTable, Vec<HostIndex>);

impl Fleet {
    /// The loads with all zones, without each single zone (`n_minus` 1), and without each pair of zones (2).
    ///
    /// # Errors
    /// The capacity rules that select no host, by index.
    pub fn report(&self, n_minus: u8) -> Result<FleetReport, Vec<(usize, SpecFault)>> {
        let (table, indices) = self.table()?;
        let configs = self.configs.iter().zip(indices);
        let configs: Vec<ConfigView<'_>> = configs
            .map(|(config, index)| ConfigView {
                model: with_local_cluster(&config.model, &self.classes, self.local),
                targets: &config.targets,
                index,
            })
            .collect();
        let cases = cases(&table, n_minus);
        let mut worst = WorstLoads::new(&table);
        let mut reports: Vec<CaseReport> = Vec::with_capacity(cases.len());
        for chunk in cases.chunks(CASES) {
            let loads = self.loads(chunk, &table, &configs);
            for case in &loads {
                worst.add(reports.len(), case);
                reports.push(CaseReport::new(case, &table, &self.prices));
            }
        }
        Ok(FleetReport::new(table, reports, worst))
    }

    /// All hosts with their capacities, and their places in the clusters of each model.
    fn table(&self) -> Result<PlacedHosts, Vec<(usize, SpecFault)>> {
        let mut table = HostTable::new(self);
        let mut indices = Vec::new();
        let mut snapshots = Vec::new();
        for config in &self.configs {
            let snapshot = Snapshot::build(&config.model);
            indices.push(table.add(self, &snapshot, &config.targets));
            // Rules without a selector need no snapshot, and large fleets no further memory.
            if self.capacities.iter().any(|rule| rule.selector.is_some()) {
                snapshots.push(snapshot);
            }
        }
        let mut faults = Vec::new();
        let of_all = |rule: &&(usize, &CapacityRule)| rule.1.selector.is_none();
        let rules: Vec<(usize, &CapacityRule)> = self.capacities.iter().enumerate().collect();
        let (first, then): (Vec<_>, Vec<_>) = rules.iter().partition(of_all);
        for (_, rule) in first {
            table.set_all(rule.rps);
        }
        for (at, rule) in then {
            let mut fault = None;
            let mut applies = false;
            for (snapshot, index) in snapshots.iter().zip(&indices) {
                match table.apply(rule, snapshot, index) {
                    Ok(()) => applies = true,
                    // An ingress explains more than a host that other callers do not see.
                    Err(found) if found.code == INGRESS => fault = Some(found),
                    Err(found) => fault = fault.or(Some(found)),
                }
            }
            faults.extend(fault.filter(|_| !applies).map(|fault| (at, fault)));
        }
        table.classify();
        if faults.is_empty() {
            Ok((table, indices))
        } else {
            Err(faults)
        }
    }

    fn loads(
        &self,
        cases: &[Vec<usize>],
        table: &HostTable,
        configs: &[ConfigView<'_>],
    ) -> Vec<CaseLoads> {
        let mut loads: Vec<CaseLoads> = cases
            .iter()
            .map(|lost| CaseLoads::new(lost, table))
            .collect();
        for class in self.classes.iter().filter(|class| class.requests() > 0.0) {
            let Some(config) = configs.get(class.config) else {
                continue;
            };
            let of_class = ClassView::new(self, class, config);
            for loads in &mut loads {
                of_class.add_to(loads, table);
            }
        }
        loads
    }

    /// The requests per second of a class for one cluster, without some zones.
    fn requests(&self, class: &CallerClass, lost: &[&FleetZone]) -> f64 {
        let is_lost = |class: &CallerClass| lost.contains(&&FleetZone::of(&class.locality));
        let own = class.requests();
        match self.lost_callers {
            LostCallers::Stay => own,
            _ if is_lost(class) => 0.0,
            LostCallers::Fail => own,
            LostCallers::Move => {
                let all = || self.classes.iter();
                let total: f64 = all().map(CallerClass::requests).sum();
                let left = all().filter(|class| !is_lost(class));
                own * total / left.map(CallerClass::requests).sum::<f64>()
            }
        }
    }
}

impl<'f> ClassView<'f> {
    fn new(fleet: &'f Fleet, class: &'f CallerClass, config: &'f ConfigView<'f>) -> Self {
        let seen = view(&config.model, class);
        let snapshot = Snapshot::build(&seen);
        let own = match fleet.lost_callers {
            LostCallers::Stay => BTreeMap::new(),
            LostCallers::Fail | LostCallers::Move => {
                let local = seen.local().cluster.as_deref().unwrap_or_default();
                local_hosts(&snapshot, local)
            }
        };
        Self {
            fleet,
            class,
            config,
            snapshot,
            own,
        }
    }

    fn add_to(&self, loads: &mut CaseLoads, table: &HostTable) {
        let zones: Vec<&FleetZone> = loads
            .lost
            .iter()
            .filter_map(|at| table.zones.get(*at))
            .collect();
        let rps = self.fleet.requests(self.class, &zones);
        // `0 * inf` is the rate if no caller is left.
        if rps.is_nan() || rps <= 0.0 {
            return;
        }
        let is_lost = |at: usize| {
            table
                .hosts
                .get(at)
                .is_some_and(|host| loads.lost.contains(&host.zone))
        };
        let mut lost: Vec<HostRef> = Vec::new();
        if !zones.is_empty() {
            lost.extend(self.config.index.of_table(&is_lost));
            let own = zones.iter().filter_map(|zone| self.own.get(*zone));
            lost.extend(own.flatten().copied());
        }
        let without = (!lost.is_empty()).then(|| lose(&self.snapshot, &lost));
        let snapshot = without.as_ref().unwrap_or(&self.snapshot);
        let own_zone = FleetZone::of(&self.class.locality);
        let zone = table.zones.iter().position(|zone| *zone == own_zone);
        let criteria = &self.fleet.criteria;
        for target in self.config.targets {
            let demand = Demand {
                zone: zone.unwrap_or(0),
                rps: rps * target.part,
                bytes: self.class.bytes,
            };
            let Some(cluster) = snapshot.cluster_id(&target.cluster) else {
                loads.add_unanswered(demand.rps);
                continue;
            };
            let distribution = snapshot.distribution_for(cluster, criteria, None);
            let state = LoadState::of(snapshot, cluster, criteria);
            loads.add(demand, &distribution, table, &self.config.index);
            loads.add_priorities(demand.rps, &distribution, &state, snapshot);
        }
    }
}

/// The hosts of a cluster by zone.
fn local_hosts(snapshot: &Snapshot, cluster: &str) -> BTreeMap<FleetZone, Vec<HostRef>> {
    let mut found: BTreeMap<FleetZone, Vec<HostRef>> = BTreeMap::new();
    let Some(cluster) = snapshot.cluster_id(cluster) else {
        return found;
    };
    let priorities = snapshot
        .plain(cluster)
        .map(|plain| plain.priorities.as_slice());
    for (priority, hosts) in priorities.unwrap_or_default().iter().enumerate() {
        let localities = hosts.configured.localities.iter();
        let zones: Vec<FleetZone> = localities.map(|of| FleetZone::of(&of.locality)).collect();
        for host in 0..hosts.len() {
            let zone = hosts.endpoint(host).and_then(|of| zones.get(of.locality));
            let Some(zone) = zone else { continue };
            let host = HostRef {
                cluster,
                priority,
                host,
            };
            match found.get_mut(zone) {
                Some(hosts) => hosts.push(host),
                None => {
                    found.insert(zone.clone(), vec![host]);
                }
            }
        }
    }
    found
}

/// The lost zones of each case: none, then each zone with hosts, then each pair.
fn cases(table: &HostTable, n_minus: u8) -> Vec<Vec<usize>> {
    let mut cases = vec![Vec::new()];
    let zones = table.zones_with_hosts();
    if n_minus >= 1 {
        cases.extend(zones.iter().map(|zone| vec![*zone]));
    }
    if n_minus >= 2 {
        for (at, one) in zones.iter().enumerate() {
            cases.extend(zones.iter().skip(at + 1).map(|other| vec![*one, *other]));
        }
    }
    cases
}
