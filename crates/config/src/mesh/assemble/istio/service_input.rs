//! A service of Istio and its clusters.

use alloc::{format, string::String, vec::Vec};

use spillgate_core::model::HealthStatus;
use spillgate_mesh::istio::{IstioEndpoint, IstioOutlierDetection, IstioService, IstioVersion};

/// Which routes of a VirtualService a port uses.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum IstioProtocol {
    /// Those of HTTP.
    Http,
    /// Those of TLS and TCP.
    Connections,
    /// Those of the protocol that Envoy detects in each connection.
    #[default]
    Detected,
}

impl IstioProtocol {
    /// The protocol with a name (`protocol`, `appProtocol`, or the first part of a port's name).
    fn named(name: &str) -> Option<Self> {
        const HTTP: [&str; 5] = ["http", "http2", "grpc", "grpc-web", "kubernetes.io/h2c"];
        const CONNECTIONS: [&str; 6] = ["tcp", "tls", "https", "mongo", "mysql", "redis"];
        let is = |known: &&str| known.eq_ignore_ascii_case(name);
        match (HTTP.iter().any(is), CONNECTIONS.iter().any(is)) {
            (true, _) => Some(Self::Http),
            (_, true) => Some(Self::Connections),
            _ => None,
        }
    }

    /// The protocol of a port: that which it states, or else the first part of its name.
    pub(super) fn of_port(stated: Option<&str>, name: &str) -> Self {
        let stated = stated.and_then(Self::named);
        let of_name = || Self::named(first_part(name));
        stated.or_else(of_name).unwrap_or_default()
    }
}

/// The first part of the name of a port.
fn first_part(name: &str) -> &str {
    match name.split_once('-') {
        Some(("grpc", rest)) if rest.starts_with("web") => "grpc-web",
        Some((first, _)) => first,
        None => name,
    }
}

/// Whether a port states HTTP/2, which gRPC uses.
pub(super) fn is_http2(stated: Option<&str>, name: &str) -> bool {
    const HTTP2: [&str; 4] = ["http2", "grpc", "grpc-web", "kubernetes.io/h2c"];
    let known = stated.filter(|stated| IstioProtocol::named(stated).is_some());
    let protocol = known.unwrap_or_else(|| first_part(name));
    HTTP2.iter().any(|of| of.eq_ignore_ascii_case(protocol))
}

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
    /// The protocol of the port.
    pub protocol: IstioProtocol,
    /// Whether the port states HTTP/2: `http2`, `grpc`, `grpc-web` or `kubernetes.io/h2c`.
    pub is_http2: bool,
    /// Other names of the host (`type: ExternalName`).
    pub aliases: Vec<String>,
    /// The endpoints, in document order, also those that are not ready.
    pub endpoints: Vec<IstioEndpoint>,
}

impl IstioServiceInput {
    /// The name of the cluster of a subset.
    #[must_use]
    pub fn subset_cluster(&self, subset: &str) -> String {
        cluster_name(&self.service.host, self.port, Some(subset))
    }

    /// Drains the endpoints with the label for it: they are gone, except for services whose clients keep
    /// sessions (`filterIstioEndpoint`, `buildEnvoyLbEndpoint`).
    pub(super) fn drain(&mut self) {
        const DRAINING: &str = "istio.io/draining";
        let keeps_sessions = self.service.keeps_sessions;
        self.endpoints.retain_mut(|endpoint| {
            let label = endpoint.labels.get(DRAINING);
            let drains = label.is_some_and(|value| !value.is_empty());
            if drains {
                endpoint.host.health = HealthStatus::Draining;
            }
            !drains || keeps_sessions
        });
    }

    /// The endpoints that Envoy receives with this outlier detection.
    pub fn received(
        &self,
        version: IstioVersion,
        outlier_detection: Option<&IstioOutlierDetection>,
    ) -> impl Iterator<Item = &IstioEndpoint> {
        let sends_unready = self.service.sends_unready(version, outlier_detection);
        let endpoints = self.endpoints.iter();
        endpoints.filter(move |endpoint| sends_unready || !endpoint.unready)
    }
}

/// The name of the cluster of a host, port and subset.
pub(in crate::mesh) fn cluster_name(host: &str, port: u16, subset: Option<&str>) -> String {
    format!("outbound|{port}|{}|{host}", subset.unwrap_or_default())
}
