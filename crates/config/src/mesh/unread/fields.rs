//! Which fields of documents count in a comparison although it has no model of them.

use crate::{
    node::{Entry, NodeValue},
    proto::{FieldClass, Irrelevance, Noted, Schema},
};

/// Fields that are read for other questions, by message: the model of a comparison does not have them. They choose no
/// host.
static READ_ELSEWHERE: &[(&str, &str)] = &[
    (
        "DestinationRule.trafficPolicy",
        "tls connectionPool retryBudget",
    ),
    (
        "DestinationRule.trafficPolicy.portLevelSettings",
        "tls connectionPool",
    ),
    (
        "DestinationRule.trafficPolicy.outlierDetection",
        "consecutive5xxErrors consecutiveGatewayErrors consecutiveLocalOriginFailures \
         splitExternalLocalOriginErrors interval baseEjectionTime maxEjectionPercent",
    ),
    ("HTTPRoute.rules", "timeouts"),
    ("HTTPRoute.rules.retry", "backoff"),
    ("VirtualService.http", "timeout"),
    ("VirtualService.http.retries", "perTryTimeout backoff"),
    // The policies that Kuma creates: timeouts and limits of connections.
    ("Mesh", "skipCreatingInitialPolicies"),
    // Which backend, not that there is one.
    ("Mesh.mtls", "enabledBackend"),
    // Clients check the identity.
    ("ServiceEntry.endpoints", "serviceAccount"),
    ("WorkloadEntry", "serviceAccount"),
    // How a proxy speaks to endpoints.
    ("ServiceEntry.ports", "protocol"),
    ("Service.ports", "appProtocol protocol"),
    ("MeshService.ports", "appProtocol"),
    ("MeshMultiZoneService.ports", "appProtocol"),
];

/// Fields that are read to name a limit: they can change which route or host requests get.
static CAN_CHOOSE: &[(&str, &str)] = &[
    (
        "MeshConfig",
        "defaultConfig defaultDestinationRuleExportTo defaultServiceExportTo defaultTrafficPolicy \
         defaultVirtualServiceExportTo discoverySelectors serviceEntryVisibility serviceScopeConfigs serviceSettings",
    ),
    // The model has the endpoints, not how a proxy finds them.
    ("ServiceEntry", "resolution"),
];

/// Fields that only their own fields make count, and whose presence has an effect of its own.
static PRESENT: &[(&str, &str)] = &[
    ("DestinationRule.trafficPolicy", "outlierDetection"),
    (
        "DestinationRule.trafficPolicy.portLevelSettings",
        "outlierDetection",
    ),
];

/// Fields with an effect elsewhere that change no request of a proxy, by message.
static WITHOUT_EFFECT: &[(&str, &str)] = &[
    // The other addresses of the Pod; Istio uses the first one.
    ("Pod.status", "podIPs"),
    ("Service", "clusterIPs"),
];

/// The containers of a proxy.
static SIDECARS: [&str; 2] = ["istio-proxy", "kuma-sidecar"];

/// How a field counts that is not compared as a whole.
pub(in crate::mesh) fn counts(schema: &Schema, name: &str, message: &[Entry<'_>]) -> Noted {
    let of = schema.message();
    let listed = |table: &[(&str, &str)]| {
        let mut fields = table.iter().filter(|(listed, _)| *listed == of);
        fields.any(|(_, fields)| fields.split_ascii_whitespace().any(|field| field == name))
    };
    if listed(READ_ELSEWHERE) {
        return Noted::Value;
    }
    if listed(CAN_CHOOSE) {
        return Noted::Choice;
    }
    if listed(PRESENT) {
        return Noted::Presence;
    }
    match schema.class(name) {
        FieldClass::Read => Noted::No,
        FieldClass::Limited | FieldClass::Unknown => Noted::Choice,
        FieldClass::Ignored(why) => match why {
            Irrelevance::Document | Irrelevance::NotInForce | Irrelevance::Observability => {
                Noted::No
            }
            Irrelevance::Process if of == "Pod.spec.containers" && is_sidecar(message) => {
                Noted::Choice
            }
            Irrelevance::Process => Noted::No,
            // Where a Pod runs; the addresses and zones of Pods are read.
            Irrelevance::Discovery if of.starts_with("Pod") || of == "Node" => Noted::No,
            Irrelevance::UsedByOthers if listed(WITHOUT_EFFECT) => Noted::No,
            Irrelevance::Discovery | Irrelevance::UsedByOthers => Noted::Choice,
            Irrelevance::Admission
            | Irrelevance::Attempts
            | Irrelevance::Response
            | Irrelevance::Timing
            | Irrelevance::Transport => Noted::Value,
        },
    }
}

fn is_sidecar(container: &[Entry<'_>]) -> bool {
    let mut names = container.iter().filter(|entry| entry.key.name == "name");
    names.any(|entry| match &entry.node.value {
        NodeValue::String(name) => SIDECARS.contains(&name.as_ref()),
        _ => false,
    })
}
