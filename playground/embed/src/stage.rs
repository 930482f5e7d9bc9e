//! The priority of a sweep.

use spillgate_core::{model::Metadata, snapshot::HostRef};
use spillgate_scenario::{EditedScenario, HealthChoice, PriorityAt, priority_at, with_health};
use spillgate_sim::Scene;

/// The scenario after the first losses of a priority.
pub(crate) fn with_lost(
    scenario: &EditedScenario,
    at: PriorityAt,
    count: usize,
) -> Option<EditedScenario> {
    let hosts = Stage::of(scenario, Some(at))?.lost_hosts(count);
    with_health(scenario, at, &hosts, HealthChoice::Unhealthy)
}

/// A priority whose hosts are lost one by one.
#[derive(Debug)]
pub(crate) struct Stage {
    pub(crate) scene: Scene,
    pub(crate) at: PriorityAt,
    /// Its usable hosts, in the order in which they are lost.
    pub(crate) hosts: Vec<HostRef>,
}

impl Stage {
    /// The priority, or the first one with hosts; `None` if there is no such priority.
    pub(crate) fn of(scenario: &EditedScenario, at: Option<PriorityAt>) -> Option<Self> {
        let name = scenario.name(scenario.root());
        let scene = Scene::new(scenario.model(), name, Metadata::EMPTY)?;
        let at = at.or_else(|| {
            let state = scene.load_state(scene.snapshot());
            let mut rows = state.priorities.iter();
            let first = rows.find(|row| row.health.hosts > 0)?;
            Some(priority_at(first.at))
        })?;
        let is_own =
            |host: &&HostRef| (host.cluster.index(), host.priority) == (at.cluster, at.priority);
        let own: Vec<HostRef> = scene.hosts().iter().filter(is_own).copied().collect();
        (!own.is_empty()).then(|| Self {
            hosts: scene.loss_order(&own),
            scene,
            at,
        })
    }

    /// The indices of the first `count` of them.
    fn lost_hosts(&self, count: usize) -> Vec<usize> {
        let lost = self.hosts.iter().take(count);
        lost.map(|host| host.host).collect()
    }
}
