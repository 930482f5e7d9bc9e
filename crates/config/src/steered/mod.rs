//! An Envoy with Spillgate filters: their configurations, and the clusters that requests reach.

mod envoy_hosts;
mod filters;
mod poller;
mod served;
mod undecided;
mod unserved;

pub use envoy_hosts::model_in;
pub use filters::{SteeringConfigs, steering_configs, steering_configs_with};
pub use poller::rejected_poller;
pub use served::{ServedModel, effective_model};
pub use undecided::envoy_model;
pub use unserved::mark_unserved;
