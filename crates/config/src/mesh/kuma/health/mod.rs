//! Policies that decide what happens over time: MeshHealthCheck, MeshCircuitBreaker, MeshRetry and MeshTimeout.

mod circuit_breaker;
mod health_check;
mod inbound;
mod policy;
mod reader;
mod retry;
mod settings;
mod timeout;

pub(crate) use policy::read_health_policy;
pub use policy::{KumaHealthDocuments, KumaHealthPolicy};
pub use settings::{KumaHostSelection, KumaSetting, KumaSettings, KumaValue};

use crate::proto::Schema;

/// The objects of these policies of which every field has a class.
pub(super) static MESSAGES: &[&Schema] = &[
    &circuit_breaker::CONF,
    &circuit_breaker::CONSECUTIVE[0],
    &circuit_breaker::CONSECUTIVE[1],
    &circuit_breaker::CONSECUTIVE[2],
    &circuit_breaker::CONNECTION_LIMITS,
    &circuit_breaker::DETECTORS,
    &circuit_breaker::FAILURE_PERCENTAGE,
    &circuit_breaker::OUTLIER_DETECTION,
    &circuit_breaker::POLICY,
    &circuit_breaker::SUCCESS_RATE,
    &circuit_breaker::TO,
    &health_check::CONF,
    &health_check::GRPC,
    &health_check::HTTP,
    &health_check::POLICY,
    &health_check::TCP,
    &health_check::TO,
    &inbound::BREAKER_FROM,
    &inbound::BREAKER_RULE,
    &inbound::TIMEOUT_FROM,
    &inbound::TIMEOUT_RULE,
    &retry::BACK_OFF[0],
    &retry::BACK_OFF[1],
    &retry::CONF,
    &retry::GRPC,
    &retry::HEADER[0],
    &retry::HEADER[1],
    &retry::HOST_SELECTION,
    &retry::HTTP,
    &retry::POLICY,
    &retry::TCP,
    &retry::TO,
    &timeout::CONF,
    &timeout::HTTP,
    &timeout::POLICY,
    &timeout::TO,
];
