//! Which policies apply to a proxy and a destination, and how they merge: field by field, the more
//! specific one last. Lists and `failoverThreshold` replace, other objects merge.

use alloc::{collections::BTreeMap, string::String, vec::Vec};

use spillgate_mesh::kuma::{
    KumaConf, KumaDestination, KumaDestinationKind as Kind, KumaHashPolicy, KumaLocalityAwareness,
    KumaMeta, KumaPolicy, KumaProxy, KumaProxyKind, KumaRoute, KumaTargetRef,
};

use crate::mesh::{KumaInputs, SERVICE_TAG};

/// A merged configuration.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct MergedConf {
    pub(super) conf: KumaConf,
    /// The names of the merged policies, least specific first.
    pub(super) policies: Vec<String>,
}

/// The configuration of a destination.
pub(super) fn conf_of(inputs: &KumaInputs, destination: &KumaDestination) -> MergedConf {
    let mut entries: Vec<_> = inputs
        .policies
        .iter()
        .filter(|policy| selects_proxy(policy.target_ref.as_ref(), &inputs.proxy))
        .flat_map(|policy| policy.to.iter().map(move |to| (policy, to)))
        .filter(|(_, to)| selects(&to.target_ref, destination))
        .collect();
    entries.sort_by_key(|(policy, to)| (rank(policy), to_rank(&to.target_ref)));
    let mut merged = MergedConf::default();
    for (policy, to) in entries {
        if !merged.policies.contains(&policy.meta.name) {
            merged.policies.push(policy.meta.name.clone());
        }
        merge(&mut merged.conf, &to.conf);
    }
    merged
}

/// The hash policies of a policy for this route.
pub(super) fn route_hash_policies(
    inputs: &KumaInputs,
    route: &KumaRoute,
) -> Option<Vec<KumaHashPolicy>> {
    let mut policies = inputs.policies.iter();
    policies.find_map(|policy| {
        let mut entries = policy.to.iter().filter(|to| {
            to.target_ref.kind == "MeshHTTPRoute" && names(&to.target_ref, &route.meta)
        });
        entries.find_map(|to| to.conf.hash_policies.clone())
    })
}

fn merge(into: &mut KumaConf, from: &KumaConf) {
    if let Some(locality) = &from.locality_awareness {
        let known = into.locality_awareness.get_or_insert_default();
        merge_locality(known, locality);
    }
    if from.load_balancer.is_some() {
        into.load_balancer.clone_from(&from.load_balancer);
    }
    if from.hash_policies.is_some() {
        into.hash_policies.clone_from(&from.hash_policies);
    }
}

fn merge_locality(into: &mut KumaLocalityAwareness, from: &KumaLocalityAwareness) {
    into.disabled = from.disabled.or(into.disabled);
    if let Some(zone) = &from.local_zone {
        let known = into.local_zone.get_or_insert_default();
        if zone.affinity_tags.is_some() {
            known.affinity_tags.clone_from(&zone.affinity_tags);
        }
    }
    if let Some(cross) = &from.cross_zone {
        let known = into.cross_zone.get_or_insert_default();
        if cross.failover.is_some() {
            known.failover.clone_from(&cross.failover);
        }
        if cross.failover_threshold.is_some() {
            known
                .failover_threshold
                .clone_from(&cross.failover_threshold);
        }
    }
}

/// The order of policies: the reference to proxies, then the origin, the role and the name; the
/// alphabetically first name is last, which wins.
fn rank(policy: &KumaPolicy) -> (usize, bool, usize, core::cmp::Reverse<String>) {
    const KINDS: [&str; 6] = [
        "Mesh",
        "MeshSubset",
        "MeshGateway",
        "MeshService",
        "MeshServiceSubset",
        "Dataplane",
    ];
    const ROLES: [&str; 4] = ["system", "producer", "consumer", "workload-owner"];
    let place = |list: &[&str], name: &str| list.iter().position(|of| *of == name).unwrap_or(0);
    let target = policy.target_ref.as_ref();
    let kind = target.map_or(0, |of| {
        let narrow = usize::from(of.section_name.is_some()) + usize::from(of.name.is_some());
        place(&KINDS, &of.kind) * 4 + narrow
    });
    let label = |key: &str| policy.meta.labels.get(key).map_or("", String::as_str);
    (
        kind,
        label("kuma.io/origin") == "zone",
        place(&ROLES, label("kuma.io/policy-role")),
        core::cmp::Reverse(policy.meta.name.clone()),
    )
}

/// The order of destinations: the whole mesh, resources, ports.
fn to_rank(target: &KumaTargetRef) -> usize {
    match (target.kind.as_str(), &target.section_name) {
        ("Mesh", _) => 0,
        (_, None) => 1,
        _ => 2,
    }
}

/// Whether a reference to proxies selects this one.
pub(super) fn selects_proxy(target: Option<&KumaTargetRef>, proxy: &KumaProxy) -> bool {
    let Some(target) = target else {
        return true;
    };
    let kind = match proxy.kind {
        KumaProxyKind::Sidecar => "Sidecar",
        _ => "Gateway",
    };
    if !target.proxy_types.is_empty() && !target.proxy_types.iter().any(|of| of == kind) {
        return false;
    }
    let tagged = |tags: &BTreeMap<String, String>| match proxy.inbounds.is_empty() {
        true => tags.iter().all(|(key, value)| {
            let own = proxy.tags.get(key);
            own.is_some_and(|own| own.contains(value))
                || (key == "kuma.io/zone" && *value == proxy.zone)
        }),
        false => proxy.inbounds.iter().any(|inbound| {
            tags.iter()
                .all(|(key, value)| inbound.tags.get(key) == Some(value))
        }),
    };
    let of_service = || {
        let values = proxy.tags.get(SERVICE_TAG);
        values
            .zip(target.name.as_ref())
            .is_some_and(|(values, name)| values.contains(name))
    };
    match target.kind.as_str() {
        "Mesh" | "" => proxy.kind != KumaProxyKind::ZoneEgress || target.proxy_types.is_empty(),
        "MeshSubset" => tagged(&target.tags),
        "MeshService" => of_service(),
        "MeshServiceSubset" => of_service() && tagged(&target.tags),
        "Dataplane" => names(target, &proxy.meta) && tagged(&target.tags),
        _ => false,
    }
}

/// Whether a reference to destinations selects this one.
pub(super) fn selects(target: &KumaTargetRef, destination: &KumaDestination) -> bool {
    let named = match target.kind.as_str() {
        "Mesh" | "" => return true,
        "MeshService" | "MeshServiceSubset" => match destination.kind {
            Kind::ServiceTag | Kind::MeshService => true,
            Kind::MeshMultiZoneService | Kind::MeshExternalService => false,
        },
        "MeshMultiZoneService" => destination.kind == Kind::MeshMultiZoneService,
        "MeshExternalService" => destination.kind == Kind::MeshExternalService,
        _ => false,
    };
    let section = match (&target.section_name, &destination.section_name) {
        (Some(wanted), Some(own)) => wanted == own,
        _ => true,
    };
    named && section && names(target, &destination.meta)
}

/// Whether name, namespace and labels of a reference are those of a resource.
fn names(target: &KumaTargetRef, meta: &KumaMeta) -> bool {
    let shown = meta.labels.get("kuma.io/display-name");
    let name = target
        .name
        .as_ref()
        .is_none_or(|name| *name == meta.name || Some(name) == shown);
    let namespace = match (&target.namespace, &meta.namespace) {
        (Some(wanted), Some(own)) => wanted == own,
        _ => true,
    };
    let labels = target.labels.iter().flatten().all(|(key, value)| {
        meta.labels.get(key) == Some(value)
            || (key == "kuma.io/display-name" && *value == meta.name)
    });
    name && namespace && labels
}
