//! Facts of an input that are not in the model, with positions: the basis of lint rules.
//!
//! The model holds everything that decides who gets a request. Whether a configuration does what
//! its author intended depends on more: health signals, filters with sessions, filters that strip
//! headers, settings without effect. The readers add such facts where they read a value, if lint
//! reads the input; this module has the types.

mod cluster;
mod elements;
mod endpoints;
mod extension;
mod filters;
mod listener;
mod place;
mod policy_facts;
mod route;
mod scalar;
mod session;
mod signals;
mod spillgate;
mod steering;
mod subsets;
mod surprises;

use alloc::vec::Vec;
#[cfg(feature = "yaml")]
use alloc::{collections::BTreeMap, string::String};

pub use cluster::{ClusterFacts, Discovery, MemberFacts};
pub use endpoints::{EndpointFacts, LocalityFacts};
pub use extension::{BootstrapExtensionFacts, OwnPoller};
pub use filters::{FilterFacts, FilterKind, HeaderMove};
pub use listener::ListenerFacts;
pub use place::FieldPlace;
pub use policy_facts::{OverrideSource, PolicyFacts};
pub use route::{RetryFacts, RouteFacts, WeightedFacts};
pub use scalar::ScalarFacts;
pub use session::{CookieFacts, SessionCarrierFacts, SessionFacts};
pub use signals::{HealthSignals, OutlierFacts, OverrideStatusFacts, most_ejected};
pub use spillgate::{HostDelivery, HostRestriction, OpenChain, SpillgateFacts};
pub use steering::{HealthOrigin, SteeredTarget, SteeringFacts};
pub use subsets::{SelectorFacts, SubsetFacts};

pub(super) use elements::elements;
pub(super) use filters::mutated_by;
pub(super) use policy_facts::stacked;
pub(super) use route::removed_by;
pub(super) use scalar::{ReadScalar, scalars_of};
pub(super) use surprises::surprises;

/// The facts of an input.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ConfigFacts {
    /// Whether the input has a bootstrap, so that what it omits does not exist.
    pub whole: bool,
    /// Whether a control plane also delivers clusters (`dynamic_resources.cds_config`).
    pub clusters_elsewhere: bool,
    /// The extensions of the bootstrap; `None` if they are not in the input, which has no bootstrap or only
    /// parts of it.
    pub extensions: Option<Vec<BootstrapExtensionFacts>>,
    /// The clusters, in the order of the model.
    pub clusters: Vec<ClusterFacts>,
    /// Plain YAML scalars in metadata that Envoy reads as another type than they look.
    pub scalars: Vec<ScalarFacts>,
}

impl ConfigFacts {
    /// The texts of the fields that name the source of a cluster's hosts, by the name of the cluster.
    #[cfg(feature = "yaml")]
    #[must_use]
    pub fn discovery_sources(&self) -> BTreeMap<String, String> {
        let clusters = self.clusters.iter();
        clusters
            .map(|of| (of.name.clone(), of.discovery_source.clone()))
            .collect()
    }

    /// The facts of a cluster.
    #[must_use]
    pub fn cluster(&self, name: &str) -> Option<&ClusterFacts> {
        self.clusters.iter().find(|cluster| cluster.name == name)
    }
}
