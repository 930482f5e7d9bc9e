//! The subsets of the cluster, by selector.

use spillgate_core::{
    decide::Decision,
    model::{SelectorFallback, SubsetFallback},
    snapshot::{ClusterId, HostRef, PlainSnapshot},
    subset::{SetChoice, SubsetEntry, SubsetTarget},
};

use super::set_of;
use crate::view::screens::trace::TraceStage;

/// The maximum number of shown subsets of a selector, in addition to the chosen one.
const MOST_SUBSETS: usize = 20;

/// The maximum number of shown hosts.
const MOST_HOSTS: usize = 50;

/// Selectors with their subsets, and the hosts of the chosen set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubsetTree {
    /// The selectors, in lookup order.
    pub selectors: Vec<SelectorBranch>,
    /// The fallback policy of the cluster.
    pub fallback: String,
    /// Whether the request uses the fallback policy's hosts instead of a selected subset.
    pub is_fallback: bool,
    /// The first hosts of the chosen set.
    pub hosts: Vec<HostRef>,
    /// The number of its further hosts.
    pub more: usize,
}

/// A selector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SelectorBranch {
    /// Its keys.
    pub keys: String,
    /// Its fallback policy; empty for that of the cluster.
    pub fallback: String,
    /// Its subsets.
    pub subsets: Vec<SubsetLeaf>,
    /// The number of its further subsets.
    pub more: usize,
}

/// A subset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubsetLeaf {
    /// The criteria that select it.
    pub criteria: String,
    /// The number of its hosts.
    pub hosts: usize,
    /// The number of its healthy hosts.
    pub healthy: usize,
    /// Whether the request uses it.
    pub is_chosen: bool,
}

impl SubsetTree {
    /// The tree of the cluster that served a decision; `None` if it has no subsets.
    pub(super) fn new(stage: &TraceStage, decision: &Decision) -> Option<Self> {
        let owner = match decision.priority {
            Some(priority) => priority.owner,
            None => decision.cluster,
        };
        let plain = stage.snapshot.plain(owner)?;
        let index = &plain.subsets.as_ref()?.index;
        let chosen = decision.subset.map(|subset| subset.choice);
        let selectors = index.config().selectors.iter().map(|selector| {
            let keys = selector.keys();
            let own = index.entries().iter().filter(|entry| {
                let have = entry.criteria.fields().iter().map(|field| &field.key);
                have.eq(keys)
            });
            let leaves = own.map(|entry| leaf(plain, entry, chosen));
            let (mut subsets, mut more) = (Vec::new(), 0);
            for leaf in leaves {
                if subsets.len() < MOST_SUBSETS || leaf.is_chosen {
                    subsets.push(leaf);
                } else {
                    more += 1;
                }
            }
            SelectorBranch {
                keys: keys.join(", "),
                fallback: selector_fallback(selector.fallback()),
                subsets,
                more,
            }
        });
        let selectors: Vec<SelectorBranch> = selectors.collect();
        let mut leaves = selectors.iter().flat_map(|branch| &branch.subsets);
        let fallback = match index.config().fallback {
            SubsetFallback::NoFallback => "NO_FALLBACK".into(),
            SubsetFallback::AnyEndpoint => "ANY_ENDPOINT".into(),
            SubsetFallback::DefaultSubset => {
                format!("DEFAULT_SUBSET: {}", index.config().default_subset)
            }
        };
        let all = hosts(plain, owner, decision);
        Some(Self {
            is_fallback: chosen.is_some() && !leaves.any(|leaf| leaf.is_chosen),
            fallback,
            more: all.len().saturating_sub(MOST_HOSTS),
            hosts: all.into_iter().take(MOST_HOSTS).collect(),
            selectors,
        })
    }
}

fn leaf(plain: &PlainSnapshot, entry: &SubsetEntry, chosen: Option<SetChoice>) -> SubsetLeaf {
    let choice = match entry.target {
        SubsetTarget::Set(set) => SetChoice::Set(set),
        SubsetTarget::Host { priority, host } => SetChoice::Host { priority, host },
    };
    let (hosts, healthy) = match plain.set(choice) {
        Some(set) => set.priorities.iter().fold((0, 0), |(hosts, healthy), of| {
            let class = spillgate_core::load::HostClass::Healthy;
            let source = spillgate_core::snapshot::HostsSource::Class(class);
            (hosts + of.members().len(), healthy + of.list(source).len())
        }),
        None => (1, 1),
    };
    SubsetLeaf {
        criteria: entry.criteria.to_string(),
        hosts,
        healthy,
        is_chosen: chosen == Some(choice),
    }
}

/// The hosts of the set that served a decision.
fn hosts(plain: &PlainSnapshot, owner: ClusterId, decision: &Decision) -> Vec<HostRef> {
    let Some(set) = plain.set(set_of(decision)) else {
        return decision.host_ref().into_iter().collect();
    };
    if decision.subset.is_none() {
        return Vec::new();
    }
    let priorities = set.priorities.iter().enumerate();
    let hosts = priorities.flat_map(|(priority, hosts)| {
        hosts.members().iter().map(move |host| HostRef {
            cluster: owner,
            priority,
            host,
        })
    });
    hosts.collect()
}

fn selector_fallback(fallback: &SelectorFallback) -> String {
    match fallback {
        SelectorFallback::NotDefined => String::new(),
        SelectorFallback::NoFallback => "NO_FALLBACK".into(),
        SelectorFallback::AnyEndpoint => "ANY_ENDPOINT".into(),
        SelectorFallback::DefaultSubset => "DEFAULT_SUBSET".into(),
        SelectorFallback::KeysSubset(keys) => format!("KEYS_SUBSET: {}", keys.join(", ")),
    }
}
