//! Subset load balancing (`Cluster.lb_subset_config`,
//! `envoy.extensions.load_balancing_policies.subset.v3.Subset`).
//!
//! A host belongs to one subset of each selector whose keys its `envoy.lb` metadata has. A request
//! selects a subset if its criteria have exactly the keys of a selector and the values of an
//! existing subset. Otherwise a fallback applies: that of the selector with the criteria's keys, or
//! else that of the cluster. Each subset has its own priorities, loads and panic mode. A subset
//! whose hosts are all unhealthy exists, so no fallback applies to it.

use alloc::{sync::Arc, vec::Vec};

use super::Metadata;

/// Subset settings. The defaults of all switches are false.
///
/// # Examples
/// ```
/// use spillgate_core::model::{
///     SelectorFallback, SubsetConfig, SubsetFallback, SubsetSelector,
/// };
///
/// let selector = SubsetSelector::new(["stage", "version"], SelectorFallback::NotDefined, false);
/// let config = SubsetConfig {
///     selectors: vec![selector.unwrap()],
///     fallback: SubsetFallback::AnyEndpoint,
///     ..SubsetConfig::default()
/// };
/// assert_eq!(config.selectors[0].keys().len(), 2);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SubsetConfig {
    /// The selectors in configuration order (`subset_selectors`).
    pub selectors: Vec<SubsetSelector>,
    /// The fallback if neither a subset nor the fallback of a selector applies (`fallback_policy`).
    pub fallback: SubsetFallback,
    /// The metadata of the hosts in the default subset (`default_subset`). If empty, the default
    /// subset is all hosts.
    pub default_subset: Metadata,
    /// Whether the criterion `fallback_list` is a list of criteria overrides to try in order
    /// (`metadata_fallback_policy: FALLBACK_LIST`).
    pub fallback_list: bool,
    /// Whether locality weights apply inside subsets (`locality_weight_aware`).
    pub locality_weight_aware: bool,
    /// Whether a locality weight is scaled by the share of the locality's hosts in the subset
    /// (`scale_locality_weight`). Has an effect only with `locality_weight_aware`.
    pub scale_locality_weight: bool,
    /// Whether any host of the cluster serves if the fallback has no host (`panic_mode_any`).
    pub panic_mode_any: bool,
    /// Whether a list in a host's metadata puts the host into one subset for each element
    /// (`list_as_any`).
    pub list_as_any: bool,
    /// Whether criteria keys outside a selector are ignored (`allow_redundant_keys`, typed policy
    /// only). The selector with the most matching keys applies.
    pub allow_redundant_keys: bool,
}

/// The fallback of a cluster (`LbSubsetFallbackPolicy`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum SubsetFallback {
    /// `NO_FALLBACK`: the request has no host.
    #[default]
    NoFallback,
    /// `ANY_ENDPOINT`: all hosts of the cluster.
    AnyEndpoint,
    /// `DEFAULT_SUBSET`: the hosts of the default subset.
    DefaultSubset,
}

/// A subset selector (`LbSubsetSelector`): hosts with all of its keys are in one subset for each
/// combination of values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubsetSelector {
    keys: Vec<Arc<str>>,
    fallback: SelectorFallback,
    single_host_per_subset: bool,
}

/// The fallback of a selector (`LbSubsetSelectorFallbackPolicy`). It applies if the criteria have
/// exactly the selector's keys but select no subset.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum SelectorFallback {
    /// `NOT_DEFINED`: the fallback of the cluster applies.
    #[default]
    NotDefined,
    /// `NO_FALLBACK`: the request has no host.
    NoFallback,
    /// `ANY_ENDPOINT`: all hosts of the cluster.
    AnyEndpoint,
    /// `DEFAULT_SUBSET`: the hosts of the default subset.
    DefaultSubset,
    /// `KEYS_SUBSET`: the lookup is repeated with these keys alone (`fallback_keys_subset`),
    /// sorted.
    KeysSubset(Vec<Arc<str>>),
}

/// Why a selector is invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SubsetSelectorError {
    /// `KEYS_SUBSET` requires at least one key.
    NoFallbackKeys,
    /// A fallback key is not a key of the selector.
    ForeignFallbackKey,
    /// The fallback keys must not be all keys of the selector, because the lookup would repeat
    /// itself.
    AllKeys,
}

impl SubsetSelector {
    /// Sorts the keys and checks the rules that Envoy checks when it loads a cluster.
    ///
    /// # Errors
    /// An error if the keys of `KEYS_SUBSET` are not a proper, non-empty subset of the selector's
    /// keys.
    ///
    /// # Examples
    /// ```
    /// use spillgate_core::model::{SelectorFallback, SubsetSelector, SubsetSelectorError};
    ///
    /// let fallback = SelectorFallback::KeysSubset(vec!["stage".into()]);
    /// let selector = SubsetSelector::new(["version", "stage"], fallback, false).unwrap();
    /// assert_eq!(&*selector.keys()[0], "stage");
    ///
    /// let fallback = SelectorFallback::KeysSubset(vec!["zone".into()]);
    /// let error = SubsetSelector::new(["stage"], fallback, false).unwrap_err();
    /// assert_eq!(error, SubsetSelectorError::ForeignFallbackKey);
    /// ```
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

    /// A selector of sorted keys without its own fallback.
    pub(crate) const fn of_sorted(keys: Vec<Arc<str>>) -> Self {
        Self {
            keys,
            fallback: SelectorFallback::NotDefined,
            single_host_per_subset: false,
        }
    }

    /// The keys, sorted and unique.
    #[must_use]
    pub fn keys(&self) -> &[Arc<str>] {
        &self.keys
    }

    /// The fallback of the selector.
    #[must_use]
    pub const fn fallback(&self) -> &SelectorFallback {
        &self.fallback
    }

    /// Whether each subset has a single host, whatever its health (`single_host_per_subset`).
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
    fn fallback_keys_are_a_proper_subset() {
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
