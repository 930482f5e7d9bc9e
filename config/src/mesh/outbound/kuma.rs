//! What a proxy of Kuma receives.

use alloc::{string::String, vec, vec::Vec};

use spillgate_mesh::{
    Compat,
    kuma::{KumaBackendRef, KumaHashPolicy},
};

use super::{
    MeshKind, MeshOutbound, OutboundDestination, OutboundRule, OutboundSplit,
    hashing::kuma_hash_policies, kuma_clusters::KumaClusters, kuma_policy,
};
use crate::{
    Diagnostic,
    mesh::{KumaDestinationInput, KumaInputs},
    node::quote,
};

/// The clusters and destinations of these inputs.
pub(super) fn outbound(inputs: &KumaInputs, compat: Compat) -> MeshOutbound {
    let mut clusters = KumaClusters::new(inputs, compat);
    let mut warnings = inputs.warnings.clone();
    let destinations = inputs
        .destinations
        .iter()
        .map(|input| destination(input, inputs, &mut clusters, &mut warnings));
    let destinations = destinations.collect();
    warnings.append(&mut clusters.warnings);
    MeshOutbound {
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
    warnings: &mut Vec<Diagnostic>,
) -> OutboundDestination {
    let conf = kuma_policy::conf_of(inputs, &input.destination).conf;
    let hashes = conf.hash_policies.clone().or_else(|| {
        let balancer = conf.load_balancer.as_ref()?;
        let ring = balancer.ring_hash.as_ref();
        let maglev = balancer.maglev.as_ref();
        ring.and_then(|block| block.hash_policies.clone())
            .or_else(|| maglev?.hash_policies.clone())
    });
    let hashes = hashes.unwrap_or_default();
    let mut rules = Vec::new();
    for route in &inputs.routes {
        if !kuma_policy::selects_proxy(route.target_ref.as_ref(), &inputs.proxy) {
            continue;
        }
        let matching = route
            .to
            .iter()
            .filter(|to| kuma_policy::selects(&to.target_ref, &input.destination));
        let own = kuma_policy::route_hash_policies(inputs, route);
        let own: &[KumaHashPolicy] = own.as_deref().unwrap_or(&hashes);
        for rule in matching.flat_map(|to| &to.rules) {
            let splits = splits(&rule.backend_refs, input, inputs, clusters, warnings);
            rules.push(OutboundRule {
                matches: rule.matches.clone(),
                splits,
                hash_policies: kuma_hash_policies(own),
            });
        }
    }
    if !rules.iter().any(|rule| rule.matches.is_empty()) {
        rules.push(OutboundRule {
            matches: String::new(),
            splits: vec![OutboundSplit {
                cluster: clusters.whole(input),
                weight: 1,
            }],
            hash_policies: kuma_hash_policies(&hashes),
        });
    }
    OutboundDestination {
        name: input.cluster.clone(),
        domains: domains(input, inputs),
        rules,
    }
}

/// One cluster for each entry; none keeps the destination.
fn splits(
    refs: &[KumaBackendRef],
    input: &KumaDestinationInput,
    inputs: &KumaInputs,
    clusters: &mut KumaClusters<'_>,
    warnings: &mut Vec<Diagnostic>,
) -> Vec<OutboundSplit> {
    if refs.is_empty() {
        return vec![OutboundSplit {
            cluster: clusters.whole(input),
            weight: 1,
        }];
    }
    let mut splits = Vec::new();
    for reference in refs {
        let to = &reference.target_ref;
        let port = reference.port.map(|port| alloc::format!("{port}"));
        let found = inputs.destinations.iter().find(|known| {
            let section = known.destination.section_name.as_ref();
            kuma_policy::selects(to, &known.destination)
                && (port.is_none() || section.is_none() || section == port.as_ref())
        });
        let Some(found) = found else {
            let name = to.name.clone().unwrap_or_default();
            warnings.push(
                Diagnostic::warning(
                    "mesh/unknown-backend",
                    "no document describes a backend of the route; its share answers 503",
                )
                .found(quote(&name))
                .expected("a destination with endpoints"),
            );
            splits.push(OutboundSplit {
                cluster: clusters.unknown(&name),
                weight: reference.weight,
            });
            continue;
        };
        splits.push(OutboundSplit {
            cluster: match to.tags.is_empty() {
                true => clusters.whole(found),
                false => clusters.part(found, &to.tags),
            },
            weight: reference.weight,
        });
    }
    splits
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
