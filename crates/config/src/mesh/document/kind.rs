//! The kinds of documents that are read.

/// The annotation that Istio reads on Services without the field, on ServiceEntries, and since 1.30 on
/// Namespaces.
pub(crate) const DISTRIBUTION: &str = "networking.istio.io/traffic-distribution";

/// A kind of document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DocumentKind {
    /// Kuma's `MeshLoadBalancingStrategy`.
    LoadBalancingStrategy,
    /// Kuma's `Mesh`.
    KumaMesh,
    /// Kuma's `Dataplane`.
    Dataplane,
    /// Kuma's `ZoneIngress`.
    ZoneIngress,
    /// Kuma's `ZoneEgress`.
    ZoneEgress,
    /// Kuma's `MeshZoneAddress`.
    MeshZoneAddress,
    /// Kuma's `MeshService`.
    MeshService,
    /// Kuma's `MeshMultiZoneService`.
    MeshMultiZoneService,
    /// Kuma's `MeshGateway`.
    MeshGateway,
    /// Kuma's `MeshHTTPRoute`.
    MeshHttpRoute,
    /// Kuma's `MeshTCPRoute`.
    MeshTcpRoute,
    /// Kuma's `MeshHealthCheck`.
    #[cfg(feature = "health")]
    MeshHealthCheck,
    /// Kuma's `MeshCircuitBreaker`.
    #[cfg(feature = "health")]
    MeshCircuitBreaker,
    /// Kuma's `MeshRetry`.
    #[cfg(feature = "health")]
    MeshRetry,
    /// Kuma's `MeshTimeout`.
    #[cfg(feature = "health")]
    MeshTimeout,
    /// Istio's `DestinationRule`.
    DestinationRule,
    /// Istio's `MeshConfig`, as a document of its own.
    MeshConfig,
    /// Istio's `IstioOperator`, which contains a `MeshConfig`.
    IstioOperator,
    /// A Kubernetes `ConfigMap`; Istio's contains a `MeshConfig` as text.
    ConfigMap,
    /// Istio's `ServiceEntry`.
    ServiceEntry,
    /// Istio's `WorkloadEntry`.
    WorkloadEntry,
    /// Istio's `VirtualService`.
    VirtualService,
    /// Istio's `Gateway`.
    IstioGateway,
    /// `HTTPRoute` of the Gateway API.
    HttpRoute,
    /// `GRPCRoute` of the Gateway API.
    GrpcRoute,
    /// A Kubernetes `Service`.
    KubeService,
    /// A Kubernetes `EndpointSlice`.
    EndpointSlice,
    /// A Kubernetes `Pod`.
    Pod,
    /// A Kubernetes `Node`.
    KubeNode,
    /// A Kubernetes `Namespace`.
    Namespace,
    /// The short form of a proxy: `{zone, tags, labels}` or `{locality, labels}`.
    ShortProxy,
    /// The short form of an endpoint: `{address, zone, tags, weight, health}`.
    ShortEndpoint,
}

use DocumentKind as Kind;

/// Kinds of an API group, by name.
struct Group {
    /// The API group; empty for the core group of Kubernetes.
    name: &'static str,
    kinds: &'static [(&'static str, Kind)],
}

static KUMA: Group = Group {
    name: "kuma.io",
    kinds: &[
        ("MeshLoadBalancingStrategy", Kind::LoadBalancingStrategy),
        ("Mesh", Kind::KumaMesh),
        ("Dataplane", Kind::Dataplane),
        ("ZoneIngress", Kind::ZoneIngress),
        ("ZoneEgress", Kind::ZoneEgress),
        ("MeshZoneAddress", Kind::MeshZoneAddress),
        ("MeshService", Kind::MeshService),
        ("MeshMultiZoneService", Kind::MeshMultiZoneService),
        ("MeshGateway", Kind::MeshGateway),
        ("MeshHTTPRoute", Kind::MeshHttpRoute),
        ("MeshTCPRoute", Kind::MeshTcpRoute),
        #[cfg(feature = "health")]
        ("MeshHealthCheck", Kind::MeshHealthCheck),
        #[cfg(feature = "health")]
        ("MeshCircuitBreaker", Kind::MeshCircuitBreaker),
        #[cfg(feature = "health")]
        ("MeshRetry", Kind::MeshRetry),
        #[cfg(feature = "health")]
        ("MeshTimeout", Kind::MeshTimeout),
    ],
};

static ISTIO: Group = Group {
    name: "networking.istio.io",
    kinds: &[
        ("DestinationRule", Kind::DestinationRule),
        ("ServiceEntry", Kind::ServiceEntry),
        ("WorkloadEntry", Kind::WorkloadEntry),
        ("VirtualService", Kind::VirtualService),
        ("Gateway", Kind::IstioGateway),
    ],
};

static OTHERS: [Group; 4] = [
    Group {
        name: "gateway.networking.k8s.io",
        kinds: &[
            ("HTTPRoute", Kind::HttpRoute),
            ("GRPCRoute", Kind::GrpcRoute),
        ],
    },
    Group {
        name: "install.istio.io",
        kinds: &[("IstioOperator", Kind::IstioOperator)],
    },
    Group {
        name: "discovery.k8s.io",
        kinds: &[("EndpointSlice", Kind::EndpointSlice)],
    },
    Group {
        name: "",
        kinds: &[
            ("Service", Kind::KubeService),
            ("Pod", Kind::Pod),
            ("Node", Kind::KubeNode),
            ("Namespace", Kind::Namespace),
            ("ConfigMap", Kind::ConfigMap),
        ],
    },
];

impl DocumentKind {
    /// The kind of a document in Kuma's Universal form, by its `type`.
    pub(super) fn universal(name: &str) -> Option<Self> {
        KUMA.find(name)
    }

    /// The kind of a Kubernetes object. Without `apiVersion`, the kind's name decides.
    pub(super) fn kubernetes(api_version: Option<&str>, name: &str) -> Option<Self> {
        let group = api_version.map(|version| version.rsplit_once('/').map_or("", |(g, _)| g));
        [&KUMA, &ISTIO]
            .into_iter()
            .chain(&OTHERS)
            .filter(|known| group.is_none_or(|group| group == known.name))
            .find_map(|known| known.find(name))
    }

    /// Its name in documents; for a document that does not name its kind, what it is.
    #[cfg(feature = "unread")]
    pub(in crate::mesh) fn name(self) -> &'static str {
        let groups = [&KUMA, &ISTIO].into_iter().chain(&OTHERS);
        let mut kinds = groups.flat_map(|group| group.kinds);
        let found = kinds.find(|(_, kind)| *kind == self);
        match self {
            Self::MeshConfig => "MeshConfig",
            Self::ShortProxy => "proxy",
            Self::ShortEndpoint => "endpoint",
            _ => found.map_or("document", |(name, _)| name),
        }
    }

    /// Whether only a service mesh has documents of this kind; Kubernetes objects alone do not
    /// make an input a mesh configuration.
    #[must_use]
    pub const fn is_mesh(self) -> bool {
        !matches!(
            self,
            Self::KubeService
                | Self::EndpointSlice
                | Self::Pod
                | Self::KubeNode
                | Self::Namespace
                | Self::ConfigMap
                | Self::HttpRoute
                | Self::GrpcRoute
                | Self::ShortProxy
                | Self::ShortEndpoint
        )
    }
}

impl Group {
    fn find(&self, name: &str) -> Option<Kind> {
        let found = self.kinds.iter().find(|(known, _)| *known == name);
        found.map(|(_, kind)| *kind)
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    /// The playground's script loads the reader of mesh documents only for texts with a kind that begins like this.
    #[test]
    fn the_page_recognizes_every_kind_of_a_mesh() {
        let script = include_str!("../../../../../www/reader.js");
        let (_, after) = script
            .split_once(r#"\b(?:type|kind)"?\s*:\s*["']?(?:"#)
            .unwrap();
        let beginnings: Vec<&str> = after.split_once(')').unwrap().0.split('|').collect();
        let groups = [&KUMA, &ISTIO].into_iter().chain(&OTHERS);
        let kinds = groups.flat_map(|group| group.kinds);
        let of_a_mesh: Vec<&str> = kinds
            .filter(|(_, kind)| kind.is_mesh())
            .map(|(name, _)| *name)
            .collect();
        for name in &of_a_mesh {
            assert!(beginnings.iter().any(|one| name.starts_with(one)), "{name}");
        }
        for one in beginnings {
            assert!(of_a_mesh.iter().any(|name| name.starts_with(one)), "{one}");
        }
    }
}
