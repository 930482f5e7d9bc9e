//! The catalog: the registration of every lint rule for mesh documents, in the order of the documentation.

use super::{
    istio::{
        distribute, ejection, failover, from, outlier, subset, target, unknown, unlocated,
        weights as istio_weights,
    },
    kuma::{
        hashing, health_signal, order, priorities, settings, tags, targets, threshold,
        weights as kuma_weights, zones,
    },
    rule::MeshRule,
};

/// The catalog of the rules for mesh documents. Ids never change.
pub static MESH_RULES: &[&MeshRule] = &[
    &hashing::WEIGHTLESS,
    &threshold::TRUNCATED,
    &order::NONE_NOT_LAST,
    &order::AFTER_ANY,
    &order::TAKEN,
    &settings::EMPTY,
    &settings::DISABLED,
    &zones::OWN,
    &zones::NO_ENDPOINT,
    &tags::DUPLICATE,
    &tags::NO_ENDPOINT,
    &tags::OVERFLOW,
    &kuma_weights::RANDOM,
    &health_signal::NO_SIGNAL,
    &priorities::GAP,
    &targets::NO_DESTINATION,
    &subset::UNDEFINED,
    &target::NO_SERVICE,
    &target::NO_PROXY,
    &distribute::NO_FAILOVER,
    &distribute::NO_ENDPOINT,
    &unlocated::UNLOCATED,
    &from::NO_ENTRY,
    &from::NO_PROXY,
    &outlier::ENABLES_FAILOVER,
    &ejection::CAP,
    &failover::NO_OUTLIER_DETECTION,
    &unknown::REGION,
    &unknown::LABEL,
    &istio_weights::RANDOM,
];
