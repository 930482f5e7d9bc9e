//! The scenario at a time of the record: what Build shows of it.

use std::{collections::BTreeMap, sync::Arc};

use spillgate_core::model::{Cluster, ClusterKind, Health, Priority};
use spillgate_scenario::EditedScenario;

use super::{IncidentStage, ShownIncident};

/// By cluster in the question, priority and index: the health of each host.
type HostStates = BTreeMap<(usize, usize, usize), Option<Health>>;

/// The scenario with the hosts as the workers see them at a time in milliseconds, without absent ones.
#[must_use]
pub fn scenario_at(stage: &IncidentStage, run: &ShownIncident, millis: u64) -> EditedScenario {
    let states = run.record.hosts.iter().zip(run.hosts_at(millis));
    let states = states.map(|(host, state)| ((host.cluster, host.priority, host.index), state));
    let states: HostStates = states.collect();
    let scenario = &stage.scenario;
    let clusters = scenario.clusters().iter().map(|cluster| {
        let mut asked = stage.clusters.iter();
        match asked.position(|of| of.name == cluster.name) {
            Some(at) => Arc::new(changed(cluster, at, &states)),
            None => Arc::clone(cluster),
        }
    });
    let clusters: Vec<Arc<Cluster>> = clusters.collect();
    // Names and localities are those of a valid scenario.
    let found = EditedScenario::new(clusters, scenario.root());
    let mut found = found.unwrap_or_else(|_| EditedScenario::clone(scenario));
    found.origin.clone_from(&scenario.origin);
    found
}

fn changed(cluster: &Cluster, at: usize, states: &HostStates) -> Cluster {
    let mut changed = cluster.clone();
    if let ClusterKind::Plain(plain) = &mut changed.kind {
        for (priority, of) in plain.priorities.iter_mut().enumerate() {
            set_hosts(of, |host| states.get(&(at, priority, host)).copied());
        }
    }
    changed
}

/// Sets the health of hosts, and removes absent ones. Hosts without a state stay as they are.
fn set_hosts(priority: &mut Priority, state: impl Fn(usize) -> Option<Option<Health>>) {
    let mut host = 0;
    priority.endpoints.retain_mut(|endpoint| {
        let found = state(host);
        host += 1;
        match found {
            Some(Some(health)) => endpoint.health = health,
            Some(None) => return false,
            None => {}
        }
        true
    });
}
