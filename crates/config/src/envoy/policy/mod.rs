//! Load-balancing policies, classic and typed, with their settings.

mod classic;
mod cluster_policy;
mod dynamic_module;
mod hash_table;
mod host_sources;
mod kind;
mod load_aware;
mod locality_lb;
mod read_policy;
mod subset;
mod tuning;
mod typed;
mod typed_kinds;

pub(crate) use cluster_policy::{check_provided, cluster_policy};
pub(crate) use kind::{Kind, policy_type};
pub(crate) use locality_lb::LOCALITY_BASIS;
pub(crate) use read_policy::{LB_POLICY, LbPolicy, PolicyContext, ReadPolicy};
pub(crate) use subset::{METADATA_FALLBACK, OWN_FALLBACK, OwnFallback, SUBSET_FALLBACK};
pub(crate) use tuning::SELECTION_METHOD;
pub(crate) use typed_kinds::HASH_FUNCTION;
