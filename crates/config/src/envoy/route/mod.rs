//! `RouteConfiguration`: the conditions and actions of routes.

mod action;
#[cfg(feature = "yaml")]
mod answer_text;
mod cluster_matcher;
mod context;
mod hash_policy;
mod matcher_condition;
mod priority_group;
mod retry;
mod retry_time;
mod rewrite;
mod table;
mod weighted;

pub(crate) use action::{CLUSTER_NOT_FOUND, CLUSTER_SPECIFIER_TYPE};
pub(crate) use cluster_matcher::{CLUSTER_ACTION_TYPE, MATCHER_TYPE, open_action};
pub(crate) use context::{ClusterNames, KnownClusters, check_named};
pub(crate) use hash_policy::read_hash_policies;
pub(crate) use matcher_condition::HEADER_INPUT_TYPE;
pub(crate) use priority_group::PRIORITY_GROUP_TYPE;
pub(crate) use retry::{
    OMIT_CANARY_HOSTS_TYPE, OMIT_HOST_METADATA_TYPE, PREVIOUS_HOSTS_TYPE, PREVIOUS_PRIORITIES_TYPE,
    RETRY_PREFIX,
};
pub(super) use retry_time::limit_retry_time;
pub(crate) use table::{RoutesFrom, read_routes};
