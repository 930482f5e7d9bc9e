//! The subsets of a cluster, selector by selector.

use alloc::vec::Vec;

use crate::{
    load::LevelHealth,
    model::Metadata,
    snapshot::{ClusterId, HostRef, Snapshot},
    subset::SubsetTarget,
};

/// One subset.
#[derive(Debug, Clone, PartialEq)]
pub struct SubsetView {
    /// What requests for it ask for; its keys are the selector's.
    pub criteria: Metadata,
    /// Its hosts, level by level.
    pub hosts: Vec<HostRef>,
    /// Its health by level; empty for a subset of one host, which knows none.
    pub health: Vec<LevelHealth>,
}

/// The subsets of a cluster by selector, in the order in which selectors are looked at; subsets
/// of a selector stand in the order of their first hosts. Empty in a cluster without subsets.
#[must_use]
pub fn subset_tree(snapshot: &Snapshot, cluster: ClusterId) -> Vec<Vec<SubsetView>> {
    let plain = snapshot.plain(cluster);
    let Some((plain, subsets)) = plain.and_then(|plain| Some((plain, plain.subsets.as_ref()?)))
    else {
        return Vec::new();
    };
    let host_ref = |priority, host| HostRef {
        cluster,
        priority,
        host,
    };
    let view = |criteria: &Metadata, target: SubsetTarget| match target {
        SubsetTarget::Host { priority, host } => SubsetView {
            criteria: criteria.clone(),
            hosts: [host_ref(priority, host)].into(),
            health: Vec::new(),
        },
        SubsetTarget::Set(number) => {
            let set = plain.set(crate::subset::Choice::Set(number));
            let levels = set.map(|set| set.levels.as_slice()).unwrap_or_default();
            let hosts = levels.iter().enumerate().flat_map(|(priority, level)| {
                let members = level.members().iter();
                members.map(move |host| host_ref(priority, host))
            });
            SubsetView {
                criteria: criteria.clone(),
                hosts: hosts.collect(),
                health: set.map(|set| set.health()).unwrap_or_default(),
            }
        }
    };
    let index = &subsets.index;
    let selectors = index.config().selectors.iter();
    selectors
        .map(|selector| {
            let own = index.entries().iter().filter(|entry| {
                let keys = entry.criteria.fields().iter().map(|field| &field.key);
                keys.eq(selector.keys())
            });
            own.map(|entry| view(&entry.criteria, entry.target))
                .collect()
        })
        .collect()
}
