//! The configuration that one entry of a policy leads to.

use alloc::vec::Vec;

use super::{
    KumaEffectiveConf, KumaOrigin, KumaPolicy, KumaTo,
    merge::{EntryOrder, combined},
    meta::PolicyRole,
};

/// The configuration of proxies and destinations that an entry configures: merged as in
/// [`effective_conf`](super::effective_conf), with the entries that apply to every proxy and every
/// destination of the mesh. Other entries apply to some of them only and are left out. `None` if the
/// policies have no such entry.
///
/// An entry for a MeshHTTPRoute stays alone: a route has hash policies only.
///
/// # Examples
/// ```
/// use spillgate_mesh::kuma::*;
///
/// let balancer = |kind: &str| KumaConf {
///     load_balancer: Some(KumaLoadBalancer {
///         kind: kind.into(),
///         ..KumaLoadBalancer::default()
///     }),
///     ..KumaConf::default()
/// };
/// let to = |kind: &str, conf| KumaTo {
///     target_ref: KumaTargetRef {
///         kind: kind.into(),
///         ..KumaTargetRef::default()
///     },
///     conf,
/// };
/// let policies = [KumaPolicy {
///     to: vec![to("Mesh", balancer("Maglev")), to("MeshService", KumaConf::default())],
///     ..KumaPolicy::default()
/// }];
/// let found = entry_conf(&policies, KumaOrigin { policy: 0, to: 1 }).unwrap();
/// assert_eq!(found.conf.load_balancer.unwrap().kind, "Maglev");
/// ```
#[must_use]
pub fn entry_conf(policies: &[KumaPolicy], entry: KumaOrigin) -> Option<KumaEffectiveConf> {
    let of = policies.get(entry.policy)?;
    let own = of.to.get(entry.to)?;
    let mut entries: Vec<(KumaOrigin, &KumaPolicy, &KumaTo)> = Vec::from([(entry, of, own)]);
    if own.target_ref.kind != "MeshHTTPRoute" {
        for (index, policy) in policies.iter().enumerate() {
            if !policy.covers(of) {
                continue;
            }
            let all = policy
                .to
                .iter()
                .enumerate()
                .map(|(to, other)| (KumaOrigin { policy: index, to }, policy, other));
            entries.extend(
                all.filter(|(origin, _, other)| {
                    *origin != entry && other.target_ref.kind == "Mesh"
                }),
            );
        }
    }
    combined(entries, EntryOrder::ByResource)
}

impl KumaPolicy {
    /// Whether the policy configures every proxy that the other one configures.
    fn covers(&self, other: &Self) -> bool {
        let zone = self.meta.zone_of_origin();
        let top = self.target_ref.as_ref();
        self.meta.mesh() == other.meta.mesh()
            && !self.is_shadow()
            && zone.is_none_or(|zone| other.meta.zone_of_origin() == Some(zone))
            && (self.role() == PolicyRole::System
                || self.meta.namespace() == other.meta.namespace())
            && top.is_none_or(|top| top.kind == "Mesh" && top.proxy_types.is_empty())
    }
}
