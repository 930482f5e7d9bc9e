//! The backends of a route, as Kuma resolves them (`makeSplits` in `meshroute/listeners.go`).

use alloc::{string::ToString as _, vec, vec::Vec};

use spillgate_mesh::kuma::{
    KumaBackendRef, KumaDestinationKind, KumaRoute, KumaRouteKind, selects_destination,
};

use super::{OutboundSplit, kuma_clusters::KumaClusters, once::push_once};
use crate::{Diagnostic, mesh::KumaDestinationInput, node::quote};

/// One cluster for each backend; no backend keeps the destination. Kuma leaves out the backends that
/// nothing describes, and a rule that has no other ones (`None`).
pub(super) fn splits(
    route: &KumaRoute,
    refs: &[KumaBackendRef],
    is_default: bool,
    input: &KumaDestinationInput,
    clusters: &mut KumaClusters<'_>,
) -> Option<Vec<OutboundSplit>> {
    if refs.is_empty() {
        return Some(vec![OutboundSplit::new(clusters.whole(input), 1)]);
    }
    let mut splits = Vec::new();
    let mut left_out = Vec::new();
    for reference in refs {
        let name = reference.target_ref.name.as_deref().unwrap_or_default();
        let known = cluster_of(route, reference, clusters);
        if known.is_none() && !keeps_unknown(route, reference) {
            left_out.push(name);
            continue;
        }
        let cluster = known.unwrap_or_else(|| {
            warn(name, "its share finds no host", clusters);
            clusters.missing(name)
        });
        splits.push(OutboundSplit::new(cluster, reference.weight));
    }
    let effect = match (splits.is_empty(), is_default) {
        (false, _) => "its share goes to the other backends",
        (true, false) => "Kuma leaves the rule out",
        (true, true) => "its requests find no host",
    };
    for name in &left_out {
        warn(name, effect, clusters);
    }
    if let Some(name) = left_out.first().filter(|_| splits.is_empty() && is_default) {
        splits.push(OutboundSplit::new(clusters.missing(name), 1));
    }
    (!splits.is_empty()).then_some(splits)
}

/// One cluster for each backend of a rule of a built-in gateway. Requests to a resource that nothing
/// describes get 500 (`makeHttpRouteEntry` in `gateway_routes.go`).
pub(super) fn gateway_splits(
    route: &KumaRoute,
    refs: &[KumaBackendRef],
    clusters: &mut KumaClusters<'_>,
) -> Vec<OutboundSplit> {
    let mut splits = Vec::new();
    for reference in refs {
        let cluster = cluster_of(route, reference, clusters).unwrap_or_else(|| {
            let name = reference.target_ref.name.as_deref().unwrap_or_default();
            let effect = match (is_resource(reference), route.kind) {
                (true, KumaRouteKind::Http) => "its share gets 500",
                (true, KumaRouteKind::Tcp) => "its connections are closed",
                (false, _) => "its share finds no host",
            };
            warn(name, effect, clusters);
            if is_resource(reference) {
                clusters.nonexistent(UNRESOLVED)
            } else {
                clusters.missing(name)
            }
        });
        splits.push(OutboundSplit::new(cluster, reference.weight));
    }
    // A single backend has all requests.
    if let [only] = splits.as_mut_slice() {
        only.weight = only.weight.max(1);
    }
    splits
}

/// The cluster that Kuma names instead of a backend that it does not find.
const UNRESOLVED: &str = "kuma.io/unresolved-backend";

fn warn(name: &str, effect: &str, clusters: &mut KumaClusters<'_>) {
    let warning = Diagnostic::warning(
        "mesh/unknown-backend",
        alloc::format!("no document describes a backend of the route; {effect}"),
    )
    .found(quote(name));
    push_once(
        &mut clusters.warnings,
        warning.expected("a destination with endpoints"),
    );
}

/// Whether a reference is one to a resource, and not to a value of `kuma.io/service`.
fn is_resource(reference: &KumaBackendRef) -> bool {
    let target = &reference.target_ref;
    match target.kind.as_str() {
        "MeshService" => {
            let section = target.section_name.as_deref().unwrap_or_default();
            !section.is_empty() || reference.port.is_some()
        }
        "MeshServiceSubset" | "" => false,
        _ => true,
    }
}

/// Whether an unknown backend has a cluster: a MeshTCPRoute does not need its protocol.
fn keeps_unknown(route: &KumaRoute, reference: &KumaBackendRef) -> bool {
    route.kind == KumaRouteKind::Tcp && !is_resource(reference)
}

/// The cluster of a backend.
fn cluster_of(
    route: &KumaRoute,
    reference: &KumaBackendRef,
    clusters: &mut KumaClusters<'_>,
) -> Option<usize> {
    // Tags select endpoints of the service.
    let mut target = reference.target_ref.clone();
    let tags = core::mem::take(&mut target.tags);
    if target.kind == "MeshServiceSubset" {
        target.kind = "MeshService".into();
    }
    // Kuma looks for the port by its name, then by its number.
    let section = target
        .section_name
        .take()
        .filter(|of| !of.is_empty())
        .or_else(|| reference.port.map(|port| port.to_string()));
    let resource = is_resource(reference);
    let mut known = clusters.inputs.destinations.iter();
    let found = known.find(|known| {
        let of = &known.destination;
        (of.kind != KumaDestinationKind::ServiceTag) == resource
            && selects_destination(&route.meta, &target, of)
            && (!resource || section.as_deref().is_none_or(|name| known.has_port(name)))
    })?;
    Some(if tags.is_empty() {
        clusters.whole(found)
    } else {
        clusters.part(found, &tags)
    })
}
