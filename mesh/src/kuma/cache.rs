//! Assignments of one destination for many proxies.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    string::String,
    sync::Arc,
    vec::Vec,
};

use super::{
    KumaEndpoint, KumaLocalityRules, KumaView,
    assign::{Selected, assign, through_egress},
    groups::{local_groups, zone_groups},
    reading::Reading,
};
use crate::{Compat, MeshAssignment};

/// The assignments of one destination by what they depend on. Proxies with the same results share
/// one: proxies in zones without endpoints if the same rules apply to them, and proxies whose tags
/// match the same endpoints.
///
/// # Examples
/// ```
/// use spillgate_mesh::Compat;
/// use spillgate_mesh::kuma::*;
///
/// let endpoints = [KumaEndpoint::new("10.0.0.1:80", "zone-1")];
/// let rules = KumaLocalityRules::default();
/// let policy = CachedPolicy {
///     number: 0,
///     rules: Some(&rules),
/// };
/// let mut cache = AssignmentCache::new(&endpoints);
/// for zone in ["zone-2", "zone-3"] {
///     let proxy = KumaProxy::new(zone);
///     let view = KumaView {
///         proxy: &proxy,
///         destination: KumaDestinationKind::MeshMultiZoneService,
///     };
///     assert_eq!(cache.assignment(view, policy, Compat::Kuma).groups[0].priority, 1);
/// }
/// assert_eq!((cache.len(), cache.hits()), (1, 1));
/// ```
#[derive(Debug, Clone)]
pub struct AssignmentCache<'a> {
    endpoints: &'a [KumaEndpoint],
    /// The zones with endpoints.
    zones: BTreeSet<&'a str>,
    /// Zone, key and value of every tag of an endpoint, and of its labels without such a tag.
    tags: BTreeSet<(&'a str, &'a str, &'a str)>,
    entries: BTreeMap<AssignmentKey, Arc<MeshAssignment>>,
    hits: u64,
}

/// A policy with a number that stands for it in the cache.
#[derive(Debug, Clone, Copy)]
pub struct CachedPolicy<'a> {
    /// Equal numbers mean equal rules.
    pub number: usize,
    /// The rules; `None` if no policy applies.
    pub rules: Option<&'a KumaLocalityRules>,
}

/// What an assignment depends on, besides the endpoints.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct AssignmentKey {
    compat: Compat,
    policy: usize,
    /// The zone of the proxy, if it has endpoints.
    zone: Option<String>,
    /// Key and value of each local group that has endpoints.
    groups: Vec<(String, String)>,
    /// Index and priority of each rule that applies.
    rules: Vec<(usize, u32)>,
    egress: bool,
}

impl<'a> AssignmentCache<'a> {
    /// An empty cache for these endpoints.
    #[must_use]
    pub fn new(endpoints: &'a [KumaEndpoint]) -> Self {
        let mut tags = BTreeSet::new();
        for endpoint in endpoints {
            let labels = endpoint.labels.iter();
            let fallback = labels.filter(|(key, _)| !endpoint.tags.contains_key(*key));
            for (key, value) in endpoint.tags.iter().chain(fallback) {
                tags.insert((endpoint.zone.as_str(), key.as_str(), value.as_str()));
            }
        }
        Self {
            endpoints,
            zones: endpoints.iter().map(|of| of.zone.as_str()).collect(),
            tags,
            entries: BTreeMap::new(),
            hits: 0,
        }
    }

    /// As [`assignment`](super::assignment), computed once for all proxies with the same result.
    pub fn assignment(
        &mut self,
        view: KumaView<'_>,
        policy: CachedPolicy<'_>,
        compat: Compat,
    ) -> Arc<MeshAssignment> {
        let reading = Reading::All(compat);
        let key = self.key(view, policy, reading, compat);
        if let Some(known) = self.entries.get(&key) {
            self.hits = self.hits.saturating_add(1);
            return Arc::clone(known);
        }
        let endpoints = Selected::all(self.endpoints);
        let found = Arc::new(assign(view, policy.rules, endpoints, reading));
        self.entries.insert(key, Arc::clone(&found));
        found
    }

    fn key(
        &self,
        view: KumaView<'_>,
        policy: CachedPolicy<'_>,
        reading: Reading,
        compat: Compat,
    ) -> AssignmentKey {
        let zone = view.proxy.zone.as_str();
        let rules = policy.rules;
        let groups = rules.map(|rules| local_groups(rules, view.proxy, reading));
        let groups = groups.unwrap_or_default().into_iter();
        let groups = groups.filter(|group| self.tags.contains(&(zone, &*group.key, &*group.value)));
        let applying = rules.map(|rules| zone_groups(rules, zone, reading));
        let applying = applying.unwrap_or_default().into_iter();
        AssignmentKey {
            compat,
            policy: policy.number,
            zone: self.zones.contains(zone).then(|| zone.into()),
            groups: groups.map(|group| (group.key, group.value)).collect(),
            rules: applying.map(|rule| (rule.rule, rule.priority)).collect(),
            egress: through_egress(view),
        }
    }

    /// The number of computed assignments.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether nothing was computed yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The number of results that were already known.
    #[must_use]
    pub const fn hits(&self) -> u64 {
        self.hits
    }
}
