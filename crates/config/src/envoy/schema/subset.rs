//! Subsets of hosts, classic and typed; they differ in two fields.

use crate::proto::Schema;

/// `envoy.config.cluster.v3.Cluster.LbSubsetConfig`: subset selectors and fallbacks.
pub(in crate::envoy) static LEGACY_SUBSET: Schema = Schema::new(
    "Cluster.LbSubsetConfig",
    "fallback_policy default_subset subset_selectors locality_weight_aware \
     scale_locality_weight panic_mode_any list_as_any metadata_fallback_policy",
)
.of("envoy.config.cluster.v3.Cluster.LbSubsetConfig");

/// `envoy.extensions.load_balancing_policies.subset.v3.Subset`: the same around a typed policy.
pub(in crate::envoy) static SUBSET: Schema = Schema::new(
    "subset.v3.Subset",
    "@type fallback_policy default_subset subset_selectors allow_redundant_keys \
     locality_weight_aware scale_locality_weight panic_mode_any list_as_any \
     metadata_fallback_policy subset_lb_policy",
)
.of("envoy.extensions.load_balancing_policies.subset.v3.Subset");

/// `envoy.config.cluster.v3.Cluster.LbSubsetConfig.LbSubsetSelector`: keys whose values define
/// subsets.
pub(in crate::envoy) static SUBSET_SELECTOR: Schema = Schema::new(
    "LbSubsetSelector",
    "keys single_host_per_subset fallback_policy fallback_keys_subset",
)
.of("envoy.config.cluster.v3.Cluster.LbSubsetConfig.LbSubsetSelector");
