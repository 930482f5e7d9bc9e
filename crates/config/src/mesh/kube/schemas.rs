//! The objects of Kubernetes' documents of which every field has a class.

use super::{endpoint_slice, namespace, pod, service};
use crate::{mesh::document, proto::Schema};

/// The objects of Kubernetes of which every field has a class.
pub static KUBE_MESSAGES: &[&Schema] = &[
    &document::OBJECT_META,
    &document::OWNER,
    &endpoint_slice::CONDITIONS,
    &endpoint_slice::ENDPOINT,
    &endpoint_slice::PORT,
    &endpoint_slice::SLICE,
    &endpoint_slice::TARGET_REF,
    &namespace::NAMESPACE,
    &pod::CONDITION,
    &pod::CONTAINER,
    &pod::CONTAINER_PORT,
    &pod::NODE,
    &pod::POD,
    &pod::SPEC,
    &pod::STATUS,
    &pod::VARIABLE,
    &service::BALANCER,
    &service::INGRESS,
    &service::PORT,
    &service::SERVICE,
    &service::STATUS,
];
