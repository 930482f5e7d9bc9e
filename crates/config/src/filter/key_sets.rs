//! The keys that the criteria of one request can have together.
//!
//! Envoy selects a subset only if a selector has exactly these keys. Otherwise the fallback serves, so a
//! client could lift a restriction by adding a header.

use alloc::{string::String, sync::Arc, vec::Vec};
use core::cell::Cell;

use spillgate_core::{
    model::{SubsetConfig, SubsetFallback, SubsetSelector},
    order::order,
};

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
    ///
    /// # Errors
    /// If the selectors are too many to know.
    pub(super) fn without_selector(
        &self,
        subsets: &SubsetConfig,
    ) -> Result<Option<String>, TooManySelectors> {
        let lists = subsets.fallback_list && self.may_list;
        if lists || subsets.fallback == SubsetFallback::NoFallback {
            return Ok(None);
        }
        self.unselected(subsets, &KnownSelectors::of(subsets))
    }

    fn unselected(
        &self,
        subsets: &SubsetConfig,
        known: &KnownSelectors<'_>,
    ) -> Result<Option<String>, TooManySelectors> {
        let redundant = subsets.allow_redundant_keys;
        // If all selectors have the constants, the one that a request has keeps them.
        let may_lift = |keys: &&[Arc<str>]| {
            keys.is_empty()
                || !have(keys, &self.always) && self.are_possible(keys, subsets, redundant)
        };
        let all = if !redundant || known.all.iter().any(may_lift) {
            known.all.as_slice()
        } else {
            &[]
        };
        let headers = if redundant {
            // One more header only matters if a selector has it.
            &[]
        } else {
            self.by_header.as_slice()
        };
        let possible = |keys: &&&[Arc<str>]| self.are_possible(keys, subsets, redundant);
        let own: Option<&[Arc<str>]> = (!self.by_route).then_some(&[]);
        for keys in own.iter().chain(all.iter().filter(possible)) {
            let mut set = self.always.clone();
            keys.iter().for_each(|key| add(&mut set, key));
            // A request without keys is not restricted, so a header lifts nothing.
            if set.is_empty() {
                continue;
            }
            for header in core::iter::once(None).chain(headers.iter().map(Some)) {
                let mut more = set.clone();
                if let Some(header) = header {
                    add(&mut more, header);
                }
                let restricts = if redundant {
                    known
                        .first_within(&more)?
                        .is_some_and(|keys| have(keys, &self.always))
                } else {
                    known.contain(&more)
                };
                if !restricts {
                    return Ok(Some(more.join(", ")));
                }
            }
        }
        Ok(None)
    }

    /// Whether a request can have these keys of a selector.
    fn are_possible(&self, keys: &[Arc<str>], subsets: &SubsetConfig, without_route: bool) -> bool {
        let is_given = |key: &Arc<str>| {
            (self.by_route && !without_route)
                || self.always.binary_search(&&**key).is_ok()
                || self.by_header.binary_search(&&**key).is_ok()
        };
        keys.iter().all(is_given) && (subsets.allow_redundant_keys || have(keys, &self.always))
    }
}

/// The selectors are too many to know whether a request lifts its criteria.
#[derive(Debug)]
pub(super) struct TooManySelectors;

/// The selectors of a cluster, to search in.
struct KnownSelectors<'c> {
    /// In the order of the configuration.
    all: Vec<&'c [Arc<str>]>,
    /// Their indices in the order of their keys.
    sorted: Vec<usize>,
    /// The keys that were compared so far.
    compared: Cell<usize>,
}

/// The most keys that are compared: with redundant keys, the order of the selectors counts, and so each
/// may have to be compared with each.
const MOST_COMPARED: usize = 4_000_000;

impl<'c> KnownSelectors<'c> {
    fn of(subsets: &'c SubsetConfig) -> Self {
        let all: Vec<_> = selectors(subsets).collect();
        let sorted = order(all.len(), &|a, b| all.get(a).cmp(&all.get(b)));
        Self {
            all,
            sorted,
            compared: Cell::new(0),
        }
    }

    fn count(&self, keys: usize) -> usize {
        let compared = self.compared.get().saturating_add(keys);
        self.compared.set(compared);
        compared
    }

    /// Whether a selector has exactly these keys.
    fn contain(&self, set: &[&str]) -> bool {
        let compare = |at: &usize| {
            self.count(set.len());
            let keys = self.all.get(*at).copied().unwrap_or_default();
            let keys = keys.iter().map(|key| &**key);
            keys.cmp(set.iter().copied())
        };
        self.sorted.binary_search_by(compare).is_ok()
    }

    /// The first selector whose keys a request with these keys has: it is used.
    fn first_within(&self, set: &[&str]) -> Result<Option<&'c [Arc<str>]>, TooManySelectors> {
        for keys in &self.all {
            if self.count(set.len()) > MOST_COMPARED {
                return Err(TooManySelectors);
            }
            let mut rest = set.iter();
            if !keys.is_empty() && keys.iter().all(|key| rest.any(|own| **own == **key)) {
                return Ok(Some(keys));
            }
        }
        Ok(None)
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

#[cfg(test)]
mod tests {
    use alloc::{format, vec};

    use spillgate_core::model::{SelectorFallback, Value};

    use super::*;

    fn subsets(selectors: impl IntoIterator<Item = Vec<String>>, redundant: bool) -> SubsetConfig {
        let selectors = selectors.into_iter();
        SubsetConfig {
            fallback: SubsetFallback::AnyEndpoint,
            selectors: selectors
                .map(|keys| SubsetSelector::new(keys, SelectorFallback::NotDefined, false).unwrap())
                .collect(),
            allow_redundant_keys: redundant,
            ..SubsetConfig::default()
        }
    }

    fn header(key: &str) -> Criterion {
        Criterion::Header {
            key: key.into(),
            header: format!("x-{key}"),
        }
    }

    fn constant(key: &str) -> Criterion {
        Criterion::Constant {
            key: key.into(),
            value: Value::Text("a".into()),
        }
    }

    /// The keys compared for so many selectors, which restrict every request.
    fn compared(selectors: Vec<Vec<String>>, criteria: &[Criterion], redundant: bool) -> usize {
        let subsets = subsets(selectors, redundant);
        let known = KnownSelectors::of(&subsets);
        let found = KeySets::of(criteria).unselected(&subsets, &known);
        assert_eq!(found.unwrap(), None);
        known.compared.get()
    }

    #[test]
    fn the_work_grows_with_the_selectors_and_not_with_their_square() {
        // All combinations of headers.
        let combinations = |headers: usize| {
            let of = |number: usize| {
                let keys = (0..headers).filter(|at| number >> at & 1 == 1);
                keys.map(|at| format!("k{at:02}")).collect::<Vec<_>>()
            };
            let headers: Vec<_> = (0..headers)
                .map(|at| header(&format!("k{at:02}")))
                .collect();
            let selectors = (1..1 << headers.len()).map(of).collect();
            compared(selectors, &headers, false)
        };
        // Four times the selectors have more keys each, and take more steps of the search.
        let (few, many) = (combinations(8), combinations(10));
        assert!(few > 0 && many < few * 8, "{few} for 255, {many} for 1023");
        let redundant = |selectors: usize| {
            let keys = (0..selectors).map(|at| format!("k{at:05}"));
            let mut criteria: Vec<_> = keys.clone().map(|key| header(&key)).collect();
            criteria.push(constant("always"));
            let with_constant = keys.map(|key| vec!["always".into(), key]);
            let selectors = core::iter::once(vec!["always".into()]).chain(with_constant);
            compared(selectors.collect(), &criteria, true)
        };
        let (few, many) = (redundant(1_000), redundant(4_000));
        assert!(
            few > 0 && many <= few * 5,
            "{few} for 1000, {many} for 4000"
        );
    }

    #[test]
    fn redundant_keys_of_too_many_selectors_are_not_compared() {
        let keys = (0..4_000).map(|at| format!("k{at:05}"));
        let mut criteria: Vec<_> = keys.clone().map(|key| header(&key)).collect();
        criteria.push(constant("always"));
        let with_constant = keys.map(|key| vec!["always".into(), key]);
        let without: [Vec<String>; 2] = [vec!["always".into()], vec!["without".into()]];
        let subsets = subsets(with_constant.chain(without), true);
        // No request has the selector without the constant.
        let found = KeySets::of(&criteria).without_selector(&subsets);
        assert!(found.is_ok_and(|keys| keys.is_none()));
        criteria.push(header("without"));
        let found = KeySets::of(&criteria).without_selector(&subsets);
        assert!(found.is_err(), "{found:?}");
    }
}
