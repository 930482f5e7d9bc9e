//! Assignments of one destination for many proxies.
//!
//! The key has what a result depends on: the zone of the proxy only if it has endpoints, affinity
//! values only if an endpoint has them, and the rules that apply.

use alloc::{sync::Arc, vec::Vec};

use super::{
    KumaEndpoint, KumaLocalityRules, KumaView,
    assign::{Selected, assign, through_egress},
    groups::{affinity_value, zone_groups},
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
///
/// A lookup costs about as much as the assignment of a few endpoints: the cache pays off for
/// destinations with many endpoints.
#[derive(Debug, Clone)]
pub struct AssignmentCache<'a> {
    endpoints: &'a [KumaEndpoint],
    /// The zones with endpoints, sorted.
    zones: Vec<&'a str>,
    /// Zone, key and value of every tag of an endpoint, and of its labels without such a tag; sorted.
    tags: Vec<(&'a str, &'a str, &'a str)>,
    /// Sorted by key.
    entries: Vec<(AssignmentKey, Arc<MeshAssignment>)>,
    hits: u64,
}

/// A policy with its number in the cache.
#[derive(Debug, Clone, Copy)]
pub struct CachedPolicy<'a> {
    /// Equal numbers mean equal rules.
    pub number: usize,
    /// The rules; `None` if no policy applies.
    pub rules: Option<&'a KumaLocalityRules>,
}

/// What an assignment depends on, in addition to the endpoints.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct AssignmentKey {
    compat: Compat,
    policy: usize,
    egress: bool,
    /// The zone of the proxy in `zones`, if it has endpoints.
    zone: Option<usize>,
    /// The index in `tags` of each affinity tag that has endpoints.
    tags: Vec<usize>,
    /// The index of each rule that applies. Their priorities follow from it.
    rules: Vec<usize>,
}

impl<'a> AssignmentCache<'a> {
    /// An empty cache for these endpoints.
    #[must_use]
    pub fn new(endpoints: &'a [KumaEndpoint]) -> Self {
        let mut tags = Vec::new();
        for endpoint in endpoints {
            let labels = endpoint.labels.iter();
            let fallback = labels.filter(|(key, _)| !endpoint.tags.contains_key(*key));
            for (key, value) in endpoint.tags.iter().chain(fallback) {
                tags.push((endpoint.zone.as_str(), key.as_str(), value.as_str()));
            }
        }
        Self {
            endpoints,
            zones: sorted(endpoints.iter().map(|of| of.zone.as_str()).collect()),
            tags: sorted(tags),
            entries: Vec::new(),
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
        let key = self.key(view, policy, compat);
        let place = self.entries.binary_search_by(|(known, _)| known.cmp(&key));
        let place = match place {
            Ok(place) => place,
            Err(place) => {
                let endpoints = Selected::all(self.endpoints);
                let found = assign(view, policy.rules, endpoints, Reading::All(compat));
                let found = Arc::new(found);
                self.entries.insert(place, (key, Arc::clone(&found)));
                return found;
            }
        };
        self.hits = self.hits.saturating_add(1);
        let known = self.entries.get(place);
        known.map_or_else(Arc::default, |(_, known)| Arc::clone(known))
    }

    fn key(&self, view: KumaView<'_>, policy: CachedPolicy<'_>, compat: Compat) -> AssignmentKey {
        let reading = Reading::All(compat);
        let zone = view.proxy.zone.as_str();
        let mut key = AssignmentKey {
            compat,
            policy: policy.number,
            egress: through_egress(view),
            zone: self.zones.binary_search(&zone).ok(),
            tags: Vec::new(),
            rules: Vec::new(),
        };
        if let Some(rules) = policy.rules {
            let values = rules.affinity_keys().filter_map(|name| {
                let value = affinity_value(view.proxy, name, reading)?;
                self.tags.binary_search(&(zone, name, value)).ok()
            });
            key.tags.extend(values);
            let applying = zone_groups(rules, zone, reading);
            key.rules.extend(applying.iter().map(|rule| rule.rule));
        }
        key
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

fn sorted<T: Ord>(mut list: Vec<T>) -> Vec<T> {
    list.sort_unstable();
    list.dedup();
    list
}
