//! A proxy that names its destinations has no other ones (`resolveVIPOutbounds`).

use alloc::vec::Vec;

use spillgate_mesh::kuma::{KumaBackendRef, KumaDestinationKind, KumaProxy, selects_destination};

use super::sources::{KumaDestinationInput, Sources};
use crate::{
    Affects, Diagnostic,
    mesh::{
        assemble::point_of_view::PointOfView,
        document::ResourceMeta,
        kuma::{MeshServicesMode, NamedDestinations, ZONE_TAG, named_by_pod},
        read::MeshDocuments,
    },
    node::quote,
};

const CODE: &str = "mesh/reachable";

/// What the proxy of a point of view names; `None` for any proxy of a zone.
pub(super) fn named_of(
    documents: &MeshDocuments,
    view: &PointOfView,
    proxy: &KumaProxy,
) -> Option<NamedDestinations> {
    let known = match view {
        PointOfView::Zone(_) | PointOfView::Gateway(_) => return None,
        PointOfView::Name(_) => documents,
        PointOfView::Documents(own) => own,
    };
    let is_own = |meta: &ResourceMeta| meta.name == proxy.meta.name && meta.mesh == proxy.meta.mesh;
    let mut dataplanes = known.kuma.dataplanes.iter();
    if let Some(own) = dataplanes.find(|of| is_own(&of.meta)) {
        return Some(own.named.clone());
    }
    let own = known.kube.pods.iter().find(|pod| is_own(&pod.meta));
    own.map(|pod| named_by_pod(&pod.meta))
}

/// Removes the destinations that the proxy does not name. In mode `ReachableBackends`, a proxy that
/// names no resources has none.
pub(super) fn keep_named(
    sources: &Sources<'_>,
    destinations: &mut Vec<KumaDestinationInput>,
) -> Vec<Diagnostic> {
    let required = sources.mode == MeshServicesMode::ReachableBackends;
    let has_resources = !destinations.iter().all(is_tag);
    let Some(named) = &sources.named else {
        let limit = "only proxies with reachableBackends have MeshServices (meshServices.mode); \
                     showing all";
        return if required && has_resources {
            Vec::from([Diagnostic::limit(CODE, limit, Affects::Everything)])
        } else {
            Vec::new()
        };
    };
    if named.unread {
        let limit = "the annotation kuma.io/reachable-backends is not read; showing all";
        return Vec::from([Diagnostic::limit(CODE, limit, Affects::Everything)]);
    }
    let mut found = Vec::new();
    if let Some(services) = &named.services {
        for name in services {
            let known = destinations
                .iter()
                .any(|of| is_tag(of) && of.cluster == *name);
            if !known && sources.mode != MeshServicesMode::Exclusive {
                found.push(unknown(name));
            }
        }
        destinations.retain(|of| !is_tag(of) || services.contains(&of.cluster));
    }
    let without = match &named.backends {
        Some(refs) => {
            let mut kept: Vec<bool> = destinations.iter().map(is_tag).collect();
            for reference in refs {
                if !keep_selected(reference, sources, destinations, &mut kept) {
                    found.push(unknown(
                        reference.target_ref.name.as_deref().unwrap_or("labels"),
                    ));
                }
            }
            let mut kept = kept.into_iter();
            destinations.retain(|_| kept.next().unwrap_or(true));
            None
        }
        None if required => Some(
            "the proxy has no reachableBackends, so MeshServices are no destinations \
             (meshServices.mode: ReachableBackends)",
        ),
        None if named.services.is_some() => Some(
            "the proxy has reachableServices and no reachableBackends, so MeshServices are no \
             destinations",
        ),
        None => None,
    };
    if let Some(warning) = without.filter(|_| has_resources) {
        destinations.retain(is_tag);
        found.push(Diagnostic::warning(CODE, warning).expected("reachableBackends"));
    }
    found
}

fn is_tag(input: &KumaDestinationInput) -> bool {
    input.destination.kind == KumaDestinationKind::ServiceTag
}

fn unknown(name: &str) -> Diagnostic {
    let warning = "the proxy names a destination that no document describes";
    Diagnostic::warning(CODE, warning).found(quote(name))
}

/// Marks the destinations of a reference; whether there are any. A port that a resource does not have
/// selects all of its ports (`GetReachableBackends`).
fn keep_selected(
    reference: &KumaBackendRef,
    sources: &Sources<'_>,
    destinations: &[KumaDestinationInput],
    kept: &mut [bool],
) -> bool {
    let target = &reference.target_ref;
    let by_labels = target.labels.as_ref().is_some_and(|of| !of.is_empty());
    let selected = |input: &KumaDestinationInput| {
        // A name is one of the proxy's zone.
        let of = &input.destination;
        let zone = of.meta.labels.get(ZONE_TAG);
        let same = match of.kind {
            KumaDestinationKind::MeshMultiZoneService => zone.is_some() || sources.zone.is_empty(),
            _ => zone.is_none_or(|zone| zone == sources.zone),
        };
        !is_tag(input)
            && (by_labels || same)
            && selects_destination(&sources.proxy.meta, target, of)
    };
    let port = reference.port.map(|port| alloc::format!("{port}"));
    let has_port =
        |input: &KumaDestinationInput| port.as_deref().is_some_and(|port| input.has_port(port));
    let any = destinations.iter().any(|of| selected(of) && has_port(of));
    let mut some = false;
    for (input, kept) in destinations.iter().zip(kept) {
        if selected(input) && (!any || has_port(input)) {
            *kept = true;
            some = true;
        }
    }
    some
}
