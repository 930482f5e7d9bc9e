//! Subsets that no DestinationRule defines.

use alloc::{collections::BTreeSet, format, string::String};
use spillgate_core::visible::quoted;

use spillgate_config::nearest;
use spillgate_mesh::istio::{IstioRouteAction, IstioWeightedDestination, full_host};

use super::super::{context::MeshContext, names::listed, rule::MeshRule};
use crate::{finding::Severity, sink::Sink};

/// A VirtualService names a subset that no DestinationRule of the destination's host defines.
///
/// Istio creates no cluster for it, so its requests get 503. Not reported if the input has no services.
pub(in super::super) static UNDEFINED: MeshRule = MeshRule {
    id: "istio-subset-undefined",
    severity: Severity::Error,
    summary: "route to a subset that no DestinationRule defines",
    check: undefined,
};

/// Finds routes to undefined subsets.
fn undefined(context: &MeshContext<'_>, sink: &mut Sink) {
    if context.services.is_empty() {
        return;
    }
    for read in &context.documents.istio.virtual_services {
        for (index, route) in read.service.http.iter().enumerate() {
            let IstioRouteAction::Forward(destinations) = &route.action else {
                continue;
            };
            for (at, destination) in destinations.iter().enumerate() {
                let path = format!("http[{index}].route[{at}].destination.subset");
                let namespace = &read.service.namespace;
                let Some((cause, fix)) = fault(context, destination, namespace) else {
                    continue;
                };
                let effect = match destinations.as_slice() {
                    [_] => "all requests of the route get 503",
                    _ => "its share of the requests gets 503",
                };
                sink.add(&read.value_place(&path), cause, effect, fix);
            }
        }
    }
}

/// The cause and the fix, if the subset of a destination is undefined.
fn fault(
    context: &MeshContext<'_>,
    destination: &IstioWeightedDestination,
    namespace: &str,
) -> Option<(String, String)> {
    let subset = destination.subset.as_deref()?;
    let host = full_host(&destination.host, namespace);
    let rules = context
        .documents
        .istio
        .destination_rules
        .iter()
        .filter(|read| read.rule.is_for(&host) || read.rule.is_for(&destination.host));
    let defined = rules.flat_map(|read| &read.rule.subsets);
    let defined: BTreeSet<&str> = defined.map(|of| of.name.as_str()).collect();
    if defined.contains(subset) {
        return None;
    }
    let cause = if defined.is_empty() {
        format!("no DestinationRule defines subsets of {}", quoted(&host))
    } else {
        format!(
            "no DestinationRule defines the subset {} of {}; defined: {}",
            quoted(subset),
            quoted(&host),
            listed(defined.iter().copied())
        )
    };
    let fix = match nearest(subset, defined.iter().copied()) {
        Some(meant) => format!("did you mean {}?", quoted(meant)),
        None => format!(
            "add the subset {} to a DestinationRule of the host",
            quoted(subset)
        ),
    };
    Some((cause, fix))
}
