//! Envoy's own configuration: a bootstrap, single messages or lists of them, in YAML or JSON.
//!
//! The reader reads everything that decides who gets a request: clusters, their assignments and
//! policies, the routes and hash policies of listeners. Fields that change no choice of
//! a host are ignored, each for a stated reason; fields that can and that are not modeled are limits;
//! unknown names are errors, as in Envoy.
//! What Envoy rejects of all this is rejected here too, with all faults at once.
//!
//! Three limits are stricter than Envoy's. Typed policies must be in the ranges of their messages,
//! which Envoy checks only in classic fields (`choice_count` from 2, `hash_balance_factor` from
//! 100, percentages, table sizes). A cluster has at most 65,536 subset selectors and 100,000,000
//! pairs of an endpoint and a selector. Lists under `list_as_any` create at most 4,096 subsets per
//! endpoint and selector, 1,000,000 per cluster.

mod admin_access;
mod admission;
mod api_listener;
mod assignment;
mod cluster;
mod common;
mod connection;
mod discovery;
mod document;
pub mod facts;
mod filters;
#[cfg(feature = "unread")]
mod formatted;
mod headers;
#[cfg(feature = "health")]
mod health_settings;
mod judged;
#[cfg(feature = "yaml")]
mod kept_loads;
mod listener;
mod listener_address;
mod local_zone;
mod manager;
mod marks;
mod matcher;
#[cfg(feature = "yaml")]
mod messages;
mod network;
mod places;
pub(crate) mod plugin;
mod policy;
mod read;
mod resources;
mod retry_limit;
mod retry_time;
mod route;
#[cfg(feature = "health")]
mod route_over_time;
pub(crate) mod running;
#[cfg(feature = "yaml")]
mod runtime;
mod schema;
mod unreached;

pub use admin_access::{AdminAccess, BlockedPolls};
pub use assignment::{HEALTH_STATUS, cut_assignments, read_priorities};
pub use cluster::read_model;
pub use common::{is_dns_name, read_metadata, read_struct};
pub use connection::LocalAddress;
#[cfg(feature = "yaml")]
pub use document::is_simulation;
pub use document::{
    FileReference, Format, SourceText, has_messages, referenced_files, refused_file,
};
pub use filters::SpillgateFilter;
#[cfg(feature = "health")]
pub use health_settings::{HealthSettings, LocatedSettings, UpstreamProtocol};
#[cfg(feature = "yaml")]
pub use kept_loads::{KeptLoads, kept_loads};
pub use listener::ListenerConfig;
pub use marks::{
    CircuitBreakers, ClusterMarks, EndpointMarks, LoadAware, Marks, RetryLimit, RouteMarks,
    Thresholds, UnknownHosts,
};
#[cfg(feature = "yaml")]
pub use messages::MESSAGES;
pub use network::{CONNECTION_CLOSED, ChainPlace, ListenerProtocol};
pub use places::ConfigPositions;
pub use read::{
    EnvoyClusters, EnvoyConfig, ReadOptions, read, read_clusters_only, read_for_lint, read_sources,
    read_sources_and_judge, read_sources_for_lint, read_with,
};
pub use retry_limit::{limited, retry_limits};
pub use retry_time::RetryTime;
#[cfg(feature = "health")]
pub use route_over_time::RouteOverTime;
#[cfg(feature = "yaml")]
pub use schema::SIMULATION;

pub use crate::proto::RegexCompiler;

pub(crate) use assignment::DENOMINATOR;
pub(crate) use cluster::DEFAULT_ORIGINAL_DST_HEADER;
pub(crate) use common::{envoy_lb, read_value};
pub(crate) use discovery::{AGGREGATE_TYPE, COMPOSITE_TYPE};
#[cfg(feature = "mesh")]
pub(crate) use document::{explain as explain_faults, universal_kind};
pub(crate) use filters::{
    COOKIE_STATE_TYPE, DYNAMIC_MODULE_TYPE, ENCODING, FILTER_CONFIG_TYPE, HEADER_MUTATION_TYPE,
    HEADER_STATE_TYPE, HEADER_TO_METADATA_TYPE, HTTP_FILTER_PREFIX, SET_METADATA_TYPE, STATE_NAME,
    STATE_TYPE, STATEFUL_SESSION_TYPE, VALUE_TYPE, WASM_TYPE,
};
#[cfg(feature = "mesh")]
pub(crate) use headers::read_format;
pub(crate) use headers::{APPEND_ACTION, write_format};
pub(crate) use local_zone::limit_unknown_zone;
pub(crate) use manager::{
    CUSTOM_HEADER_TYPE, DETECTION_PREFIX, EARLY_MUTATION_TYPE, ESCAPED_SLASHES, XFF_TYPE,
};
pub(crate) use matcher::{FRACTION_DENOMINATOR, read_match, route_match_schema};
pub(crate) use network::{
    CONNECTION_MANAGER_TYPE, REDIS_PROXY_TYPE, TCP_PROXY_TYPE, UDP_PROXY_TYPE, UDP_ROUTE_TYPE,
};
pub(crate) use policy::{
    HASH_FUNCTION, Kind as PolicyKind, LOCALITY_BASIS, METADATA_FALLBACK, OWN_FALLBACK,
    OwnFallback, SELECTION_METHOD, SUBSET_FALLBACK, policy_type,
};
pub(crate) use route::{
    CLUSTER_ACTION_TYPE, CLUSTER_NOT_FOUND, CLUSTER_SPECIFIER_TYPE, HEADER_INPUT_TYPE,
    MATCHER_TYPE, OMIT_CANARY_HOSTS_TYPE, OMIT_HOST_METADATA_TYPE, PREVIOUS_HOSTS_TYPE,
    PREVIOUS_PRIORITIES_TYPE, PRIORITY_GROUP_TYPE, RETRY_PREFIX, read_hash_policies,
};
pub(crate) use running::{
    HostPlace, Priorities, has_hosts, health_of, read_status, removed_hosts, replace_hosts, settle,
    settle_clusters,
};
pub(crate) use schema::CLUSTERS;
#[cfg(feature = "mesh")]
pub(crate) use schema::{BUDGET_INTERVAL, CONNECTIONS};
