//! Which proxies and destinations a target reference selects (`matchers/dataplane.go`,
//! `resolve/targetref.go`).

use alloc::{collections::BTreeMap, string::String};

use super::{
    KumaDestination, KumaDestinationKind, KumaInbound, KumaMeta, KumaPolicy, KumaProxy,
    KumaProxyKind, KumaTargetRef,
    meta::{PolicyRole, ResourceOrigin},
};

const SERVICE: &str = "kuma.io/service";

// === impl KumaPolicy ===

impl<C> KumaPolicy<C> {
    /// Whether the policy configures a proxy: mesh, zone and namespace of the policy, then its
    /// `targetRef`.
    #[must_use]
    pub fn selects(&self, proxy: &KumaProxy) -> bool {
        let same_namespace =
            !self.is_of_namespace() || self.meta.namespace() == proxy.meta.namespace();
        self.can_select(proxy)
            && same_namespace
            && selects_proxy(&self.meta, self.target_ref.as_ref(), proxy)
    }

    /// Whether mesh and zone of the policy allow that it configures a proxy, whatever its namespace and its tags.
    #[must_use]
    pub fn can_select(&self, proxy: &KumaProxy) -> bool {
        let zone = self.meta.zone_of_origin();
        let same_zone =
            self.role() == PolicyRole::Producer || zone.is_none_or(|of| of == proxy.zone);
        !self.is_shadow() && self.meta.mesh() == proxy.meta.mesh() && same_zone
    }

    /// Whether the policy configures proxies of its own namespace only.
    #[must_use]
    pub fn is_of_namespace(&self) -> bool {
        matches!(
            self.role(),
            PolicyRole::Consumer | PolicyRole::WorkloadOwner
        )
    }
}

/// Whether a `spec.targetRef` selects a proxy. A built-in gateway whose MeshGateway is not known is
/// selected by any `MeshGateway` with its tags.
pub(super) fn selects_proxy(
    from: &KumaMeta,
    target: Option<&KumaTargetRef>,
    proxy: &KumaProxy,
) -> bool {
    let Some(target) = target else {
        return true;
    };
    let egress = proxy.kind == KumaProxyKind::ZoneEgress;
    let named = target.name.clone().unwrap_or_default();
    match target.kind.as_str() {
        "Mesh" => selects_type(target, proxy),
        _ if egress => false,
        "Dataplane" => {
            proxy.kind != KumaProxyKind::BuiltinGateway
                && selects_dataplane(from, target, proxy)
                && selects_section(target, proxy)
        }
        "MeshSubset" => selects_type(target, proxy) && has_tags(proxy, &target.tags),
        "MeshService" | "MeshServiceSubset" => {
            let mut tags = target.tags.clone();
            tags.insert(SERVICE.into(), named);
            has_tags(proxy, &tags)
        }
        "MeshGateway" => {
            let mut gateway = proxy.gateway.iter();
            proxy.kind == KumaProxyKind::BuiltinGateway
                && gateway.all(|meta| is_named(from, &named, target, meta))
                && has_tags(proxy, &target.tags)
        }
        _ => false,
    }
}

/// Whether `proxyTypes` has the type of the proxy.
fn selects_type(target: &KumaTargetRef, proxy: &KumaProxy) -> bool {
    let kind = match proxy.kind {
        KumaProxyKind::Sidecar | KumaProxyKind::ZoneEgress => "Sidecar",
        KumaProxyKind::DelegatedGateway | KumaProxyKind::BuiltinGateway => "Gateway",
    };
    let types = &target.proxy_types;
    types.is_empty() || types.iter().any(|of| of == kind)
}

/// By name and namespace, by labels, or all Dataplanes.
fn selects_dataplane(from: &KumaMeta, target: &KumaTargetRef, proxy: &KumaProxy) -> bool {
    match (&target.labels, target.name.as_deref().unwrap_or_default()) {
        (Some(labels), _) => proxy.meta.has_labels(labels),
        (None, "") => target.namespace.is_none(),
        (None, name) => is_named(from, name, target, &proxy.meta),
    }
}

/// Whether the proxy has the inbound of `sectionName`.
fn selects_section(target: &KumaTargetRef, proxy: &KumaProxy) -> bool {
    let section = target.section_name.as_deref().unwrap_or_default();
    let is_section = |inbound: &KumaInbound| {
        let name = inbound.name.as_deref();
        name == Some(section) || section.parse() == Ok(inbound.port)
    };
    section.is_empty() || proxy.inbounds.is_empty() || proxy.inbounds.iter().any(is_section)
}

/// Whether one inbound has all these tags, or the gateway, or a proxy without inbounds. `*` is any
/// value.
fn has_tags(proxy: &KumaProxy, tags: &BTreeMap<String, String>) -> bool {
    let inbound = |inbound: &KumaInbound| {
        tags.iter().all(|(key, value)| {
            let found = inbound.tags.get(key);
            found.is_some_and(|found| value == "*" || found == value)
        })
    };
    let gateway = proxy.kind != KumaProxyKind::Sidecar || proxy.inbounds.is_empty();
    let whole = || {
        tags.iter().all(|(key, value)| {
            let found = proxy.tags.get(key);
            found.is_some_and(|found| value == "*" || found.contains(value))
        })
    };
    proxy.inbounds.iter().any(inbound) || (gateway && whole())
}

/// Whether a reference from one resource names another: the namespace is that of the reference, else
/// that of its own resource.
fn is_named(from: &KumaMeta, name: &str, target: &KumaTargetRef, meta: &KumaMeta) -> bool {
    let namespace = target.namespace.as_deref().filter(|of| !of.is_empty());
    let namespace = namespace.or_else(|| from.namespace());
    (name == meta.name || name == meta.display_name())
        && namespace.is_none_or(|namespace| meta.namespace().is_none_or(|of| of == namespace))
}

/// Whether a `spec.to[].targetRef`, or a reference to a backend, selects a destination.
#[must_use]
pub fn selects_destination(
    from: &KumaMeta,
    target: &KumaTargetRef,
    destination: &KumaDestination,
) -> bool {
    let mesh = target.mesh.as_deref().filter(|mesh| !mesh.is_empty());
    if mesh.is_some_and(|mesh| mesh != from.mesh()) || from.mesh() != destination.meta.mesh() {
        return false;
    }
    let name = target.name.as_deref().unwrap_or_default();
    let kind = match destination.kind {
        _ if target.kind == "Mesh" => return true,
        KumaDestinationKind::ServiceTag => {
            let subset = target.kind == "MeshServiceSubset";
            let mut tags = target.tags.iter();
            return (target.kind == "MeshService" || subset)
                && name == destination.meta.name
                && tags.all(|(key, value)| destination.tags.get(key) == Some(value));
        }
        KumaDestinationKind::MeshService => "MeshService",
        KumaDestinationKind::MeshMultiZoneService => "MeshMultiZoneService",
        KumaDestinationKind::MeshExternalService => "MeshExternalService",
    };
    if target.kind != kind {
        return false;
    }
    let section = target.section_name.as_deref().unwrap_or_default();
    let same_section = section.is_empty() || destination.section_name.as_deref() == Some(section);
    match &target.labels {
        Some(labels) if !labels.is_empty() => same_section && destination.meta.has_labels(labels),
        _ if name.is_empty() => false,
        _ if kind == "MeshService"
            && section.is_empty()
            && is_kubernetes_tag(name, destination) =>
        {
            true
        }
        _ => {
            same_section
                && is_named(from, name, target, &destination.meta)
                && is_of_same_zone(from, destination)
        }
    }
}

/// A name means a resource of the zone of the resource that has the reference (`TargetRefToKRI`): none in another
/// zone, and for one of the global control plane none of a zone. Resources without these labels are not distinguished.
fn is_of_same_zone(from: &KumaMeta, destination: &KumaDestination) -> bool {
    let to = &destination.meta;
    match (from.zone_label(), to.zone_label()) {
        (Some(from), Some(to)) => from == to,
        (Some(_), None) => {
            destination.kind != KumaDestinationKind::MeshMultiZoneService
                && to.origin() != ResourceOrigin::Global
        }
        (None, Some(_)) => from.origin() != ResourceOrigin::Global,
        (None, None) => true,
    }
}

/// Whether a name has the form of the tag of a Kubernetes service, `name_namespace_svc_port`, and
/// names this MeshService. The port is optional.
fn is_kubernetes_tag(name: &str, destination: &KumaDestination) -> bool {
    let mut parts = name.split('_');
    let (service, namespace, svc) = (parts.next(), parts.next(), parts.next());
    let (port, end) = (parts.next(), parts.next());
    svc.is_some()
        && end.is_none()
        && service == Some(destination.meta.display_name())
        && namespace == destination.meta.namespace()
        && port.is_none_or(|port| port.parse() == Ok(destination.port))
}
