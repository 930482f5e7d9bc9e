//! Rules for Kuma's MeshLoadBalancingStrategy.

pub(super) mod hashing;
pub(super) mod health_signal;
pub(super) mod order;
pub(super) mod priorities;
pub(super) mod settings;
pub(super) mod tags;
pub(super) mod targets;
pub(super) mod threshold;
pub(super) mod views;
pub(super) mod weights;
pub(super) mod zones;
