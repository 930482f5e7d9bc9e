//! Subsets: which groups of hosts exist, and what serves a request that hits none of them
//! (`Cluster.lb_subset_config`, `load_balancing_policies.subset.v3.Subset`).

use alloc::{sync::Arc, vec::Vec};

use super::Metadata;

/// The settings of a subset balancer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SubsetConfig {
    /// The groups of keys, in configuration order.
    pub selectors: Vec<SubsetSelector>,
    /// What serves requests that no subset and no selector's own fallback takes.
    pub fallback: SubsetFallback,
    /// What hosts of the default subset carry. Empty: every host is in it.
    pub default_subset: Metadata,
    /// Whether the criterion `fallback_list` is a list of overrides to try in turn
    /// (`metadata_fallback_policy: FALLBACK_LIST`).
    pub fallback_list: bool,
    /// Whether locality weights count within subsets.
    pub locality_weight_aware: bool,
    /// Whether a locality's weight shrinks with the part of its hosts that is in the subset.
    pub scale_locality_weight: bool,
    /// Whether any host of the cluster serves when the fallback has none to choose.
    pub panic_mode_any: bool,
    /// Whether a list in a host's metadata makes it a member of one subset for each element.
    pub list_as_any: bool,
    /// Whether criteria beyond those of a selector are passed over (typed policy only).
    pub allow_redundant_keys: bool,
}

/// What serves requests without a subset (`LbSubsetFallbackPolicy`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum SubsetFallback {
    /// Nobody.
    #[default]
    NoFallback,
    /// All hosts.
    AnyEndpoint,
    /// The hosts of the default subset.
    DefaultSubset,
}

/// A group of keys: hosts that carry all of them are in one subset for each set of values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubsetSelector {
    keys: Vec<Arc<str>>,
    fallback: SelectorFallback,
    single_host_per_subset: bool,
}

/// What serves requests whose criteria are a selector's keys and hit no subset of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum SelectorFallback {
    /// The selector says nothing: the cluster's fallback does.
    #[default]
    NotDefined,
    /// Nobody.
    NoFallback,
    /// All hosts.
    AnyEndpoint,
    /// The hosts of the default subset.
    DefaultSubset,
    /// The look-up is done again with these of the keys alone; sorted.
    KeysSubset(Vec<Arc<str>>),
}

/// Why a selector is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SubsetSelectorError {
    /// `KEYS_SUBSET` without keys.
    NoFallbackKeys,
    /// A fallback key that is not one of the selector's keys.
    ForeignFallbackKey,
    /// The fallback keys are all keys of the selector, so nothing would change.
    AllKeys,
}

impl SubsetSelector {
    /// Sorts the keys and checks what Envoy checks when it loads a cluster.
    ///
    /// # Errors
    /// When the keys of `KEYS_SUBSET` are no proper, non-empty part of the selector's.
    pub fn new(
        keys: impl IntoIterator<Item = impl Into<Arc<str>>>,
        fallback: SelectorFallback,
        single_host_per_subset: bool,
    ) -> Result<Self, SubsetSelectorError> {
        let keys = sorted(keys);
        let fallback = match fallback {
            SelectorFallback::KeysSubset(part) => {
                let part = sorted(part);
                if part.is_empty() {
                    return Err(SubsetSelectorError::NoFallbackKeys);
                }
                if part.iter().any(|key| keys.binary_search(key).is_err()) {
                    return Err(SubsetSelectorError::ForeignFallbackKey);
                }
                if part.len() == keys.len() {
                    return Err(SubsetSelectorError::AllKeys);
                }
                SelectorFallback::KeysSubset(part)
            }
            other => other,
        };
        Ok(Self {
            keys,
            fallback,
            single_host_per_subset,
        })
    }

    /// A selector of keys that are sorted already, without a fallback of its own.
    pub(crate) const fn of_sorted(keys: Vec<Arc<str>>) -> Self {
        Self {
            keys,
            fallback: SelectorFallback::NotDefined,
            single_host_per_subset: false,
        }
    }

    /// The keys, sorted, each once.
    #[must_use]
    pub fn keys(&self) -> &[Arc<str>] {
        &self.keys
    }

    /// The selector's own fallback.
    #[must_use]
    pub const fn fallback(&self) -> &SelectorFallback {
        &self.fallback
    }

    /// Whether a subset is one host, whatever its health.
    #[must_use]
    pub const fn single_host_per_subset(&self) -> bool {
        self.single_host_per_subset
    }
}

pub(super) fn sorted(keys: impl IntoIterator<Item = impl Into<Arc<str>>>) -> Vec<Arc<str>> {
    let mut sorted: Vec<Arc<str>> = Vec::new();
    for key in keys {
        let key = key.into();
        if let Err(at) = sorted.binary_search(&key) {
            sorted.insert(at, key);
        }
    }
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fallback_keys_are_a_proper_part() {
        let new = |part: &[&str]| {
            let part = part.iter().map(|&key| key.into()).collect();
            SubsetSelector::new(["b", "a", "b"], SelectorFallback::KeysSubset(part), false)
        };
        assert_eq!(new(&["a"]).unwrap().keys(), ["a".into(), "b".into()]);
        assert_eq!(new(&[]), Err(SubsetSelectorError::NoFallbackKeys));
        assert_eq!(new(&["c"]), Err(SubsetSelectorError::ForeignFallbackKey));
        assert_eq!(new(&["b", "a"]), Err(SubsetSelectorError::AllKeys));
    }
}
