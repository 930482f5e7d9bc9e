//! A service of Istio and its clusters.

use alloc::{format, string::String, vec::Vec};

use spillgate_mesh::istio::{IstioEndpoint, IstioService};

/// One port of a service, and its endpoints.
#[derive(Debug, Clone, PartialEq)]
pub struct IstioServiceInput {
    /// The name of Envoy's cluster, without a subset: `outbound|80||HOST`.
    pub cluster: String,
    /// The service.
    pub service: IstioService,
    /// The port of the service.
    pub port: u16,
    /// The name of the port; may be empty.
    pub port_name: String,
    /// The endpoints, in document order.
    pub endpoints: Vec<IstioEndpoint>,
}

impl IstioServiceInput {
    /// The name of the cluster of a subset.
    #[must_use]
    pub fn subset_cluster(&self, subset: &str) -> String {
        cluster_name(&self.service.host, self.port, Some(subset))
    }
}

/// The name of the cluster of a host, port and subset.
pub(in crate::mesh) fn cluster_name(host: &str, port: u16, subset: Option<&str>) -> String {
    format!("outbound|{port}|{}|{host}", subset.unwrap_or_default())
}
