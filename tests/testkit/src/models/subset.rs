//! Subsets.

use spillgate_core::model::{SelectorFallback, SubsetConfig, SubsetFallback, SubsetSelector};

use super::{Dice, Extent};

impl Dice {
    /// Subset settings; the classic form has at least one selector.
    pub(super) fn subsets(&mut self, extent: Extent) -> SubsetConfig {
        let allow_redundant_keys = self.chance(15);
        let least = usize::from(!self.chance(5));
        let mut selectors: Vec<SubsetSelector> = (0..self.between(least, extent.size.max(1)))
            .filter_map(|_| self.selector(extent))
            .collect();
        if allow_redundant_keys {
            // The reader puts selectors with more keys first, as Envoy does.
            selectors.sort_by_key(|selector| std::cmp::Reverse(selector.keys().len()));
        }
        SubsetConfig {
            selectors,
            fallback: self.one(&[
                SubsetFallback::NoFallback,
                SubsetFallback::AnyEndpoint,
                SubsetFallback::DefaultSubset,
            ]),
            default_subset: self.metadata(extent),
            fallback_list: self.chance(20),
            locality_weight_aware: self.chance(30),
            scale_locality_weight: self.chance(30),
            panic_mode_any: self.chance(20),
            list_as_any: self.chance(20),
            allow_redundant_keys,
        }
    }

    fn selector(&mut self, extent: Extent) -> Option<SubsetSelector> {
        let mut keys: Vec<&str> = vec![self.key(extent)];
        for _ in 0..self.below(3) {
            keys.push(self.key(extent));
        }
        keys.sort_unstable();
        keys.dedup();
        let fallback = match self.below(6) {
            0 => SelectorFallback::NoFallback,
            1 => SelectorFallback::AnyEndpoint,
            2 => SelectorFallback::DefaultSubset,
            3 if keys.len() > 1 => {
                let part = &keys[..self.between(1, keys.len() - 1)];
                SelectorFallback::KeysSubset(part.iter().map(|&key| key.into()).collect())
            }
            _ => SelectorFallback::NotDefined,
        };
        // Envoy accepts single hosts only for selectors with one key.
        let single = (extent.few || keys.len() == 1) && self.chance(10);
        SubsetSelector::new(keys, fallback, single).ok()
    }
}
