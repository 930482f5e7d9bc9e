//! Balancing policies, classic and typed.

use crate::proto::Schema;

pub(in crate::envoy) static CONSISTENT_HASHING: Schema =
    Schema::new("ConsistentHashingLbConfig", &["use_hostname_for_hashing"])
        .unmodelled(&["hash_balance_factor", "hash_policy"]);

pub(in crate::envoy) static LEGACY_RING_HASH: Schema = Schema::new(
    "Cluster.RingHashLbConfig",
    &["minimum_ring_size", "maximum_ring_size", "hash_function"],
);

pub(in crate::envoy) static LEGACY_MAGLEV: Schema =
    Schema::new("Cluster.MaglevLbConfig", &["table_size"]);

pub(in crate::envoy) static LEGACY_ROUND_ROBIN: Schema =
    Schema::new("Cluster.RoundRobinLbConfig", &[]).unmodelled(&["slow_start_config"]);

pub(in crate::envoy) static LEGACY_LEAST_REQUEST: Schema =
    Schema::new("Cluster.LeastRequestLbConfig", &[])
        .unmodelled(&["slow_start_config"])
        .ignored(&["choice_count", "active_request_bias"]);

pub(in crate::envoy) static LOAD_BALANCING_POLICY: Schema =
    Schema::new("LoadBalancingPolicy", &["policies"]);

pub(in crate::envoy) static POLICY: Schema =
    Schema::new("LoadBalancingPolicy.Policy", &["typed_extension_config"]);

pub(in crate::envoy) static TYPED_EXTENSION: Schema =
    Schema::new("TypedExtensionConfig", &["name", "typed_config"]);

pub(in crate::envoy) static RING_HASH: Schema = Schema::new(
    "ring_hash.v3.RingHash",
    &[
        "@type",
        "hash_function",
        "minimum_ring_size",
        "maximum_ring_size",
        "use_hostname_for_hashing",
        "consistent_hashing_lb_config",
        "locality_weighted_lb_config",
    ],
)
.unmodelled(&["hash_balance_factor"]);

pub(in crate::envoy) static MAGLEV: Schema = Schema::new(
    "maglev.v3.Maglev",
    &[
        "@type",
        "table_size",
        "consistent_hashing_lb_config",
        "locality_weighted_lb_config",
    ],
);

pub(in crate::envoy) static ROUND_ROBIN: Schema = Schema::new(
    "round_robin.v3.RoundRobin",
    &["@type", "locality_lb_config"],
)
.unmodelled(&["slow_start_config"]);

pub(in crate::envoy) static RANDOM: Schema =
    Schema::new("random.v3.Random", &["@type", "locality_lb_config"]);

pub(in crate::envoy) static LOCALITY_LB_CONFIG: Schema =
    Schema::new("LocalityLbConfig", &["locality_weighted_lb_config"])
        .unmodelled(&["zone_aware_lb_config"]);

pub(in crate::envoy) static LOCALITY_WEIGHTED: Schema =
    Schema::new("LocalityWeightedLbConfig", &[]);

pub(in crate::envoy) static OVERRIDE_HOST: Schema = Schema::new(
    "override_host.v3.OverrideHost",
    &["@type", "fallback_policy"],
)
.ignored(&["override_host_sources", "selected_host_key"]);
