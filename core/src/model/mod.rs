//! The configuration model: clusters, priorities and endpoints that Envoy would accept.
//!
//! The types contain no configuration syntax and no text positions. `spillgate-config` reads
//! configurations into a [`Model`]; [`snapshot`](crate::snapshot) compiles a model for decisions.
//!
//! Values with rules are private and checked by constructors, for example [`MaglevConfig::new`] or
//! [`FallbackChain::new`]. Rules that concern several clusters, such as unique names, are checked
//! by [`Model::new`].
//!
//! # Examples
//! Two priorities: P0 with one healthy host of two, and P1 as failover.
//! ```
//! use spillgate_core::model::{
//!     Cluster, Endpoint, Health, HealthStatus, Model, PlainCluster, Priority,
//! };
//!
//! let unhealthy = Endpoint {
//!     health: Health::from_status(HealthStatus::Unhealthy),
//!     ..Endpoint::new("10.0.0.2:80")
//! };
//! let model = Model::new(vec![Cluster::plain(
//!     "shop",
//!     PlainCluster {
//!         priorities: vec![
//!             Priority::single_locality(vec![Endpoint::new("10.0.0.1:80"), unhealthy]),
//!             Priority::single_locality(vec![Endpoint::new("10.0.1.1:80")]),
//!         ],
//!         ..PlainCluster::default()
//!     },
//! )]);
//! assert!(model.is_ok());
//! ```

mod canonical;
mod chain;
mod change;
mod cluster;
mod endpoint;
mod health;
mod locality;
mod locality_lb;
mod metadata;
mod override_host_source;
mod override_status;
mod percent;
mod policy;
mod subset;
mod tuning;
mod validate;
mod weight;

pub use chain::{ChainError, ChainHosts, ChainStep, FallbackChain, StepHealth};
pub use cluster::{
    AggregateCluster, Cluster, ClusterKind, CompositeCluster, OriginalDstCluster, PlainCluster,
    Priority, PriorityLocality,
};
pub use endpoint::Endpoint;
pub use health::{CoarseHealth, Health, HealthFlags, HealthStatus};
pub use locality::Locality;
pub use locality_lb::{LocalInfo, LocalityBasis, LocalityLb, ZoneAware};
pub use metadata::{Field, Metadata, NAMESPACE, Value};
pub use override_host_source::OverrideHostSource;
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
    DEFAULT_CHOICE_COUNT, DropOverload, HashBalanceFactor, HealthyFor, LeastRequestConfig,
    MOST_CHOICES, SelectionMethod, SlowStart,
};
pub use validate::{Model, ModelError};
pub use weight::Weight;
