//! `distribute` and endpoints without a locality.

use alloc::{collections::BTreeMap, format, string::String, vec::Vec};

use spillgate_config::mesh::IstioServiceInput;
use spillgate_core::model::Policy;
use spillgate_mesh::istio::{
    IstioDistribute, IstioEndpoint, IstioResolution, locality_matches, parse_locality,
};

use super::{
    super::{
        context::MeshContext,
        names::listed,
        rule::MeshRule,
        setting::{IstioSettingAt, SettingSource},
    },
    views::concrete,
};
use crate::{figures::counted, finding::Severity, sink::Sink};

/// `distribute` removes endpoints because they have no locality: no target matches it. Often they are
/// those of a ServiceEntry, or of a Service without Pods.
///
/// The endpoints get no requests from proxies of the entry; a service without other endpoints answers
/// 503.
pub(in super::super) static UNLOCATED: MeshRule = MeshRule {
    id: "istio-distribute-unlocated",
    severity: Severity::Warning,
    summary: "distribute removes endpoints that have no locality",
    check: unlocated,
};

/// The endpoints of a host that one entry removes.
struct Removed {
    lost: usize,
    all: usize,
}

/// Finds endpoints without a locality.
fn unlocated(context: &MeshContext<'_>, sink: &mut Sink) {
    let known = context.localities();
    for at in &context.settings {
        let mut removed: BTreeMap<&str, Removed> = BTreeMap::new();
        let mut from: Vec<String> = Vec::new();
        for (index, entry) in at.setting.distribute.iter().enumerate() {
            let first = |locality: &str| entry_of(at, locality) == Some(index);
            let own = known.iter().copied().find(|locality| first(locality));
            // Without known proxies: any that the entry is for.
            let own = own.map_or_else(|| concrete(&entry.from), String::from);
            if !first(&own) {
                continue;
            }
            let before = removed.len();
            for service in at.services(&context.services) {
                if let Some(found) = removed_from(context, at, service, &own) {
                    let host = service.service.host.as_str();
                    let known = removed.entry(host).or_insert(Removed { lost: 0, all: 0 });
                    if found.lost > known.lost {
                        *known = found;
                    }
                }
            }
            if removed.len() > before {
                from.push(entry.from.clone());
            }
        }
        if removed.is_empty() {
            continue;
        }
        let whole = |of: &Removed| of.lost == of.all;
        let names = |wanted: bool| {
            let names = removed.iter().filter(move |(_, of)| whole(of) == wanted);
            names.map(|(host, _)| *host)
        };
        let lost: usize = removed.values().map(|of| of.lost).sum();
        let reason = match lost {
            1 => "it has no locality",
            _ => "they have no locality",
        };
        let cause = format!(
            "distribute removes {} of {}, because {reason}",
            counted(lost, "endpoint"),
            listed(removed.keys().copied())
        );
        let from = listed(from.iter().map(String::as_str));
        let effect = match (names(true).next(), names(false).next()) {
            (Some(_), None) => format!("requests from {from} to {} get 503", listed(names(true))),
            (Some(_), Some(_)) => format!(
                "requests from {from} to {} get 503; those to {} go to their other endpoints",
                listed(names(true)),
                listed(names(false))
            ),
            (None, _) => format!("requests from {from} go to the other endpoints only"),
        };
        let fix = match at.source {
            SettingSource::Mesh(_) => {
                "give the endpoints a locality, or set localityLbSetting.enabled: false in a DestinationRule for \
                 these hosts"
            }
            SettingSource::Rule(..) => {
                "give the endpoints a locality, or use failover instead of distribute"
            }
        };
        sink.add(&at.place("distribute"), cause, effect, fix);
    }
}

/// The number of the entry for proxies in a locality: the first one that matches.
pub(super) fn entry_of(at: &IstioSettingAt<'_>, locality: &str) -> Option<usize> {
    let locality = parse_locality(locality);
    let mut entries = at.setting.distribute.iter();
    entries.position(|entry: &IstioDistribute| locality_matches(&locality, &entry.from))
}

/// The endpoints without a locality that proxies in a locality lose.
fn removed_from(
    context: &MeshContext<'_>,
    at: &IstioSettingAt<'_>,
    service: &IstioServiceInput,
    from: &str,
) -> Option<Removed> {
    let endpoints = &service.endpoints;
    let none = |endpoint: &IstioEndpoint| is_unlocated(context, endpoint);
    if service.service.resolution == IstioResolution::Passthrough || !endpoints.iter().any(none) {
        return None;
    }
    let sight = at.applied().view(from, endpoints, Policy::RoundRobin);
    let dropped = sight.assignment.dropped.iter();
    let dropped = dropped.filter_map(|dropped| endpoints.get(dropped.endpoint));
    // Endpoints of other localities are left out on purpose.
    let lost = dropped.filter(|endpoint| none(endpoint)).count();
    let all = if sight.assignment.groups.is_empty() {
        lost
    } else {
        endpoints.len()
    };
    (lost > 0).then_some(Removed { lost, all })
}

/// Whether an endpoint has no locality, instead of that of a Node that the input lacks.
fn is_unlocated(context: &MeshContext<'_>, endpoint: &IstioEndpoint) -> bool {
    let node = endpoint.labels.get("kubernetes.io/hostname");
    let mut nodes = context.documents.kube.nodes.iter();
    endpoint.locality.is_empty()
        && node.is_none_or(|node| nodes.any(|known| known.meta.name == *node))
}
