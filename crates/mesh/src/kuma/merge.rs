//! Several policies for one proxy and destination, merged (`outbound/resourcerules.go`, `rules.go`,
//! `merge.go`).

use alloc::vec::Vec;
use core::cmp::Reverse;

use super::{
    KumaConf, KumaCrossZone, KumaDestination, KumaDestinationKind, KumaHashPolicy,
    KumaLeastRequest, KumaLoadBalancer, KumaLocalZone, KumaLocalityAwareness, KumaMaglev, KumaMeta,
    KumaPolicy, KumaProxy, KumaRingHash, KumaTargetRef, KumaTo, select::selects_destination,
};

/// The merged configuration, and the entries that it comes from.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct KumaEffectiveConf<C = KumaConf> {
    /// The configuration.
    pub conf: C,
    /// The entries, the weakest first. Each replaces the fields of those before it.
    pub origins: Vec<KumaOrigin>,
}

/// The configuration of a kind of policy, of which several apply to one destination.
pub trait KumaMerge: Clone {
    /// Applies a stronger configuration over this one: fields merge, and lists are replaced as a whole.
    fn merge(&mut self, over: &Self);
}

/// An entry of `spec.to` of a policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KumaOrigin {
    /// The index of the policy.
    pub policy: usize,
    /// The index in `spec.to`.
    pub to: usize,
}

/// The configuration of a destination for a proxy; `None` if no policy applies.
///
/// The entry with the more specific `spec.targetRef` is stronger: `Mesh`, `Dataplane`, `MeshSubset`,
/// `MeshGateway`, `MeshService`, `MeshServiceSubset`, in this order. Among equals, policies of a zone
/// are stronger than those of the global control plane, then the role decides (system, producer,
/// consumer, workload owner), then for resources the kind of `to` and its section, then the
/// alphabetically first name. Fields merge; lists and `failoverThreshold` are replaced as a whole.
///
/// # Examples
/// ```
/// use spillgate_mesh::kuma::*;
///
/// let mesh = KumaTargetRef {
///     kind: "Mesh".into(),
///     ..KumaTargetRef::default()
/// };
/// let policy = |name: &str, balancer: &str| KumaPolicy {
///     meta: KumaMeta {
///         name: name.into(),
///         ..KumaMeta::default()
///     },
///     target_ref: None,
///     to: vec![KumaTo {
///         target_ref: mesh.clone(),
///         conf: KumaConf {
///             load_balancer: Some(KumaLoadBalancer {
///                 kind: balancer.into(),
///                 ..KumaLoadBalancer::default()
///             }),
///             ..KumaConf::default()
///         },
///     }],
/// };
/// let policies = [policy("a", "Random"), policy("b", "Maglev")];
/// let found = effective_conf(&policies, &KumaProxy::new("zone-1"), &KumaDestination::default());
/// assert_eq!(found.unwrap().conf.load_balancer.unwrap().kind, "Random");
/// ```
#[must_use]
pub fn effective_conf<C: KumaMerge>(
    policies: &[KumaPolicy<C>],
    proxy: &KumaProxy,
    destination: &KumaDestination,
) -> Option<KumaEffectiveConf<C>> {
    let by_tag = destination.kind == KumaDestinationKind::ServiceTag;
    let order = if by_tag {
        EntryOrder::ByPolicy
    } else {
        EntryOrder::ByResource
    };
    merged(policies, proxy, order, |from, target| {
        selects_destination(from, target, destination)
    })
}

/// The configuration of a MeshHTTPRoute; `None` if no policy names the route, so that the configuration of its
/// destination applies. A MeshLoadBalancingStrategy has only hash policies for routes.
#[must_use]
pub fn effective_route_conf<C: KumaMerge>(
    policies: &[KumaPolicy<C>],
    proxy: &KumaProxy,
    route: &KumaMeta,
) -> Option<KumaEffectiveConf<C>> {
    let names_route = |from: &KumaMeta, target: &KumaTargetRef| {
        let labels = target.labels.as_ref().filter(|labels| !labels.is_empty());
        let name = target.name.as_deref().unwrap_or_default();
        target.kind == "MeshHTTPRoute"
            && from.mesh() == route.mesh()
            && match labels {
                Some(labels) => route.has_labels(labels),
                None => !name.is_empty() && (name == route.name || name == route.display_name()),
            }
    };
    let mut named = false;
    let found = merged(policies, proxy, EntryOrder::ByResource, |from, target| {
        let this = names_route(from, target);
        named |= this;
        this || (target.kind == "Mesh" && from.mesh() == route.mesh())
    });
    found.filter(|_| named)
}

/// What decides among entries of equally strong policies.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum EntryOrder {
    /// The name of the policy, then the position of the entry.
    ByPolicy,
    /// The kind of the destination and its section, then the name of the policy.
    ByResource,
}

fn merged<C: KumaMerge>(
    policies: &[KumaPolicy<C>],
    proxy: &KumaProxy,
    order: EntryOrder,
    mut applies: impl FnMut(&KumaMeta, &KumaTargetRef) -> bool,
) -> Option<KumaEffectiveConf<C>> {
    let mut entries = Vec::new();
    for (index, policy) in policies.iter().enumerate() {
        let mut targets = policy.to.iter().map(|to| &to.target_ref);
        // `legacyBuildToRules` leaves out the whole policy.
        let is_left_out =
            order == EntryOrder::ByPolicy && targets.any(|of| of.kind == "MeshHTTPRoute");
        if is_left_out || !policy.selects(proxy) {
            continue;
        }
        for (to, entry) in policy.to.iter().enumerate() {
            if applies(&policy.meta, &entry.target_ref) {
                entries.push((KumaOrigin { policy: index, to }, policy, entry));
            }
        }
    }
    combined(entries, order)
}

/// Merges entries, the weakest first; `None` without entries.
pub(super) fn combined<C: KumaMerge>(
    mut entries: Vec<(KumaOrigin, &KumaPolicy<C>, &KumaTo<C>)>,
    order: EntryOrder,
) -> Option<KumaEffectiveConf<C>> {
    entries.sort_by_cached_key(|(origin, policy, entry)| {
        let top = policy.target_ref.as_ref();
        let named = |target: &KumaTargetRef| target.name.is_some();
        let section = |target: &KumaTargetRef| {
            let name = target.section_name.as_deref();
            name.is_some_and(|name| !name.is_empty())
        };
        let dataplane = top.filter(|target| target.kind == "Dataplane");
        let resource = (
            kind_order(&entry.target_ref.kind),
            section(&entry.target_ref),
        );
        (
            kind_order(top.map_or("Mesh", |target| target.kind.as_str())),
            dataplane.map(|target| (named(target), section(target))),
            policy.meta.origin(),
            policy.role(),
            (order == EntryOrder::ByResource).then_some(resource),
            Reverse(policy.meta.display_name()),
            *origin,
        )
    });
    let (first, _, conf) = entries.first()?;
    let mut effective = KumaEffectiveConf {
        conf: conf.conf.clone(),
        origins: [*first].into(),
    };
    for (origin, _, entry) in entries.iter().skip(1) {
        effective.conf.merge(&entry.conf);
        effective.origins.push(*origin);
    }
    Some(effective)
}

/// The strength of a kind (`targetref.go`).
fn kind_order(kind: &str) -> usize {
    let kinds = [
        "Mesh",
        "Dataplane",
        "MeshSubset",
        "MeshGateway",
        "MeshService",
        "MeshExternalService",
        "MeshMultiZoneService",
        "MeshServiceSubset",
        "MeshHTTPRoute",
    ];
    kinds
        .iter()
        .position(|known| *known == kind)
        .map_or(0, |at| at + 1)
}

/// Replaces a value if the other one is set.
fn replace<T: Clone>(value: &mut Option<T>, over: &Option<T>) {
    if over.is_some() {
        value.clone_from(over);
    }
}

/// Merges a block if both are set, else takes the one that is.
fn merge_block<T: Clone>(value: &mut Option<T>, over: &Option<T>, merge: impl Fn(&mut T, &T)) {
    match (value.as_mut(), over) {
        (Some(value), Some(over)) => merge(value, over),
        (None, Some(over)) => *value = Some(over.clone()),
        (_, None) => {}
    }
}

// === impl KumaConf ===

impl KumaMerge for KumaConf {
    fn merge(&mut self, over: &Self) {
        merge_block(
            &mut self.locality_awareness,
            &over.locality_awareness,
            KumaLocalityAwareness::merge,
        );
        merge_block(
            &mut self.load_balancer,
            &over.load_balancer,
            KumaLoadBalancer::merge,
        );
        replace(&mut self.hash_policies, &over.hash_policies);
    }
}

impl KumaConf {
    /// The hash policies that apply: `hashPolicies`, else those in the block of the load balancer
    /// type, as Kuma 2.x reads them (`getHashPolicies`).
    #[must_use]
    pub fn hash_policies_in_use(&self) -> &[KumaHashPolicy] {
        let of_block = || {
            let balancer = self.load_balancer.as_ref()?;
            match balancer.kind.as_str() {
                "RingHash" => balancer.ring_hash.as_ref()?.hash_policies.as_deref(),
                "Maglev" => balancer.maglev.as_ref()?.hash_policies.as_deref(),
                _ => None,
            }
        };
        let own = self.hash_policies.as_deref();
        own.or_else(of_block).unwrap_or_default()
    }
}

impl KumaLocalityAwareness {
    fn merge(&mut self, over: &Self) {
        replace(&mut self.disabled, &over.disabled);
        let local = |zone: &mut KumaLocalZone, over: &KumaLocalZone| {
            replace(&mut zone.affinity_tags, &over.affinity_tags);
        };
        merge_block(&mut self.local_zone, &over.local_zone, local);
        let cross = |zone: &mut KumaCrossZone, over: &KumaCrossZone| {
            replace(&mut zone.failover, &over.failover);
            replace(&mut zone.failover_threshold, &over.failover_threshold);
        };
        merge_block(&mut self.cross_zone, &over.cross_zone, cross);
    }
}

impl KumaLoadBalancer {
    fn merge(&mut self, over: &Self) {
        self.kind.clone_from(&over.kind);
        let least_request = |block: &mut KumaLeastRequest, over: &KumaLeastRequest| {
            replace(&mut block.choice_count, &over.choice_count);
            replace(&mut block.active_request_bias, &over.active_request_bias);
        };
        merge_block(&mut self.least_request, &over.least_request, least_request);
        let ring_hash = |block: &mut KumaRingHash, over: &KumaRingHash| {
            replace(&mut block.hash_function, &over.hash_function);
            replace(&mut block.min_ring_size, &over.min_ring_size);
            replace(&mut block.max_ring_size, &over.max_ring_size);
            replace(&mut block.hash_policies, &over.hash_policies);
        };
        merge_block(&mut self.ring_hash, &over.ring_hash, ring_hash);
        let maglev = |block: &mut KumaMaglev, over: &KumaMaglev| {
            replace(&mut block.table_size, &over.table_size);
            replace(&mut block.hash_policies, &over.hash_policies);
        };
        merge_block(&mut self.maglev, &over.maglev, maglev);
    }
}
