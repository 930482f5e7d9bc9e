//! The index of a cluster's subsets by criteria, and of the selectors' fallbacks by keys.

use alloc::{sync::Arc, vec, vec::Vec};

use super::{
    Criteria,
    criteria::{hash_fields, hash_keys},
    members::{MembersByPriority, has_list, joined, matches, matches_elements},
    probe::Probe,
};
use crate::{
    model::{ChainHosts, Metadata, Priority, SelectorFallback, SubsetConfig, SubsetSelector},
    order,
};

/// The index of the subsets of a cluster. It depends on metadata alone, not on health.
///
/// # Examples
/// ```
/// use spillgate_core::{model::*, snapshot::Snapshot, subset::Criteria};
///
/// let labels = |stage: &str| Metadata::new([("stage", Value::Text(stage.into()))]);
/// let host = Endpoint { metadata: labels("prod"), ..Endpoint::new("10.0.0.1:80") };
/// let selector = SubsetSelector::new(["stage"], SelectorFallback::NotDefined, false).unwrap();
/// let shop = PlainCluster {
///     subsets: Some(SubsetConfig { selectors: vec![selector], ..SubsetConfig::default() }),
///     priorities: vec![Priority::single_locality(vec![host])],
///     ..PlainCluster::default()
/// };
/// let snapshot = Snapshot::build(&Model::new(vec![Cluster::plain("shop", shop)]).unwrap());
/// let plain = snapshot.plain(snapshot.cluster_id("shop").unwrap()).unwrap();
/// let index = &plain.subsets.as_ref().unwrap().index;
/// assert!(index.find(Criteria::new(&labels("prod"))).is_some());
/// assert!(index.find(Criteria::new(&labels("dev"))).is_none());
/// ```
#[derive(Debug, Clone, Default)]
pub struct SubsetIndex {
    config: SubsetConfig,
    entries: Vec<SubsetEntry>,
    by_criteria: Probe,
    fallbacks: Vec<(Vec<Arc<str>>, SelectorFallback)>,
    by_keys: Probe,
    default: Option<usize>,
}

/// One subset. It exists while it has a host, healthy or not.
#[derive(Debug, Clone)]
pub struct SubsetEntry {
    /// The criteria that select the subset; its hosts have the same metadata.
    pub criteria: Metadata,
    /// The hosts of the subset.
    pub target: SubsetTarget,
}

/// The hosts of a subset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SubsetTarget {
    /// The set with this number.
    Set(usize),
    /// A single host, whatever its health (`single_host_per_subset`).
    Host {
        /// The priority, from 0.
        priority: usize,
        /// The index in the priority.
        host: usize,
    },
}

/// The index and its sets during construction: for each set and priority, the host indices.
struct Builder {
    index: SubsetIndex,
    sets: Vec<MembersByPriority>,
    priorities: usize,
}

impl SubsetIndex {
    /// Sorts the hosts of all priorities into subsets. Also returns the hosts of each set, by set
    /// number.
    pub(crate) fn build(
        config: &SubsetConfig,
        priorities: &[&Priority],
    ) -> (Self, Vec<MembersByPriority>) {
        let mut builder = Builder {
            index: Self {
                config: config.clone(),
                ..Self::default()
            },
            sets: Vec::new(),
            priorities: priorities.len(),
        };
        if config.allow_redundant_keys {
            // Envoy then tries selectors with many keys first.
            let selectors = core::mem::take(&mut builder.index.config.selectors);
            builder.index.config.selectors =
                order::sorted(selectors, |a, b| b.keys().len().cmp(&a.keys().len()));
        }
        builder.index.add_fallbacks();
        builder.add_hosts(priorities);
        (builder.index, builder.sets)
    }

    /// The sets of a chain step. Steps without keys have one set, number 0.
    pub(crate) fn of_step(
        hosts: &ChainHosts,
        priorities: &[&Priority],
    ) -> (Self, Vec<MembersByPriority>) {
        let mut config = SubsetConfig::default();
        match hosts {
            ChainHosts::Keys(keys) => {
                config.selectors = [SubsetSelector::of_sorted(keys.clone())].into();
            }
            ChainHosts::Match(values) => config.default_subset = values.clone(),
            ChainHosts::Any => {
                let all = |priority: &&Priority| (0..priority.endpoints.len() as u32).collect();
                return (
                    Self::default(),
                    [priorities.iter().map(all).collect()].into(),
                );
            }
        }
        Self::build(&config, priorities)
    }

    /// The sets of a chain step for the hosts of one more cluster, of which this index has `sets`
    /// so far. Known sets keep their numbers, and new ones follow.
    pub(crate) fn with_cluster(
        &self,
        sets: usize,
        priorities: &[&Priority],
    ) -> (Self, Vec<MembersByPriority>) {
        let mut builder = Builder {
            index: self.clone(),
            sets: vec![vec![Vec::new(); priorities.len()]; sets],
            priorities: priorities.len(),
        };
        builder.add_hosts(priorities);
        (builder.index, builder.sets)
    }

    /// The settings; the selectors are in lookup order.
    #[must_use]
    pub const fn config(&self) -> &SubsetConfig {
        &self.config
    }

    /// All subsets, in the order in which hosts created them.
    #[must_use]
    pub fn entries(&self) -> &[SubsetEntry] {
        &self.entries
    }

    /// The set of the default subset; `None` if it is all hosts.
    #[must_use]
    pub const fn default_set(&self) -> Option<usize> {
        self.default
    }

    /// The subset for exactly these criteria.
    #[must_use]
    pub fn find(&self, criteria: Criteria<'_>) -> Option<&SubsetEntry> {
        let (hash, count) = criteria.hashed();
        // No criteria select no subset; a selector without keys never has one.
        if count == 0 {
            return None;
        }
        let at = self.by_criteria.find(hash, |at| {
            let fields = self.entries.get(at).map(|entry| entry.criteria.fields());
            fields.is_some_and(|fields| criteria.are(fields))
        })?;
        self.entries.get(at)
    }

    /// The fallback of the selector with exactly the keys of the criteria.
    pub(super) fn fallback(&self, criteria: Criteria<'_>) -> &SelectorFallback {
        let (hash, _) = criteria.hashed_keys();
        let found = self
            .by_keys
            .find(hash, |at| {
                let keys = self.fallbacks.get(at).map(|(keys, _)| keys);
                keys.is_some_and(|keys| criteria.iter().map(|field| &field.key).eq(keys))
            })
            .and_then(|at| self.fallbacks.get(at));
        found.map_or(&SelectorFallback::NotDefined, |(_, fallback)| fallback)
    }

    /// The sets of a host; a set may occur more than once.
    pub(crate) fn sets_of(&self, metadata: &Metadata, mut found: impl FnMut(usize)) {
        let mut add = |criteria: Criteria<'_>| {
            if let Some(SubsetTarget::Set(set)) = self.find(criteria).map(|entry| entry.target) {
                found(set);
            }
        };
        for selector in &self.config.selectors {
            if self.config.list_as_any && has_list(selector, metadata) {
                for criteria in joined(selector, metadata) {
                    add(Criteria::new(&criteria));
                }
            } else if Criteria::new(metadata).have(selector.keys()) {
                add(Criteria::new(metadata).only(selector.keys()));
            }
        }
        if let Some(default) = self.default
            && self.is_default(metadata)
        {
            found(default);
        }
    }

    /// Whether a host is in the default subset.
    fn is_default(&self, metadata: &Metadata) -> bool {
        let required = &self.config.default_subset;
        if self.config.list_as_any {
            matches_elements(required, metadata)
        } else {
            matches(required, metadata)
        }
    }

    /// Envoy stores selectors in a trie of sorted keys. Only the selector that creates a trie node
    /// sets its fallback, so the fallback of a selector is lost if its keys are a prefix of the
    /// keys of an earlier selector.
    fn add_fallbacks(&mut self) {
        let mut nodes: Vec<&[Arc<str>]> = Vec::new();
        let mut by_keys = Probe::default();
        let hash = |keys: &[Arc<str>]| hash_keys(keys.iter()).0;
        for selector in &self.config.selectors {
            let keys = selector.keys();
            let mut new = false;
            for end in 1..=keys.len() {
                let begin = keys.get(..end).unwrap_or_default();
                let known = by_keys.find(hash(begin), |at| nodes.get(at) == Some(&begin));
                new = known.is_none();
                if new {
                    let at = nodes.len();
                    nodes.push(begin);
                    let hash_of = |at: usize| nodes.get(at).map_or(0, |keys| hash(keys));
                    by_keys.insert(hash(begin), at, hash_of);
                }
            }
            if new && *selector.fallback() != SelectorFallback::NotDefined {
                let at = self.fallbacks.len();
                self.fallbacks
                    .push((keys.to_vec(), selector.fallback().clone()));
                let fallbacks = &self.fallbacks;
                let hash_of = |at: usize| fallbacks.get(at).map_or(0, |(keys, _)| hash(keys));
                self.by_keys.insert(hash(keys), at, hash_of);
            }
        }
    }
}

impl Builder {
    fn new_set(&mut self) -> usize {
        self.sets.push(vec![Vec::new(); self.priorities]);
        self.sets.len() - 1
    }

    fn add_hosts(&mut self, priorities: &[&Priority]) {
        self.add_default(priorities);
        for (number, priority) in priorities.iter().enumerate() {
            for (host, endpoint) in priority.endpoints.iter().enumerate() {
                for selector in 0..self.index.config.selectors.len() {
                    self.add_host(selector, number, host, &endpoint.metadata);
                }
            }
        }
    }

    fn add_default(&mut self, priorities: &[&Priority]) {
        if self.index.config.default_subset.is_empty() {
            return;
        }
        let known = self.index.default;
        let set = known.unwrap_or_else(|| self.new_set());
        self.index.default = Some(set);
        for (number, priority) in priorities.iter().enumerate() {
            for (host, endpoint) in priority.endpoints.iter().enumerate() {
                if self.index.is_default(&endpoint.metadata) {
                    self.push(set, number, host);
                }
            }
        }
    }

    fn add_host(&mut self, selector: usize, priority: usize, host: usize, metadata: &Metadata) {
        let Some(found) = self.index.config.selectors.get(selector) else {
            return;
        };
        let single = found.single_host_per_subset();
        if self.index.config.list_as_any && has_list(found, metadata) {
            for criteria in joined(found, metadata) {
                self.add(criteria, single, priority, host);
            }
            return;
        }
        let own = Criteria::new(metadata);
        if found.keys().is_empty() || !own.have(found.keys()) {
            return;
        }
        let own = own.only(found.keys());
        match self.index.find(own).map(|entry| entry.target) {
            Some(SubsetTarget::Set(set)) => self.push(set, priority, host),
            Some(SubsetTarget::Host { .. }) => {}
            None => {
                let criteria = Metadata::new(own.iter().map(|f| (f.key.clone(), f.value.clone())));
                self.add(criteria, single, priority, host);
            }
        }
    }

    fn add(&mut self, criteria: Metadata, single: bool, priority: usize, host: usize) {
        match self.index.find(Criteria::new(&criteria)).map(|e| e.target) {
            Some(SubsetTarget::Set(set)) => return self.push(set, priority, host),
            // The first host stays, that of the highest priority.
            Some(SubsetTarget::Host { .. }) => return,
            None => {}
        }
        let target = if single {
            SubsetTarget::Host { priority, host }
        } else {
            let set = self.new_set();
            self.push(set, priority, host);
            SubsetTarget::Set(set)
        };
        let (hash, _) = hash_fields(criteria.fields().iter());
        let at = self.index.entries.len();
        self.index.entries.push(SubsetEntry { criteria, target });
        let entries = &self.index.entries;
        self.index.by_criteria.insert(hash, at, |at| {
            let fields = entries.get(at).map(|entry| entry.criteria.fields());
            hash_fields(fields.into_iter().flatten()).0
        });
    }

    /// A list with a repeated value must not add the host twice.
    fn push(&mut self, set: usize, priority: usize, host: usize) {
        let members = self.sets.get_mut(set).and_then(|set| set.get_mut(priority));
        if let Some(members) = members
            && members.last() != Some(&(host as u32))
        {
            members.push(host as u32);
        }
    }
}
