//! The destinations that a Dataplane names: the only ones that its proxy has.

use alloc::{string::String, vec::Vec};

use spillgate_mesh::kuma::{KumaBackendRef, KumaTargetRef};

use super::tags::SERVICE_TAG;
use crate::{
    mesh::document::ResourceMeta,
    proto::{Irrelevance::Transport, Message, Report, Schema},
};

pub(super) static TRANSPARENT: Schema =
    Schema::new("transparentProxying", "reachableServices reachableBackends")
        .ignored(&[(
            Transport,
            "redirectPortInbound redirectPortOutbound directAccessServices ipFamilyMode \
             redirectPortInboundV6",
        )])
        .of("Dataplane.networking.transparentProxying");
pub(super) static REACHABLE: Schema = Schema::new("reachableBackends", "refs")
    .of("Dataplane.networking.transparentProxying.reachableBackends");
pub(super) static OUTBOUND: Schema = Schema::new("outbound", "tags backendRef")
    .ignored(&[(Transport, "address port")])
    .of("Dataplane.networking.outbound");
pub(super) static OUTBOUND_REF: Schema = Schema::new("backendRef", "kind name port labels")
    .of("Dataplane.networking.outbound.backendRef");
pub(super) static REACHABLE_REF: Schema = Schema::new("refs", "kind name namespace port labels")
    .of("Dataplane.networking.transparentProxying.reachableBackends.refs");

/// The destinations that a proxy names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NamedDestinations {
    /// Values of `kuma.io/service` (`reachableServices`, `outbound[].tags`); `None` for all.
    pub services: Option<Vec<String>>,
    /// Resources (`reachableBackends`, `outbound[].backendRef`); `None` if it names none.
    pub backends: Option<Vec<KumaBackendRef>>,
    /// Whether it names resources in a form that is not read: the annotation of a Pod.
    pub unread: bool,
}

/// Those of `networking`. A proxy without a transparent proxy has what `outbound` lists.
pub(super) fn read_named(networking: &Message<'_, '_>, report: &mut Report) -> NamedDestinations {
    let outbound = networking.messages("outbound", &OUTBOUND, report);
    let mut services = Vec::new();
    let mut backends = Vec::new();
    for one in &outbound {
        match one.message("backendRef", &OUTBOUND_REF, report) {
            Some(reference) => backends.push(backend_ref(&reference, None, report)),
            None => services.extend(one.text_map("tags", report).remove(SERVICE_TAG)),
        }
    }
    let Some(transparent) = networking.message("transparentProxying", &TRANSPARENT, report) else {
        let none = outbound.is_empty();
        return NamedDestinations {
            services: (!none).then_some(services),
            backends: (!none).then_some(backends),
            unread: false,
        };
    };
    let reachable = transparent
        .message("reachableBackends", &REACHABLE, report)
        .map(|of| {
            let refs = of.messages("refs", &REACHABLE_REF, report);
            let refs = refs.iter().map(|of| {
                let namespace = of.string("namespace", report).map(String::from);
                backend_ref(of, namespace, report)
            });
            refs.collect::<Vec<_>>()
        });
    let services = transparent.texts("reachableServices", report);
    NamedDestinations {
        services: (!services.is_empty()).then_some(services),
        backends: if backends.is_empty() {
            reachable
        } else {
            Some(backends)
        },
        unread: false,
    }
}

/// Those of a Pod, in its annotations.
pub(in crate::mesh) fn named_by_pod(meta: &ResourceMeta) -> NamedDestinations {
    let services = meta
        .annotation("kuma.io/transparent-proxying-reachable-services")
        .map(|list| {
            let names = list.split(',').filter(|name| !name.is_empty());
            names.map(String::from).collect::<Vec<_>>()
        });
    NamedDestinations {
        services: services.filter(|names| !names.is_empty()),
        backends: None,
        unread: meta.annotation("kuma.io/reachable-backends").is_some(),
    }
}

fn backend_ref(
    reference: &Message<'_, '_>,
    namespace: Option<String>,
    report: &mut Report,
) -> KumaBackendRef {
    let text = |field, report: &mut Report| reference.string(field, report).map(String::from);
    KumaBackendRef {
        target_ref: KumaTargetRef {
            kind: text("kind", report).unwrap_or_default(),
            name: text("name", report),
            namespace,
            labels: reference
                .has("labels")
                .then(|| reference.text_map("labels", report)),
            ..KumaTargetRef::default()
        },
        port: reference.port("port", report),
        ..KumaBackendRef::default()
    }
}
