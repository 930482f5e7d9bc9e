//! The clusters of one destination, one for the proxies of each zone.

use spillgate_codec::import::view_of;
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

/// The views of the destination of the shown cluster. Each zone of a mesh has proxies with priorities of
/// their own, so an import of a mesh has a cluster for each zone; another scenario has one view.
#[derive(Debug)]
pub struct ZoneViews {
    /// The destination.
    pub destination: String,
    /// The views, in the order of the scenario.
    pub views: Vec<ZoneView>,
}

impl ZoneViews {
    /// The views. `shown` is the shown cluster.
    #[must_use]
    pub fn new(scenario: &EditedScenario, shown: &Scene) -> Self {
        let root = scenario.root();
        let name = scenario.name(root);
        let Some((destination, _)) = view_of(name) else {
            return Self {
                destination: name.into(),
                views: vec![ZoneView {
                    zone: THIS_PROXY.into(),
                    cluster: root,
                    scene: shown.clone(),
                }],
            };
        };
        let views = (0..scenario.clusters().len()).filter_map(|at| {
            let name = scenario.name(at);
            let (of, zone) = view_of(name)?;
            (of == destination).then_some(())?;
            Some(ZoneView {
                zone: zone.into(),
                cluster: at,
                scene: shown.of_cluster(name)?,
            })
        });
        Self {
            destination: destination.into(),
            views: views.collect(),
        }
    }

    /// Whether proxies of several zones are known.
    #[must_use]
    pub fn is_mesh(&self) -> bool {
        self.views.len() > 1
    }
}
