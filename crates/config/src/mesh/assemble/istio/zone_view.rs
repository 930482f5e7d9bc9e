//! What a zone leaves open: the namespace and the labels of the proxy that sends the requests.

use alloc::{collections::BTreeSet, format, string::String, vec::Vec};

use spillgate_mesh::istio::{
    IstioDestinationRule, IstioLocalityLbSetting, IstioProxy, IstioVirtualService, NETWORK_LABEL,
};

use super::service_input::IstioServiceInput;
use crate::{
    Affects, Diagnostic,
    mesh::{
        GatewayApiRoute, assemble::point_of_view::open_in_zone, istio::ReadMeshConfig,
        read::MeshDocuments,
    },
};

/// The namespace that a proxy of a zone has.
const NAMESPACE: &str = "default";
/// The labels that follow from a zone.
const OF_ZONE: [&str; 4] = [
    "topology.kubernetes.io/region",
    "topology.kubernetes.io/zone",
    "topology.istio.io/subzone",
    NETWORK_LABEL,
];
const SHOWN: usize = 5;

/// The limit of documents and settings that apply to some proxies of a zone only; `services` are those of
/// all namespaces.
pub(super) fn unknown_proxy(
    documents: &MeshDocuments,
    services: &[IstioServiceInput],
    config: Option<&ReadMeshConfig>,
    root_namespace: &str,
) -> Option<Diagnostic> {
    let mut found: BTreeSet<String> = BTreeSet::new();
    for of in services {
        let service = &of.service;
        if is_private(&service.export_to) {
            found.insert(format!("exportTo of {}", service.host));
        }
        if service.traffic_distribution.as_deref() == Some("PreferSameNode") {
            found.insert(format!("PreferSameNode of {}", service.host));
        }
    }
    for read in &documents.istio.destination_rules {
        let rule = &read.rule;
        if depends(rule, services, root_namespace) {
            found.insert(named("DestinationRule", &rule.namespace, &rule.name));
        }
    }
    for read in &documents.istio.virtual_services {
        let of = &read.service;
        if selects_sources(of) {
            found.insert(named("VirtualService", &of.namespace, &of.name));
        }
    }
    for route in documents
        .gateway_api
        .iter()
        .filter(|of| is_of_consumers(of))
    {
        found.insert(named(route.kind, &route.meta.namespace, &route.meta.name));
    }
    if config.is_some_and(|read| by_label(read.config.locality_lb_setting.as_ref())) {
        found.insert("failoverPriority of the MeshConfig".into());
    }
    let text = format!(
        "the zone leaves the namespace and the labels of the proxy open; showing a proxy in namespace \
         {NAMESPACE:?} without labels"
    );
    open_in_zone(found, text)
}

/// The limit of a zone whose proxies have sub-zones, where localities decide: a host of the own sub-zone comes first.
pub(super) fn open_sub_zone(
    documents: &MeshDocuments,
    services: &[IstioServiceInput],
    proxy: &IstioProxy,
    localities: &BTreeSet<String>,
) -> Option<Diagnostic> {
    let zone = proxy.locality.as_str();
    if zone.split('/').count() > 2 {
        return None;
    }
    let sub_zones = localities.iter().filter_map(|known| {
        let sub_zone = known.strip_prefix(zone)?.strip_prefix('/')?;
        (zone.contains('/') && !sub_zone.is_empty()).then_some(sub_zone)
    });
    let sub_zones: Vec<&str> = sub_zones.take(SHOWN).collect();
    let rules = documents.istio.destination_rules.iter();
    let mut policies = rules.flat_map(|read| {
        let subsets = read.rule.subsets.iter();
        let of_subsets = subsets.map(|of| of.traffic_policy.as_ref());
        of_subsets
            .chain([read.rule.traffic_policy.as_ref()])
            .flatten()
    });
    let decide = policies.any(|policy| {
        policy.outlier_detection.is_some()
            || policy
                .ports
                .iter()
                .any(|port| port.outlier_detection.is_some())
    }) || services
        .iter()
        .any(|of| of.service.traffic_distribution.is_some());
    (decide && !sub_zones.is_empty()).then(|| {
        let text = "the zone leaves the sub-zone of the proxy open; showing a proxy without one, to which hosts \
                    of all sub-zones are equally near";
        Diagnostic::limit("mesh/zone-view", text, Affects::Everything)
            .found(sub_zones.join(", "))
            .expected("REGION/ZONE/SUB-ZONE, for exact figures")
    })
}

fn named(kind: &str, namespace: &str, name: &str) -> String {
    match namespace {
        "" => format!("{kind} {name}"),
        namespace => format!("{kind} {namespace}/{name}"),
    }
}

/// Whether some namespaces do not see a document.
fn is_private(export_to: &BTreeSet<String>) -> bool {
    !export_to.is_empty() && !export_to.contains("*")
}

/// Whether a rule of a known service is one for some proxies only: it selects them, is exported to some
/// namespaces, belongs to the clients of its namespace, or compares their labels.
fn depends(
    rule: &IstioDestinationRule,
    services: &[IstioServiceInput],
    root_namespace: &str,
) -> bool {
    let of_rule = |of: &&IstioServiceInput| rule.is_for(&of.service.host);
    let mut applies = services.iter().filter(of_rule).peekable();
    if applies.peek().is_none() {
        return false;
    }
    let is_of_clients = rule.namespace != root_namespace
        && applies.any(|of| of.service.namespace != rule.namespace);
    let policies = rule
        .subsets
        .iter()
        .map(|of| of.traffic_policy.as_ref())
        .chain([rule.traffic_policy.as_ref()])
        .flatten();
    let mut balancers = policies.flat_map(|policy| {
        let of_ports = policy.ports.iter().map(|port| port.load_balancer.as_ref());
        of_ports.chain([policy.load_balancer.as_ref()]).flatten()
    });
    !rule.workload_selector.is_empty()
        || is_private(&rule.export_to)
        || is_of_clients
        || balancers.any(|of| by_label(of.locality_lb_setting.as_ref()))
}

/// Whether `failoverPriority` compares labels that do not follow from the zone.
fn by_label(setting: Option<&IstioLocalityLbSetting>) -> bool {
    let mut keys = setting.into_iter().flat_map(|of| &of.failover_priority);
    keys.any(|key| !key.contains('=') && !OF_ZONE.contains(&key.as_str()))
}

/// Whether the routes are those of some sidecars only.
fn selects_sources(of: &IstioVirtualService) -> bool {
    let mut entries = of
        .http
        .iter()
        .chain(&of.connections)
        .flat_map(|route| &route.matches);
    is_private(&of.export_to)
        || entries.any(|entry| {
            entry.gateways.is_empty()
                && !(entry.source_labels.is_empty() && entry.source_namespace.is_empty())
        })
}

/// Whether a route is one of the clients in its namespace.
fn is_of_consumers(route: &GatewayApiRoute) -> bool {
    let mut parents = route.parents.iter();
    parents.any(|parent| parent.kind != "Gateway" && parent.namespace != route.meta.namespace)
}
