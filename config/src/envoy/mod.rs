//! Envoy's own configuration: a bootstrap, single messages or lists of them, in YAML or JSON.
//!
//! Read is what decides who gets a request: clusters, their assignments and policies, listeners'
//! routes and hash policies. Fields that have nothing to do with it are ignored; fields that do
//! and that the engine does not model are named in a warning each; names that no message has are
//! errors, as in Envoy. What Envoy refuses of all this is refused here too, every fault at once.
//!
//! Three bounds are stricter than Envoy's. Typed policies keep to the ranges of their messages,
//! which Envoy checks in classic fields only (`choice_count` from 2, `hash_balance_factor` from
//! 100, percentages, sizes of tables); a cluster has at most 65,536 subset selectors, and
//! 100,000,000 pairs of an endpoint and a selector; lists under `list_as_any` make at most 4,096
//! subsets for an endpoint and a selector, 1,000,000 for a cluster.

mod action;
mod address;
mod api_version;
mod assignment;
mod assignments;
mod by_name;
mod cluster;
mod cluster_assignment;
mod cluster_policy;
mod conditions;
mod discovery;
mod drop_overload;
mod dump;
mod endpoint;
pub mod facts;
mod format;
mod hash_policy;
mod hash_table;
mod header_to_metadata;
mod headers;
mod host_sources;
mod http_filters;
mod listener;
mod local;
mod locality_lb;
mod marks;
mod membership;
mod metadata;
mod name_check;
mod original_dst;
mod ours;
mod places;
mod policy;
mod read;
mod regex;
mod retry;
mod roots;
mod route;
mod route_match;
mod schema;
mod stated;
mod stateful_session;
mod string_match;
mod subset;
mod tuning;
mod typed_kinds;
mod typed_policy;
mod weighted;

pub use assignments::{cut_assignments, read_levels};
pub use format::Format;
pub use marks::{ClusterMarks, EndpointMarks, Marks, RouteMarks};
pub use places::Places;
pub use read::{
    EnvoyClusters, EnvoyConfig, Listener, Options, read, read_clusters_only, read_for_lint,
    read_with,
};

pub use crate::proto::RegexCompiler;

pub(crate) use action::CLUSTER_NOT_FOUND;
pub(crate) use address::read_address;
pub(crate) use cluster::{ReadCluster, read_clusters};
pub(crate) use discovery::AGGREGATE_TYPE;
pub(crate) use drop_overload::DENOMINATOR;
pub(crate) use endpoint::HEALTH_STATUS;
pub(crate) use hash_policy::read_hash_policies;
pub(crate) use header_to_metadata::{ENCODING, VALUE_TYPE};
pub(crate) use http_filters::{
    FILTER_CONFIG_TYPE, HEADER_TO_METADATA_TYPE, HTTP_FILTER_PREFIX, SET_METADATA_TYPE,
};
pub(crate) use listener::CONNECTION_MANAGER_TYPE;
pub(crate) use locality_lb::LOCALITY_BASIS;
#[cfg(feature = "scenario")]
pub(crate) use metadata::read_struct;
pub(crate) use metadata::{envoy_lb, read_metadata, read_value};
pub(crate) use name_check::{build_model, members_exist};
pub(crate) use original_dst::DEFAULT_ORIGINAL_DST_HEADER;
pub(crate) use retry::{
    OMIT_CANARY_HOSTS_TYPE, OMIT_HOST_METADATA_TYPE, PREVIOUS_HOSTS_TYPE, PREVIOUS_PRIORITIES_TYPE,
    RETRY_PREFIX,
};
pub(crate) use route_match::{read_match, route_match_schema};
pub(crate) use stateful_session::{
    COOKIE_STATE_TYPE, HEADER_STATE_TYPE, STATE_NAME, STATE_TYPE, STATEFUL_SESSION_TYPE,
};
pub(crate) use subset::{METADATA_FALLBACK, OWN_FALLBACK, OwnFallback, SUBSET_FALLBACK};
pub(crate) use tuning::SELECTION_METHOD;
pub(crate) use typed_kinds::HASH_FUNCTION;
pub(crate) use typed_policy::{Kind as PolicyKind, policy_type};
