//! The rules, one or one small family a file.

pub(crate) mod affinity_clusters;
pub(crate) mod affinity_hosts;
pub(crate) mod affinity_states;
pub(crate) mod aggregate_members;
pub(crate) mod aggregate_settings;
pub(crate) mod endpoints;
pub(crate) mod failover;
pub(crate) mod hash_policy;
pub(crate) mod header_trust;
pub(crate) mod host_weights;
pub(crate) mod locality_weights;
pub(crate) mod override_place;
pub(crate) mod panic_level;
pub(crate) mod priority_gap;
pub(crate) mod sessions;
pub(crate) mod subset_criteria;
pub(crate) mod subset_default;
pub(crate) mod subset_place;
pub(crate) mod subset_selectors;
pub(crate) mod subset_values;
pub(crate) mod yaml_scalar;
pub(crate) mod zone_aware;
