//! What a zone leaves open: the tags, the labels and the namespace of the proxy that sends the requests.

use alloc::{collections::BTreeSet, format, string::String, vec::Vec};

use spillgate_mesh::kuma::{KumaConf, KumaMeta, KumaPolicy, KumaRoute, KumaTargetRef};

use super::sources::Sources;
use crate::{
    Diagnostic,
    mesh::{assemble::point_of_view::open_in_zone, kuma::ZONE_TAG},
};

/// The limit of policies and routes that apply to some proxies of a zone only.
pub(super) fn unknown_proxy(
    policies: &[KumaPolicy],
    routes: &[KumaRoute],
    sources: &Sources<'_>,
) -> Option<Diagnostic> {
    let proxy = sources.proxy;
    let inbounds = sources.dataplanes.iter().flat_map(|of| &of.inbounds);
    let tags: BTreeSet<&str> = inbounds
        .flat_map(|inbound| inbound.tags.keys())
        .map(String::as_str)
        .filter(|key| *key != ZONE_TAG)
        .collect();
    let mut found: BTreeSet<String> = BTreeSet::new();
    for policy in policies.iter().filter(|of| of.can_select(proxy)) {
        let name = named("MeshLoadBalancingStrategy", &policy.meta);
        let target = policy.target_ref.as_ref();
        if policy.is_of_namespace() || target.is_some_and(|of| is_open(of, &proxy.zone)) {
            found.insert(name);
        } else if policy.to.iter().any(|to| has_affinity(&to.conf, &tags)) {
            found.insert(format!("affinityTags of {name}"));
        }
    }
    #[cfg(feature = "health")]
    for (kind, read) in sources.documents.kuma.health.iter() {
        let policy = &read.policy;
        let target = policy.target_ref.as_ref();
        let is_open = target.is_some_and(|of| is_open(of, &proxy.zone));
        if policy.can_select(proxy) && (policy.is_of_namespace() || is_open) {
            found.insert(named(kind, &policy.meta));
        }
    }
    let same_mesh = |of: &&KumaRoute| of.meta.mesh() == proxy.meta.mesh();
    for route in routes.iter().filter(same_mesh) {
        let target = route.target_ref.as_ref();
        if target.is_some_and(|of| is_open(of, &proxy.zone)) {
            found.insert(named("route", &route.meta));
        }
    }
    open_in_zone(
        found,
        "the zone leaves the tags, the labels and the namespace of the proxy open; showing a proxy with the tag \
         of its zone only",
    )
}

fn named(kind: &str, meta: &KumaMeta) -> String {
    format!("{kind} {}", meta.display_name())
}

/// Whether some sidecars of a zone are selected and others are not.
fn is_open(target: &KumaTargetRef, zone: &str) -> bool {
    let is_stated = |text: &Option<String>| text.as_deref().is_some_and(|text| !text.is_empty());
    let pairs = target.tags.iter().chain(target.labels.iter().flatten());
    let (of_zone, others): (Vec<_>, Vec<_>) = pairs.partition(|(key, _)| *key == ZONE_TAG);
    if of_zone
        .iter()
        .any(|(_, value)| *value != zone && *value != "*")
    {
        return false;
    }
    match target.kind.as_str() {
        "Mesh" | "MeshGateway" => false,
        "Dataplane" => {
            !others.is_empty() || is_stated(&target.name) || is_stated(&target.section_name)
        }
        "MeshSubset" => !others.is_empty(),
        _ => true,
    }
}

/// Whether hosts that share one of the tags that proxies have with the proxy get more requests.
fn has_affinity(conf: &KumaConf, known: &BTreeSet<&str>) -> bool {
    let local = conf.locality_awareness.as_ref();
    let local = local.and_then(|of| of.local_zone.as_ref());
    let tags = local.and_then(|zone| zone.affinity_tags.as_ref());
    tags.is_some_and(|tags| tags.iter().any(|tag| known.contains(tag.key.as_str())))
}
