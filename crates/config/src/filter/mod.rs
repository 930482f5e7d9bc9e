//! The filter's configuration: JSON, read strictly.
//!
//! Traffic is served before anyone reads warnings in a proxy's log, so every setting that cannot
//! be intended is an error: unknown members, clusters without endpoints, duplicate keys, unknown
//! fields. Fields that are not supported are rejected by name.

mod affinity;
mod chain;
mod config;
mod criteria;
mod effect;
mod header_purposes;
mod health;
mod key_file;
mod key_sets;
mod poller;
mod read;
#[cfg(feature = "schema")]
mod schema;
mod step_order;
mod target;
mod trace;
mod write;

pub use crate::form::FilterForm;
pub use crate::output::{DEFAULT_CLUSTER_HEADER, DEFAULT_HOST_HEADER, Output, OutputMode};
pub use affinity::{
    Accepted, AffinityConfig, AffinityFallback, CacheControl, Carrier, CookieConfig, KeyLookup,
    KeySecret, LostSession, VariableKeys,
};
pub use chain::read_chain;
pub use config::{ActiveRequests, FilterConfig};
pub use criteria::Criterion;
pub use health::{AdminHealth, HealthSource, OnStale, PollerKind, UnknownHostsPolicy};
pub use key_file::{KeyFile, read_key_file};
pub use poller::{Poll, read_poller};
pub(crate) use read::read_embedded;
pub use read::{read, read_native, read_with};
#[cfg(feature = "schema")]
pub use schema::json_schema;
pub use target::{TargetConfig, TargetRule, read_target};
pub use trace::{AccessLog, DEFAULT_TRACE_HEADER, TraceCondition, TraceConfig};
pub use write::{dynamic_module_yaml, filter_json};
