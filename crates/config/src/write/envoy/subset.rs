//! Subsets of hosts; the classic and the typed message share these fields.

use spillgate_core::model::{SelectorFallback, SubsetConfig, SubsetSelector};

use super::{
    super::{names::name_of, tree::Fields},
    metadata::structure,
};
use crate::envoy::{METADATA_FALLBACK, OWN_FALLBACK, OwnFallback, SUBSET_FALLBACK};

/// The settings of subsets, without the nested policy of the typed form.
pub(super) fn subset(config: &SubsetConfig) -> Fields {
    Fields::new()
        .with(
            "fallback_policy",
            name_of(&SUBSET_FALLBACK, &config.fallback),
        )
        .with_filled("default_subset", structure(&config.default_subset))
        .with_list("subset_selectors", config.selectors.iter().map(selector))
        .with_flag("locality_weight_aware", config.locality_weight_aware)
        .with_flag("scale_locality_weight", config.scale_locality_weight)
        .with_flag("panic_mode_any", config.panic_mode_any)
        .with_flag("list_as_any", config.list_as_any)
        .with_flag("allow_redundant_keys", config.allow_redundant_keys)
        .with_unless(
            "metadata_fallback_policy",
            name_of(&METADATA_FALLBACK, &config.fallback_list),
            name_of(&METADATA_FALLBACK, &false),
        )
}

fn selector(selector: &SubsetSelector) -> Fields {
    let (own, keys) = match selector.fallback() {
        SelectorFallback::NotDefined => (OwnFallback::NotDefined, None),
        SelectorFallback::NoFallback => (OwnFallback::NoFallback, None),
        SelectorFallback::AnyEndpoint => (OwnFallback::AnyEndpoint, None),
        SelectorFallback::DefaultSubset => (OwnFallback::DefaultSubset, None),
        SelectorFallback::KeysSubset(keys) => (OwnFallback::KeysSubset, Some(keys)),
    };
    let texts = |keys: &[alloc::sync::Arc<str>]| {
        keys.iter()
            .map(|key| (&**key).into())
            .collect::<alloc::vec::Vec<super::super::tree::Tree>>()
    };
    Fields::new()
        .with("keys", texts(selector.keys()))
        .with_flag("single_host_per_subset", selector.single_host_per_subset())
        .with_unless(
            "fallback_policy",
            name_of(&OWN_FALLBACK, &own),
            name_of(&OWN_FALLBACK, &OwnFallback::NotDefined),
        )
        .with_some("fallback_keys_subset", keys.map(|keys| texts(keys)))
}
