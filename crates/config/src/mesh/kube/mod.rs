//! Kubernetes objects that both meshes read.

mod endpoint_slice;
mod namespace;
mod pod;
mod schemas;
mod service;

pub(crate) use endpoint_slice::read_endpoint_slice;
pub use endpoint_slice::{KubeEndpoint, KubeEndpointSlice, KubeReadiness, KubeSlicePort};
pub use namespace::KubeNamespace;
pub(crate) use namespace::read_namespace;
pub use pod::{KubeContainerPort, KubeNode, KubePod, KubeSidecar};
pub(crate) use pod::{read_node, read_pod};
pub use schemas::KUBE_MESSAGES;
pub(crate) use service::read_service;
pub use service::{KubeService, KubeServicePort};
