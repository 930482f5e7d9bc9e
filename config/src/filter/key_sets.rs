//! The keys that the criteria of one request can have together.
//!
//! Envoy selects a subset only if a selector has exactly these keys. Otherwise the fallback serves, so a
//! client could lift a restriction by adding a header.

use alloc::{string::String, sync::Arc, vec::Vec};

use spillgate_core::model::{SubsetConfig, SubsetFallback, SubsetSelector};

use super::Criterion;

/// The criterion of `FALLBACK_LIST`, whose value names further criteria.
const FALLBACK_LIST: &str = "fallback_list";

/// Sorted and unique keys.
type Keys<'c> = Vec<&'c str>;

/// The possible keys of criteria.
pub(super) struct KeySets<'c> {
    /// The keys of every request: those with a constant.
    always: Keys<'c>,
    /// The other keys: each can be absent.
    by_header: Keys<'c>,
    /// Whether the route can add any keys.
    by_route: bool,
    /// Whether requests can have a list of further criteria.
    may_list: bool,
}

impl<'c> KeySets<'c> {
    pub(super) fn of(criteria: &'c [Criterion]) -> Self {
        let mut sets = Self {
            always: Vec::new(),
            by_header: Vec::new(),
            by_route: criteria.contains(&Criterion::RouteMetadata),
            may_list: criteria
                .iter()
                .any(|criterion| criterion.can_give(FALLBACK_LIST)),
        };
        for criterion in criteria {
            if let Criterion::Constant { key, .. } = criterion {
                add(&mut sets.always, key);
            }
        }
        for criterion in criteria {
            if let Criterion::Header { key, .. } = criterion
                && !sets.always.contains(&&**key)
            {
                add(&mut sets.by_header, key);
            }
        }
        sets
    }

    /// Whether some request can select a subset by this key.
    pub(super) fn select_by(&self, subsets: &SubsetConfig, wanted: &str) -> bool {
        let lists = subsets.fallback_list && self.may_list;
        let has_key = |keys: &[Arc<str>]| keys.iter().any(|key| **key == *wanted);
        let mut selectors = selectors(subsets);
        (lists && wanted == FALLBACK_LIST)
            || selectors
                .any(|keys| has_key(keys) && (lists || self.are_possible(keys, subsets, false)))
    }

    /// Keys of a request that no selector has, so that the fallback of the cluster serves it.
    pub(super) fn without_selector(&self, subsets: &SubsetConfig) -> Option<String> {
        let lists = subsets.fallback_list && self.may_list;
        if lists || subsets.fallback == SubsetFallback::NoFallback {
            return None;
        }
        let own = (!self.by_route).then(|| self.always.clone());
        let of_selectors = selectors(subsets)
            .filter(|keys| self.are_possible(keys, subsets, subsets.allow_redundant_keys))
            .map(|keys| {
                let mut set = self.always.clone();
                keys.iter().for_each(|key| add(&mut set, key));
                set
            });
        for set in own.into_iter().chain(of_selectors) {
            // A request without keys is not restricted, so a header lifts nothing.
            if set.is_empty() {
                continue;
            }
            if !self.restrict(&set, subsets) {
                return Some(set.join(", "));
            }
            // With redundant keys, one more header only matters if a selector has it.
            if subsets.allow_redundant_keys {
                continue;
            }
            for &header in &self.by_header {
                let mut more = set.clone();
                add(&mut more, header);
                if !self.restrict(&more, subsets) {
                    return Some(more.join(", "));
                }
            }
        }
        None
    }

    /// Whether a request can have these keys of a selector.
    fn are_possible(&self, keys: &[Arc<str>], subsets: &SubsetConfig, without_route: bool) -> bool {
        let is_given = |key: &Arc<str>| {
            (self.by_route && !without_route)
                || self.always.contains(&&**key)
                || self.by_header.contains(&&**key)
        };
        keys.iter().all(is_given) && (subsets.allow_redundant_keys || have(keys, &self.always))
    }

    /// Whether a selector takes a request with these keys, and keeps the constants.
    fn restrict(&self, set: &[&str], subsets: &SubsetConfig) -> bool {
        let mut selectors = selectors(subsets);
        if subsets.allow_redundant_keys {
            // The first one whose keys the request has is used.
            let is_used = |keys: &&[Arc<str>]| {
                let mut rest = set.iter();
                !keys.is_empty() && keys.iter().all(|key| rest.any(|own| **own == **key))
            };
            selectors
                .find(is_used)
                .is_some_and(|keys| have(keys, &self.always))
        } else {
            selectors.any(|keys| keys.len() == set.len() && have(keys, set))
        }
    }
}

fn selectors(subsets: &SubsetConfig) -> impl Iterator<Item = &[Arc<str>]> {
    subsets.selectors.iter().map(SubsetSelector::keys)
}

/// Whether sorted keys include others, which are sorted too.
fn have(keys: &[Arc<str>], wanted: &[&str]) -> bool {
    let mut rest = keys.iter();
    wanted
        .iter()
        .all(|wanted| rest.any(|key| **key == **wanted))
}

fn add<'c>(keys: &mut Keys<'c>, key: &'c str) {
    if let Err(at) = keys.binary_search(&key) {
        keys.insert(at, key);
    }
}
