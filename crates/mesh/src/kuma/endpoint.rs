//! The endpoints of a destination.

use alloc::{collections::BTreeMap, string::String};

use crate::MeshHost;

/// One endpoint before a policy applies.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KumaEndpoint {
    /// Address, weight and health. Kuma 2.x gives a zone ingress the number of instances in its zone
    /// as weight, and a local endpoint the number of distinct ingress addresses; endpoints of
    /// MeshService resources have weight 1.
    pub host: MeshHost,
    /// The zone (tag `kuma.io/zone`); empty if the endpoint has no such tag.
    pub zone: String,
    /// The other tags, which Envoy receives as `envoy.lb` metadata.
    pub tags: BTreeMap<String, String>,
    /// The labels of the Dataplane, the fallback for affinity keys without a tag.
    pub labels: BTreeMap<String, String>,
}

impl KumaEndpoint {
    /// An endpoint with weight 1 and without tags.
    #[must_use]
    pub fn new(address: impl Into<String>, zone: impl Into<String>) -> Self {
        Self {
            host: MeshHost::new(address),
            zone: zone.into(),
            tags: BTreeMap::new(),
            labels: BTreeMap::new(),
        }
    }
}
