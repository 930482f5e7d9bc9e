//! Load assignments with positions, including duplicate endpoints.

use alloc::{string::String, vec::Vec};

use spillgate_core::model::Locality;

use super::{FieldPlace, scalar::ReadScalar};

/// One `LocalityLbEndpoints`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalityFacts {
    /// Its position.
    pub place: FieldPlace,
    /// Its priority.
    pub priority: usize,
    /// Its locality.
    pub locality: Locality,
    /// Whether it has a `locality`, possibly without a name.
    pub has_locality: bool,
    /// Its `load_balancing_weight`, if present and above 0.
    pub weight: Option<FieldPlace>,
    /// The value of `load_balancing_weight`; 0 if absent.
    pub weight_value: u32,
    /// Its endpoints.
    pub endpoints: Vec<EndpointFacts>,
    /// The scalars of the metadata in it, for [`ConfigFacts::scalars`](super::ConfigFacts).
    pub(in crate::envoy) scalars: Vec<ReadScalar>,
}

/// One `LbEndpoint`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndpointFacts {
    /// Its position.
    pub place: FieldPlace,
    /// Its address as in the model; empty if absent.
    pub address: String,
    /// Its `load_balancing_weight`.
    pub weight: Option<FieldPlace>,
    /// Its `envoy.lb` metadata.
    pub metadata: Option<FieldPlace>,
}
