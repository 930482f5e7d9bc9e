//! Which kinds of documents are compared, and which change no request.

use crate::mesh::document::DocumentKind as Kind;

/// Kinds that are not read and that change no request.
static WITHOUT_EFFECT: &[(&str, &[&str])] = &[
    (
        "telemetry",
        &[
            "MeshAccessLog",
            "MeshMetric",
            "MeshTrace",
            "PodMonitor",
            "PrometheusRule",
            "ServiceMonitor",
            "Telemetry",
            "TrafficLog",
            "TrafficTrace",
        ],
    ),
    (
        "what a control plane reports about other documents",
        &[
            "ControllerRevision",
            "DataplaneInsight",
            "Event",
            "MeshInsight",
            "ReplicaSet",
            "ServiceInsight",
            "ZoneEgressInsight",
            "ZoneIngressInsight",
            "ZoneInsight",
        ],
    ),
    (
        "access to the API of Kubernetes, and its kinds",
        &[
            "ClusterRole",
            "ClusterRoleBinding",
            "CustomResourceDefinition",
            "Lease",
            "Role",
            "RoleBinding",
        ],
    ),
];

/// Kinds that are not read and that choose neither a route nor a host: they refuse requests, end them, or encrypt them.
static CHOOSE_NO_HOST: &[&str] = &[
    "AuthorizationPolicy",
    "FaultInjection",
    "MeshFaultInjection",
    "MeshRateLimit",
    "MeshRetry",
    "MeshTLS",
    "MeshTimeout",
    "MeshTrafficPermission",
    "PeerAuthentication",
    "RateLimit",
    "RequestAuthentication",
    "Retry",
    "Secret",
    "Timeout",
    "TrafficPermission",
];

/// Whether documents of a kind that is not read can change which route or host requests get.
pub(in crate::mesh) fn can_choose(kind: &str) -> bool {
    !CHOOSE_NO_HOST.contains(&kind)
}

/// Whether documents of a kind that is not read can change what happens to a request.
pub(super) fn other_counts(kind: &str) -> bool {
    !WITHOUT_EFFECT
        .iter()
        .any(|(_, kinds)| kinds.contains(&kind))
}

/// Whether the fields of a kind that are read are compared. Documents of the others count as a whole, whatever reads them.
pub(super) const fn is_compared(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::LoadBalancingStrategy
            | Kind::KumaMesh
            | Kind::Dataplane
            | Kind::ZoneIngress
            | Kind::ZoneEgress
            | Kind::MeshZoneAddress
            | Kind::MeshService
            | Kind::MeshMultiZoneService
            | Kind::MeshGateway
            | Kind::MeshHttpRoute
            | Kind::MeshTcpRoute
            | Kind::DestinationRule
            | Kind::MeshConfig
            | Kind::IstioOperator
            | Kind::ConfigMap
            | Kind::ServiceEntry
            | Kind::WorkloadEntry
            | Kind::VirtualService
            | Kind::IstioGateway
            | Kind::HttpRoute
            | Kind::GrpcRoute
            | Kind::KubeService
            | Kind::EndpointSlice
            | Kind::Pod
            | Kind::KubeNode
            | Kind::Namespace
            | Kind::ShortProxy
            | Kind::ShortEndpoint
    )
}

/// Whether documents of a kind are written by machines under names that change with every start: then those of one
/// workload are alike.
pub(super) const fn is_generated(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Dataplane | Kind::EndpointSlice | Kind::Pod | Kind::ShortEndpoint | Kind::ShortProxy
    )
}
