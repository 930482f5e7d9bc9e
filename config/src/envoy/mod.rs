//! Envoy's own configuration: a bootstrap, single messages or lists of them, in YAML or JSON.
//!
//! Read is what decides who gets a request: clusters, their assignments and policies, listeners'
//! routes and hash policies. Fields that have nothing to do with it are ignored; fields that do
//! and that the engine does not model are named in a warning each; names that no message has are
//! errors, as in Envoy. What Envoy refuses of all this is refused here too, every fault at once.

mod action;
mod address;
mod assignment;
mod cluster;
mod conditions;
mod discovery;
mod endpoint;
mod format;
mod hash_policy;
mod header_to_metadata;
mod headers;
mod http_filters;
mod listener;
mod marks;
mod metadata;
mod name_check;
mod policy;
mod read;
mod regex;
mod retry;
mod roots;
mod route;
mod route_match;
mod schema;
mod string_match;
mod typed_policy;
mod weighted;

pub use format::Format;
pub use marks::{ClusterMarks, EndpointMarks, Marks, RouteMarks};
pub use read::{EnvoyConfig, Listener, Options, read, read_with};

pub use crate::proto::RegexCompiler;

pub(crate) use cluster::{ReadCluster, read_clusters};
pub(crate) use hash_policy::read_hash_policies;
pub(crate) use name_check::{build_model, members_exist};
pub(crate) use route_match::{read_match, route_match_schema};
