//! An imported configuration for screens that show lines of it.

use spillgate_codec::import::ClusterPlaces;
use spillgate_core::model::{Cluster, ClusterKind, PlainCluster};

use crate::EditedScenario;

/// The largest configuration that a screen gets, in bytes. Of larger ones it shows positions without lines.
const MAXIMUM_QUOTED: usize = 1_000_000;

/// The text of an import, and the positions that are still valid.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ConfigLines {
    /// The configuration; empty if it is too large for the screen.
    pub config: String,
    /// The clusters with the settings that the configuration has.
    pub clusters: Vec<PlacedCluster>,
}

/// A cluster whose settings were not edited since the import.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlacedCluster {
    /// Its name.
    pub name: String,
    /// The positions of its values; without those of its hosts if hosts were added or removed.
    pub places: ClusterPlaces,
}

impl ConfigLines {
    /// The lines of a scenario; `None` if it was not imported.
    #[must_use]
    pub fn of(scenario: &EditedScenario) -> Option<Self> {
        let origin = scenario.origin.as_ref()?;
        let clusters = scenario.clusters().iter().filter_map(|now| {
            let mut then = origin.clusters.iter().zip(&origin.places);
            let (then, places) = then.find(|(then, _)| then.name == now.name)?;
            let places = valid_places(now, then, places)?;
            let name = now.name.clone();
            Some(PlacedCluster { name, places })
        });
        let config = match &origin.texts.config {
            text if text.len() <= MAXIMUM_QUOTED => text.clone(),
            _ => String::new(),
        };
        Some(Self {
            config,
            clusters: clusters.collect(),
        })
    }
}

/// The positions of a cluster that an edit left as imported; `None` if it changed the settings.
fn valid_places(now: &Cluster, then: &Cluster, places: &ClusterPlaces) -> Option<ClusterPlaces> {
    if settings(now) != settings(then) {
        return None;
    }
    let mut places = places.clone();
    if !addresses(now).eq(addresses(then)) {
        places.localities.clear();
        places.priorities.clear();
    }
    Some(places)
}

/// A cluster without its hosts.
fn settings(cluster: &Cluster) -> Cluster {
    let mut settings = cluster.clone();
    if let ClusterKind::Plain(plain) = &mut settings.kind {
        plain.priorities.clear();
    }
    settings
}

/// The addresses of the hosts, with their priorities.
fn addresses(cluster: &Cluster) -> impl Iterator<Item = (usize, &str)> {
    let plain: Option<&PlainCluster> = match &cluster.kind {
        ClusterKind::Plain(plain) => Some(plain),
        ClusterKind::Aggregate(_) | ClusterKind::Composite(_) | ClusterKind::OriginalDst(_) => None,
    };
    let priorities = plain.into_iter().flat_map(|plain| plain.priorities.iter());
    priorities.enumerate().flat_map(|(at, priority)| {
        let hosts = priority.endpoints.iter();
        hosts.map(move |host| (at, host.address.as_str()))
    })
}
