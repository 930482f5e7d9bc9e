//! Reading configurations: Envoy's, the filter's and those of meshes.
//!
//! One program, because each one takes seconds to build.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "tests may panic"
)]

mod common;

#[cfg(feature = "yaml")]
mod admission;
#[cfg(feature = "yaml")]
mod api_listener;
#[cfg(feature = "yaml")]
mod bad_input;
#[cfg(feature = "yaml")]
mod cluster_matcher;
mod cluster_policy;
mod clusters;
#[cfg(feature = "yaml")]
mod descriptors;
mod diagnostics;
mod dump;
#[cfg(feature = "yaml")]
mod envoy;
#[cfg(feature = "yaml")]
mod facts;
mod filter;
mod filter_affinity;
mod filter_affinity_faults;
mod filter_attempts;
mod filter_restrictions;
mod filter_retry;
mod filter_schema;
mod filter_secrets;
mod filter_variable;
#[cfg(feature = "yaml")]
mod fractions;
#[cfg(feature = "health")]
mod health_settings;
mod incomplete_input;
mod json;
mod kept_loads;
mod keys;
mod large;
mod many_faults;
#[cfg(feature = "yaml")]
mod membership;
mod mesh_documents;
mod mesh_faults;
#[cfg(feature = "yaml")]
mod mesh_fields;
mod mesh_gateway;
mod mesh_gateway_api;
mod mesh_gateways;
mod mesh_istio;
mod mesh_istio_endpoints;
mod mesh_istio_hosts;
mod mesh_istio_networks;
mod mesh_istio_over_time;
mod mesh_istio_versions;
mod mesh_kube;
mod mesh_kuma;
mod mesh_kuma_health;
mod mesh_kuma_health_faults;
mod mesh_kuma_retries;
mod mesh_random;
mod mesh_reach;
mod mesh_round_trip;
mod mesh_shapes;
#[cfg(feature = "yaml")]
mod places;
mod recorded_clusters;
#[cfg(feature = "yaml")]
mod requests;
#[cfg(feature = "yaml")]
mod routes;
#[cfg(feature = "yaml")]
mod runtime;
mod secret_values;
mod sessions;
#[cfg(feature = "yaml")]
mod shapes;
mod shipped_headers;
#[cfg(feature = "yaml")]
mod sources;
mod spillgate_filter;
#[cfg(feature = "yaml")]
mod subsets;
#[cfg(feature = "yaml")]
mod yaml;
