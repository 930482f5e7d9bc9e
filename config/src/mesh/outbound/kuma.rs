//! What a proxy of Kuma receives.

use alloc::{
    string::{String, ToString as _},
    vec,
    vec::Vec,
};

use spillgate_core::model::LocalInfo;
use spillgate_mesh::{
    Compat,
    kuma::{
        KumaBackendRef, KumaEffectiveConf, KumaMeta, effective_conf, effective_route_conf,
        route_splits, selects_destination,
    },
};

use super::{
    MeshKind, MeshOutbound, OutboundDestination, OutboundRule, OutboundSplit,
    hashing::kuma_hash_policies, kuma_clusters::KumaClusters,
};
use crate::mesh::{KumaDestinationInput, KumaInputs};

/// The clusters and destinations of these inputs.
pub(super) fn outbound(inputs: &KumaInputs, compat: Compat) -> MeshOutbound {
    let mut clusters = KumaClusters::new(inputs, compat);
    let mut warnings = inputs.warnings.clone();
    let destinations = inputs
        .destinations
        .iter()
        .map(|input| destination(input, inputs, &mut clusters));
    let destinations = destinations.collect();
    warnings.append(&mut clusters.warnings);
    MeshOutbound {
        local: LocalInfo::default(),
        mesh: MeshKind::Kuma,
        zone: inputs.proxy.zone.clone(),
        clusters: clusters.clusters,
        destinations,
        warnings,
    }
}

fn destination(
    input: &KumaDestinationInput,
    inputs: &KumaInputs,
    clusters: &mut KumaClusters<'_>,
) -> OutboundDestination {
    let (policies, proxy) = (&inputs.policies, &inputs.proxy);
    let found = effective_conf(policies, proxy, &input.destination);
    let hashes = |found: Option<KumaEffectiveConf>| {
        let conf = found.map(|found| found.conf).unwrap_or_default();
        kuma_hash_policies(conf.hash_policies_in_use())
    };
    let of_service = hashes(found);
    let mut rules = Vec::new();
    for split in route_splits(&inputs.routes, proxy, &input.destination) {
        let Some(route) = inputs.routes.get(split.route) else {
            continue;
        };
        let to = route.to.get(split.to);
        let rule = to.and_then(|to| to.rules.get(split.rule));
        let own = effective_route_conf(policies, proxy, &route.meta);
        rules.push(OutboundRule {
            matches: rule.map(|rule| rule.matches.clone()).unwrap_or_default(),
            requests: Vec::new(),
            responds: None,
            splits: splits(&route.meta, split.backends, input, clusters),
            hash_policies: match own {
                Some(own) => hashes(Some(own)),
                None => of_service.clone(),
            },
            ..OutboundRule::default()
        });
    }
    if !rules.iter().any(|rule| rule.matches.is_empty()) {
        rules.push(OutboundRule {
            splits: vec![OutboundSplit::new(clusters.whole(input), 1)],
            hash_policies: of_service,
            ..OutboundRule::default()
        });
    }
    OutboundDestination {
        name: input.cluster.clone(),
        listener: String::new(),
        domains: domains(input, inputs),
        rules,
    }
}

/// One cluster for each entry; none keeps the destination.
fn splits(
    route: &KumaMeta,
    refs: &[KumaBackendRef],
    input: &KumaDestinationInput,
    clusters: &mut KumaClusters<'_>,
) -> Vec<OutboundSplit> {
    if refs.is_empty() {
        return vec![OutboundSplit::new(clusters.whole(input), 1)];
    }
    refs.iter()
        .map(|reference| {
            let cluster = backend(route, reference, clusters);
            OutboundSplit::new(cluster, reference.weight)
        })
        .collect()
}

/// The cluster of a backend.
fn backend(route: &KumaMeta, reference: &KumaBackendRef, clusters: &mut KumaClusters<'_>) -> usize {
    // Tags select endpoints of the service.
    let mut target = reference.target_ref.clone();
    let tags = core::mem::take(&mut target.tags);
    if target.kind == "MeshServiceSubset" {
        target.kind = "MeshService".into();
    }
    let port = reference.port.map(|port| port.to_string());
    let mut known = clusters.inputs.destinations.iter();
    let found = known.find(|known| {
        let section = known.destination.section_name.as_ref();
        selects_destination(route, &target, &known.destination)
            && (port.is_none() || section.is_none() || section == port.as_ref())
    });
    match found {
        Some(found) if tags.is_empty() => clusters.whole(found),
        Some(found) => clusters.part(found, &tags),
        None => clusters.unknown(&target.name.unwrap_or_default()),
    }
}

/// The cluster name, and the name that the author gave if no other destination has it.
fn domains(input: &KumaDestinationInput, inputs: &KumaInputs) -> Vec<String> {
    let name = |input: &KumaDestinationInput| -> String {
        let meta = &input.destination.meta;
        let shown = meta.labels.get("kuma.io/display-name");
        shown.unwrap_or(&meta.name).clone()
    };
    let own = name(input);
    let others = inputs
        .destinations
        .iter()
        .filter(|other| name(other) == own);
    let mut domains = vec![input.cluster.clone()];
    if others.count() == 1 && own != input.cluster && !own.is_empty() {
        domains.push(own);
    }
    domains
}
