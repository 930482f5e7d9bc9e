//! What is legal: clusters, priorities and endpoints as the engine accepts them.
//!
//! These types hold no syntax and no positions; a value that exists is one that Envoy could be
//! given. Reading text is the business of `spillgate-config`, answering requests that of
//! [`snapshot`](crate::snapshot).

mod canonical;
mod chain;
mod cluster;
mod endpoint;
mod health;
mod host_source;
mod locality;
mod locality_lb;
mod metadata;
mod override_status;
mod percent;
mod policy;
mod subset;
mod tuning;
mod validate;
mod weight;

pub use chain::{ChainError, ChainHosts, ChainStep, FallbackChain, StepHealth};
pub use cluster::{
    AggregateCluster, Cluster, ClusterKind, OriginalDstCluster, PlainCluster, Priority,
    PriorityLocality,
};
pub use endpoint::Endpoint;
pub use health::{Coarse, Health, HealthFlags, HealthStatus};
pub use host_source::HostSource;
pub use locality::Locality;
pub use locality_lb::{LocalInfo, LocalityBasis, LocalityLb, ZoneAware};
pub use metadata::{Field, Metadata, NAMESPACE, Value};
pub use override_status::OverrideStatuses;
pub use percent::{OverprovisioningFactor, PanicThreshold};
pub use policy::{
    DEFAULT_MAGLEV_TABLE_SIZE, DEFAULT_MAXIMUM_RING_SIZE, DEFAULT_MINIMUM_RING_SIZE, HashFunction,
    MAXIMUM_MAGLEV_TABLE_SIZE, MAXIMUM_RING_SIZE, MaglevConfig, MaglevError, Policy,
    RingHashConfig, RingHashError,
};
pub use subset::{
    SelectorFallback, SubsetConfig, SubsetFallback, SubsetSelector, SubsetSelectorError,
};
pub use tuning::{
    DEFAULT_CHOICE_COUNT, DropOverload, HashBalanceFactor, LeastRequestConfig, SelectionMethod,
    SlowStart,
};
pub use validate::{Model, ModelError};
pub use weight::Weight;
