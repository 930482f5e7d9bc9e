//! Bootstraps from the engine's own model, as JSON text.
//!
//! A test describes its clusters once, as `spillgate-core` models them, and gets from that the
//! cluster that Envoy balances by itself, the one that our filter steers, and the filter's
//! configuration. So all three have the same hosts.

mod address;
mod bootstrap;
mod cluster;
mod filter;
mod hardened;
mod listener;
mod poller;
mod steered_policy;
mod test_hosts;

pub use bootstrap::Bootstrap;
pub use cluster::{assignment, composite, eds, isolated, native, steered};
pub use filter::{
    CLUSTER_HEADER, Delivery, HOST_HEADER, dynamic_module, host_list_to_metadata, host_session,
    our_filters, our_filters_in, wasm,
};
pub use hardened::{dropping_internal_headers, taking_large_headers};
pub use listener::{
    KEY_HEADER, hash_policy, http_listener, to_chosen_cluster, to_cluster, to_cluster_by_header,
    to_cluster_of_module,
};
pub use poller::{admin_cluster, poller, poller_of};
pub use steered_policy::{
    Unlisted, any_host, no_host, override_host, policy_of_module, policy_of_module_with,
    round_robin, steer_cluster,
};
pub(crate) use test_hosts::NOT_FOR_HOSTS;
pub use test_hosts::{
    SAW_TOO_MUCH, SERVED_HEADER, aggregate, plain, priority, with_panic_threshold,
};
