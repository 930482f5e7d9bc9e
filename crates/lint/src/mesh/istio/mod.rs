//! Rules for Istio's DestinationRule and MeshConfig.

pub(super) mod distribute;
pub(super) mod ejection;
pub(super) mod failover;
pub(super) mod from;
pub(super) mod outlier;
pub(super) mod subset;
pub(super) mod target;
pub(super) mod unknown;
pub(super) mod unlocated;
pub(super) mod views;
pub(super) mod weights;
