//! Facts of an input that are not in the model, with positions: the basis of lint rules.
//!
//! The model holds everything that decides who gets a request. Whether a configuration does what
//! its author intended depends on more: health signals, filters with sessions, filters that strip
//! headers, settings without effect. These are read leniently: the reader reports wrong types and
//! unknown names, and unreadable values are skipped here.

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
pub use policy::{OverrideSource, PolicyFacts};
pub use route::{RetryFacts, RouteFacts, WeightedFacts};
pub use scalar::ScalarFacts;
pub use session::{CookieFacts, SessionCarrierFacts, SessionFacts};
pub use signals::{HealthSignals, OutlierDetection, OverrideStatusFacts};
pub use spillgate::{HostDelivery, HostRestriction, SpillgateFacts};
pub use subsets::{SelectorFacts, SubsetFacts};

use super::document::{Format, Roots, SourceText};
use crate::proto::Report;
pub(super) use filters::mutated_by;
pub(super) use policy::stacked;
pub(super) use route::removed_by;

/// The facts of an input.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ConfigFacts {
    /// Whether the input has a bootstrap, so that what it omits does not exist.
    pub whole: bool,
    /// Whether a control plane also delivers clusters (`dynamic_resources.cds_config`).
    pub clusters_elsewhere: bool,
    /// The clusters, in the order of the model.
    pub clusters: Vec<ClusterFacts>,
    /// Plain YAML scalars in metadata that Envoy reads as another type than they look.
    pub scalars: Vec<ScalarFacts>,
}

impl ConfigFacts {
    /// The facts of a cluster.
    #[must_use]
    pub fn cluster(&self, name: &str) -> Option<&ClusterFacts> {
        self.clusters.iter().find(|cluster| cluster.name == name)
    }
}

/// The facts of an input with these clusters.
pub(super) fn read_facts(
    roots: &Roots<'_, '_>,
    clusters: Vec<ClusterFacts>,
    report: &Report,
    sources: &[SourceText<'_>],
) -> ConfigFacts {
    let mut facts = ConfigFacts {
        whole: roots.local.stated,
        // A dump also contains the clusters of control planes.
        clusters_elsewhere: roots.local.cds.is_some() && !report.is_dump(),
        clusters,
        scalars: Vec::new(),
    };
    // Only these are YAML that Envoy itself reads.
    if sources.iter().any(|source| source.format == Format::Yaml) {
        facts.scalars = scalar::read(roots, sources, report.sources());
    }
    facts
}
