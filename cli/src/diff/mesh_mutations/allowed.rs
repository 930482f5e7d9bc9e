//! The fields whose mutations change no request, with the reason.

/// Reasons, each with its fields. `*` at the start is any kind, at the end all fields below.
static ALLOWED: &[(&str, &[&str])] = &[
    ("the form of the document", &["*.apiVersion"]),
    (
        "written by the API server or a control plane",
        &[
            "*.creationTime",
            "*.metadata.creationTimestamp",
            "*.metadata.generation",
            "*.metadata.resourceVersion",
            "EndpointSlice.endpoints.targetRef*",
            "EndpointSlice.metadata.name",
            "Pod.metadata.ownerReferences*",
            "Pod.status.phase",
            "Service.status*",
        ],
    ),
    (
        "telemetry",
        &["Mesh.metrics*", "MeshAccessLog.*", "Telemetry.*"],
    ),
    (
        "settings of a process",
        &["Dataplane.networking.admin*", "Node.spec*"],
    ),
    (
        "nothing selects them",
        &[
            "Pod.metadata.annotations.example.com/owner",
            "Dataplane.networking.inbound.name",
            "Node.metadata.labels.kubernetes.io/hostname",
            "Pod.spec.containers.ports*",
            "Service.metadata.labels*",
        ],
    ),
    (
        "names that no other document has",
        &["Dataplane.name", "ZoneEgress.name"],
    ),
    (
        "without them, the default is the same value, or selects the same",
        &[
            "*.mesh",
            "*.spec.exportTo",
            "*.spec.targetRef.proxyTypes",
            "*.spec.type",
            "Dataplane.networking.inbound.health",
            "Dataplane.networking.inbound.state",
            "DestinationRule.spec.trafficPolicy.loadBalancer.localityLbSetting.enabled",
            "EndpointSlice.endpoints.conditions*",
            "Mesh.meshServices*",
            "MeshMultiZoneService.spec.selector*",
            "MeshService.spec.ports.targetPort",
            "MeshService.spec.state",
            "ServiceEntry.spec.endpoints.weight",
            "VirtualService.spec.tcp.match*",
            "ZoneEgress.zone",
        ],
    ),
    (
        "the Pod has the same node, zone and readiness",
        &[
            "EndpointSlice.endpoints.nodeName",
            "Pod.status.conditions.status",
        ],
    ),
    (
        "addresses that clients resolve: with any, they reach the same hosts",
        &[
            "Service.spec.clusterIP",
            "Service.spec.clusterIPs",
            "Pod.status.podIPs*",
        ],
    ),
    ("kube-proxy alone has it", &["Service.spec.sessionAffinity"]),
    (
        "its zone is that of the document",
        &["ZoneIngress.availableServices.tags.kuma.io/zone"],
    ),
];

/// The first pattern that allows a field.
pub(super) fn allowed(field: &str) -> Option<&'static str> {
    let patterns = ALLOWED.iter().flat_map(|(_, fields)| *fields);
    let mut patterns = patterns.copied();
    patterns.find(|pattern| matches(pattern, field))
}

/// All patterns.
pub(super) fn patterns() -> impl Iterator<Item = &'static str> {
    ALLOWED.iter().flat_map(|(_, fields)| *fields).copied()
}

fn matches(pattern: &str, field: &str) -> bool {
    let (pattern, field) = match pattern.strip_prefix("*.") {
        Some(rest) => (rest, field.split_once('.').map_or("", |(_, rest)| rest)),
        None => (pattern, field),
    };
    match pattern.strip_suffix('*') {
        Some(start) => field.starts_with(start),
        None => field == pattern,
    }
}
