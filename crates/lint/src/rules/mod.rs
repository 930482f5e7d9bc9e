//! The rules, one rule or a small family per file.

pub(crate) mod affinity;
pub(crate) mod aggregate;
pub(crate) mod hash_header;
pub(crate) mod hash_policy;
pub(crate) mod hash_table;
pub(crate) mod health;
pub(crate) mod hosts;
pub(crate) mod locality;
pub(crate) mod original_dst;
pub(crate) mod priority;
pub(crate) mod route;
pub(crate) mod steered;
pub(crate) mod subset;
pub(crate) mod yaml_scalar;
