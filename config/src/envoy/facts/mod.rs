//! What a text states beyond the model, with the places: the material for judging it.
//!
//! The model holds what decides who gets a request. Whether a configuration does what its author
//! meant hangs on more: how health comes to be known, which filters keep sessions or strip
//! headers, what is stated where it has no effect. All of that is read here, leniently: types and
//! unknown names are the reader's business, and what cannot be read is passed over.

mod cluster;
mod endpoints;
mod filters;
mod listener;
mod place;
mod policy;
mod route;
mod scalar;
mod session;
mod signals;
mod spillgate;
mod subsets;
mod view;

use alloc::vec::Vec;

pub use cluster::{ClusterFacts, Discovery, MemberFacts};
pub use endpoints::{EndpointFacts, LocalityFacts};
pub use filters::{FilterFacts, FilterKind, HeaderMove};
pub use listener::ListenerFacts;
pub use place::FieldPlace;
pub use policy::{OverrideSource, OverrideValue, PolicyFacts};
pub use route::{RouteFacts, WeightedFacts};
pub use scalar::ScalarFacts;
pub use session::{CookieFacts, SessionCarrierFacts, SessionFacts};
pub use signals::{HealthSignals, OutlierDetection, OverrideStatusFacts};
pub use spillgate::SpillgateFacts;
pub use subsets::{SelectorFacts, SubsetFacts};

use super::{common::ByName, document::Roots};
use view::View;

/// The facts of a text.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ConfigFacts {
    /// Whether the text says how the proxy starts, so that what it does not say is not there.
    pub whole: bool,
    /// Whether clusters come from elsewhere too (`dynamic_resources.cds_config`).
    pub clusters_elsewhere: bool,
    /// The clusters, in the order of the model.
    pub clusters: Vec<ClusterFacts>,
    /// The connection managers with routes, in the order of the configuration's listeners.
    pub listeners: Vec<ListenerFacts>,
    /// Plain YAML scalars of metadata that Envoy reads as another type than they look.
    pub scalars: Vec<ScalarFacts>,
}

impl ConfigFacts {
    /// The facts of a cluster.
    #[must_use]
    pub fn cluster(&self, name: &str) -> Option<&ClusterFacts> {
        self.clusters.iter().find(|cluster| cluster.name == name)
    }
}

/// Reads the facts. A `dump` holds the clusters of control planes too; `yaml` is the text where it
/// is YAML as Envoy reads it.
pub(super) fn read_facts(roots: &Roots<'_, '_>, dump: bool, yaml: Option<&str>) -> ConfigFacts {
    let assignments = ByName::of(&roots.assignments, "cluster_name");
    let mut facts = ConfigFacts {
        whole: roots.local.stated,
        clusters_elsewhere: roots.local.clusters_elsewhere && !dump,
        ..ConfigFacts::default()
    };
    for (path, node) in &roots.clusters {
        let cluster = View::new(node, path.clone());
        let live = !roots.live.is_empty();
        facts
            .clusters
            .push(cluster::read(&cluster, &assignments, live));
    }
    if roots.clusters.is_empty() {
        for (path, node) in &roots.assignments {
            let assignment = View::new(node, path.clone());
            facts.clusters.push(cluster::read_lone(&assignment));
        }
    }
    facts.listeners = listener::read(roots);
    if let Some(text) = yaml {
        facts.scalars = scalar::read(roots, text);
    }
    facts
}
