//! The clusters of one destination, one for the proxies of each zone.

use spillgate_codec::import::view_of;
use spillgate_core::model::Metadata;
use spillgate_scenario::EditedScenario;
use spillgate_sim::Scene;

/// The zone of proxies whose zone is not known.
const THIS_PROXY: &str = "this proxy";

/// What the proxies of a zone receive for a destination.
#[derive(Debug)]
pub struct ZoneView {
    /// The zone of the proxies.
    pub zone: String,
    /// The index of the cluster in the scenario.
    pub cluster: usize,
    /// The cluster.
    pub scene: Scene,
}

/// The views of one destination.
#[derive(Debug)]
pub struct ZoneViews {
    /// All destinations of the scenario, by name.
    pub destinations: Vec<String>,
    /// The chosen one.
    pub destination: String,
    /// Its views, in the order of the scenario.
    pub views: Vec<ZoneView>,
}

/// Only the same views are equal: comparing the clusters would take longer than drawing them.
impl PartialEq for ZoneViews {
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(self, other)
    }
}

impl ZoneViews {
    /// The views of a destination; of the shown cluster's if there is no such destination.
    #[must_use]
    pub fn new(scenario: &EditedScenario, destination: &str) -> Self {
        let clusters = 0..scenario.clusters().len();
        let mut destinations: Vec<String> = clusters
            .clone()
            .filter_map(|at| view_of(scenario.name(at)))
            .map(|(destination, _)| destination.into())
            .collect();
        destinations.sort();
        destinations.dedup();
        let root = scenario.root();
        let shown = scenario.name(root);
        let model = scenario.model();
        let scene = |at: usize| Scene::new(model, scenario.name(at), Metadata::EMPTY);
        let chosen = match destinations.iter().find(|name| *name == destination) {
            Some(known) => Some(known.as_str()),
            None => view_of(shown).map(|(destination, _)| destination),
        };
        let Some(chosen) = chosen else {
            let view = scene(root).map(|scene| ZoneView {
                zone: THIS_PROXY.into(),
                cluster: root,
                scene,
            });
            return Self {
                destinations,
                destination: shown.into(),
                views: view.into_iter().collect(),
            };
        };
        let views = clusters.filter_map(|at| {
            let (destination, zone) = view_of(scenario.name(at))?;
            (destination == chosen).then_some(())?;
            Some(ZoneView {
                zone: zone.into(),
                cluster: at,
                scene: scene(at)?,
            })
        });
        Self {
            views: views.collect(),
            destination: chosen.into(),
            destinations,
        }
    }
}
