//! MeshConfig: as a document, in Istio's ConfigMap, or in an IstioOperator.

use alloc::{string::String, vec::Vec};

use spillgate_mesh::istio::{IstioMeshConfig, IstioOutlierDetection, validate_istio_setting};

use super::{
    locality_lb::{read_locality_lb, setting_fault},
    mesh_networks::{IstioMeshNetwork, read_mesh_networks},
    request_changes::read_retries,
    zone_aware::read_zone_aware,
};
use crate::{
    Diagnostic,
    mesh::{
        document::{MeshDocument, ResourceMeta},
        place::{ValuePlace, ValuePlaces},
        rule::push_rule_faults,
    },
    node::{Node, NodeValue, Scalars, read_yaml},
    proto::{
        Irrelevance::{
            Admission, Discovery, Document, Observability, Timing, Transport, UsedByOthers,
        },
        Message, Path, Report, Schema, limit,
    },
};

/// The fields of [`LIMITS`] are named if they have content.
pub(super) static MESH_CONFIG: Schema = Schema::new(
    "MeshConfig",
    "localityLbSetting rootNamespace defaultConfig defaultServiceExportTo \
     defaultVirtualServiceExportTo defaultDestinationRuleExportTo defaultTrafficPolicy \
     discoverySelectors serviceScopeConfigs serviceSettings serviceEntryVisibility \
     zoneAwareLbSetting defaultHttpRetryPolicy",
)
.limits(&[limit(
    "pathNormalization",
    "routes can match other paths than those of the requests",
)])
.ignored(&[
    (Document, "apiVersion kind metadata status spec"),
    (Admission, "outboundTrafficPolicy"),
    (
        Discovery,
        "configSources dnsRefreshRate ingressClass ingressControllerMode ingressSelector \
         ingressService",
    ),
    (
        Observability,
        "accessLogEncoding accessLogFile accessLogFormat defaultProviders \
         disableEnvoyListenerLog enableEnvoyAccessLogService enablePrometheusMerge enableTracing \
         inboundClusterStatName outboundClusterStatName",
    ),
    (
        Timing,
        "connectTimeout hboneIdleTimeout protocolDetectionTimeout",
    ),
    (
        Transport,
        "ca caCertificates certificates enableAutoMtls h2UpgradePolicy inboundTrafficPolicy \
         meshMTLS proxyHttpPort proxyInboundListenPort proxyListenPort tcpKeepalive tlsDefaults \
         trustDomain trustDomainAliases verifyCertificateAtClient",
    ),
    (UsedByOthers, "extensionProviders"),
])
.lenient()
.of("MeshConfig");

/// A MeshConfig and the positions of its values.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadMeshConfig {
    /// The configuration.
    pub config: IstioMeshConfig,
    /// The place of the document that contains it.
    pub place: ValuePlace,
    /// The path of the MeshConfig in the file.
    pub path: String,
    /// The positions of the values below it; empty if it is text inside a ConfigMap.
    pub places: ValuePlaces,
    /// The namespace whose rules apply to all others (`rootNamespace`); `istio-system` by default.
    pub root_namespace: String,
    /// Whether proxies know the hosts of their own workload, for zone-aware routing
    /// (`defaultConfig.proxyMetadata.ISTIO_META_ENABLE_SELF_DISCOVERY`).
    pub self_discovery: bool,
    /// The networks and their gateways (`meshNetworks` of the ConfigMap).
    pub networks: Vec<IstioMeshNetwork>,
}

impl ReadMeshConfig {
    /// The place of the value at a path below the MeshConfig; the position is that of the nearest
    /// value that contains it.
    #[must_use]
    pub fn value_place(&self, path: &str) -> ValuePlace {
        self.places.place(self.place.file, &self.path, path)
    }
}

/// Reads a MeshConfig that is a document.
pub(crate) fn read_mesh_config(
    document: &MeshDocument<'_, '_>,
    report: &mut Report,
) -> Option<ReadMeshConfig> {
    let place = ResourceMeta::read(document, report).place;
    read(document.spec, document.spec_path.clone(), place, report)
}

/// Reads the MeshConfig of an IstioOperator.
pub(crate) fn read_operator(
    document: &MeshDocument<'_, '_>,
    report: &mut Report,
) -> Option<ReadMeshConfig> {
    let place = ResourceMeta::read(document, report).place;
    let path = document.spec_path.clone();
    let spec = Message::open_partly(document.spec, path, "IstioOperatorSpec", report)?;
    let node = spec.get("meshConfig")?;
    read(node, document.spec_path.field("meshConfig"), place, report)
}

/// Reads the MeshConfig that Istio's ConfigMap contains as text (`data.mesh`).
pub(crate) fn read_config_map(
    document: &MeshDocument<'_, '_>,
    report: &mut Report,
) -> Option<ReadMeshConfig> {
    let node = document.node.get("data")?.get("mesh")?;
    let NodeValue::String(text) = &node.value else {
        return None;
    };
    let path = document.path.field("data").field("mesh");
    let place = ResourceMeta::read(document, report).place;
    let mut inner = Report::default();
    #[cfg(feature = "unread")]
    inner.collect_notes_like(report);
    let parsed = read_yaml(text, Scalars::Json);
    let read = match &parsed {
        Ok(parsed) => {
            let root = parsed.roots.first()?;
            read(root, path.clone(), place, &mut inner)
        }
        Err(fault) => {
            inner.push(fault.clone());
            None
        }
    };
    #[cfg(feature = "unread")]
    report.add_notes(inner.take_notes());
    // The text has its own lines; its findings are at the text as a whole.
    let findings = inner.finish().unwrap_or_else(|faults| faults);
    for finding in findings {
        let at = if finding.path.is_empty() {
            path.text()
        } else {
            finding.path.clone()
        };
        report.push(finding.at(at, node.position));
    }
    let mut read = read?;
    if let Some(other) = other_object(document, &read.root_namespace) {
        let warning = Diagnostic::warning(
            "mesh/other-config-map",
            "Istio does not read this ConfigMap, which does not count",
        );
        let expected = alloc::format!("istio or istio-REVISION in {}", read.root_namespace);
        let warning = warning.at(document.path.text(), document.node.position);
        report.doubt_all(alloc::vec![warning.found(other).expected(expected)]);
        return None;
    }
    read.networks = read_mesh_networks(document.node);
    read.places = ValuePlaces::of(&Node {
        value: NodeValue::Null,
        position: node.position,
    });
    Some(read)
}

/// The name of a ConfigMap that is not one of Istio; one without a namespace may be.
fn other_object(document: &MeshDocument<'_, '_>, root_namespace: &str) -> Option<String> {
    let text = |field| {
        let value = &document.node.get("metadata")?.get(field)?.value;
        match value {
            NodeValue::String(text) => Some(text.as_ref()),
            _ => None,
        }
    };
    let name: &str = text("name").unwrap_or_default();
    let namespace: &str = text("namespace").unwrap_or(root_namespace);
    let is_istio = name.is_empty() || name == "istio" || name.starts_with("istio-");
    (!is_istio || namespace != root_namespace).then(|| alloc::format!("{namespace}/{name}"))
}

/// Settings of the mesh that can change which host is chosen, and what can differ.
const LIMITS: [(&str, &str); 8] = [
    ("defaultServiceExportTo", "other services can be visible"),
    ("defaultVirtualServiceExportTo", "other routes can apply"),
    ("defaultDestinationRuleExportTo", "other rules can apply"),
    (
        "defaultTrafficPolicy",
        "services without a rule can have other policies",
    ),
    (
        "discoverySelectors",
        "services of other namespaces are unknown to Istio",
    ),
    (
        "serviceScopeConfigs",
        "endpoints of other clusters can be missing",
    ),
    (
        "serviceSettings",
        "endpoints of other clusters can be missing",
    ),
    (
        "serviceEntryVisibility",
        "ServiceEntries of other namespaces can be hidden",
    ),
];

/// Whether a setting has no content.
fn is_empty(node: &Node<'_>) -> bool {
    match &node.value {
        NodeValue::Null => true,
        NodeValue::List(items) => items.is_empty(),
        NodeValue::Map(entries) => entries.is_empty(),
        _ => false,
    }
}

/// Whether proxies know the hosts of their own workload by `defaultConfig`.
fn self_discovery(config: &Message<'_, '_>, report: &mut Report) -> bool {
    let proxy = open(config, "defaultConfig", "ProxyConfig", report);
    let metadata = proxy.and_then(|proxy| open(&proxy, "proxyMetadata", "ProxyConfig", report));
    let value = metadata.and_then(|of| of.get("ISTIO_META_ENABLE_SELF_DISCOVERY"));
    matches!(value.map(|of| &of.value), Some(NodeValue::String(text)) if text == "true")
}

/// An object in a field.
fn open<'n, 'a>(
    of: &Message<'n, 'a>,
    field: &'static str,
    name: &'static str,
    report: &mut Report,
) -> Option<Message<'n, 'a>> {
    Message::open_partly(of.get(field)?, of.path.field(field), name, report)
}

fn read(
    node: &Node<'_>,
    path: Path,
    place: ValuePlace,
    report: &mut Report,
) -> Option<ReadMeshConfig> {
    let read_before = report.findings_so_far();
    let config = Message::open(node, path.clone(), &MESH_CONFIG, report)?;
    for (field, effect) in LIMITS {
        if let Some(found) = node.get(field).filter(|found| !is_empty(found)) {
            let effect = alloc::format!("{field} is not modeled; {effect}");
            report.limit(
                "config/not-modeled",
                effect,
                &path.field(field),
                found.position,
            );
        }
    }
    let defaults = IstioMeshConfig::default();
    // An explicit null switches the setting off; an absent field keeps the default.
    let setting = match node.get("localityLbSetting").map(|node| &node.value) {
        Some(NodeValue::Null) => None,
        Some(_) => read_locality_lb(&config, report),
        None => defaults.locality_lb_setting,
    };
    let places = ValuePlaces::of(node);
    if let Some(setting) = &setting {
        // Rules have outlier detection; whether the mesh has any is unknown here.
        let outlier = IstioOutlierDetection::default();
        let faults = validate_istio_setting(setting, Some(&outlier)).into_iter();
        let root = path.text();
        let faults = faults.map(|fault| setting_fault(&fault, &root, &places, "localityLbSetting"));
        push_rule_faults(faults.collect(), read_before, report);
    }
    let retries = read_retries(&config, "defaultHttpRetryPolicy", report);
    let root_namespace = config.string("rootNamespace", report);
    Some(ReadMeshConfig {
        config: IstioMeshConfig {
            locality_lb_setting: setting,
            zone_aware_lb_setting: read_zone_aware(&config, report),
            retries,
        },
        place,
        path: path.text(),
        places,
        root_namespace: root_namespace.unwrap_or("istio-system").into(),
        networks: Vec::new(),
        self_discovery: self_discovery(&config, report),
    })
}
