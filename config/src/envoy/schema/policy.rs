//! Balancing policies, classic and typed.

use crate::proto::Schema;

pub(in crate::envoy) static LEGACY_CONSISTENT_HASHING: Schema = Schema::new(
    "Cluster.CommonLbConfig.ConsistentHashingLbConfig",
    "use_hostname_for_hashing hash_balance_factor",
);

pub(in crate::envoy) static CONSISTENT_HASHING: Schema = Schema::new(
    "ConsistentHashingLbConfig",
    "use_hostname_for_hashing hash_balance_factor hash_policy",
);

pub(in crate::envoy) static LEGACY_RING_HASH: Schema = Schema::new(
    "Cluster.RingHashLbConfig",
    "minimum_ring_size maximum_ring_size hash_function",
);

pub(in crate::envoy) static LEGACY_MAGLEV: Schema =
    Schema::new("Cluster.MaglevLbConfig", "table_size");

pub(in crate::envoy) static LEGACY_ROUND_ROBIN: Schema =
    Schema::new("Cluster.RoundRobinLbConfig", "slow_start_config");

pub(in crate::envoy) static LEGACY_LEAST_REQUEST: Schema = Schema::new(
    "Cluster.LeastRequestLbConfig",
    "choice_count active_request_bias slow_start_config",
);

pub(in crate::envoy) static LEGACY_ORIGINAL_DST: Schema = Schema::new(
    "Cluster.OriginalDstLbConfig",
    "use_http_header http_header_name upstream_port_override metadata_key",
);

pub(in crate::envoy) static METADATA_KEY: Schema = Schema::new("MetadataKey", "key path");

pub(in crate::envoy) static LOAD_BALANCING_POLICY: Schema =
    Schema::new("LoadBalancingPolicy", "policies");

pub(in crate::envoy) static POLICY: Schema =
    Schema::new("LoadBalancingPolicy.Policy", "typed_extension_config");

pub(in crate::envoy) static TYPED_EXTENSION: Schema =
    Schema::new("TypedExtensionConfig", "name typed_config");

pub(in crate::envoy) static TYPED_STRUCT: Schema =
    Schema::new("TypedStruct", "@type type_url value");

pub(in crate::envoy) static RING_HASH: Schema = Schema::new(
    "ring_hash.v3.RingHash",
    "@type hash_function minimum_ring_size maximum_ring_size use_hostname_for_hashing \
     hash_balance_factor consistent_hashing_lb_config locality_weighted_lb_config",
);

pub(in crate::envoy) static MAGLEV: Schema = Schema::new(
    "maglev.v3.Maglev",
    "@type table_size consistent_hashing_lb_config locality_weighted_lb_config",
);

pub(in crate::envoy) static ROUND_ROBIN: Schema = Schema::new(
    "round_robin.v3.RoundRobin",
    "@type locality_lb_config slow_start_config",
);

pub(in crate::envoy) static RANDOM: Schema =
    Schema::new("random.v3.Random", "@type locality_lb_config");

pub(in crate::envoy) static LEAST_REQUEST: Schema = Schema::new(
    "least_request.v3.LeastRequest",
    "@type choice_count active_request_bias slow_start_config locality_lb_config \
     enable_full_scan selection_method",
);

pub(in crate::envoy) static CLIENT_SIDE_WEIGHTED: Schema = Schema::new(
    "client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin",
    "@type enable_oob_load_report oob_reporting_period blackout_period \
     weight_expiration_period weight_update_period error_utilization_penalty \
     metric_names_for_computing_utilization slow_start_config",
)
.ignored("oob_reporting_config");

pub(in crate::envoy) static WRR_LOCALITY: Schema = Schema::new(
    "wrr_locality.v3.WrrLocality",
    "@type endpoint_picking_policy",
);

pub(in crate::envoy) static CLUSTER_PROVIDED: Schema =
    Schema::new("cluster_provided.v3.ClusterProvided", "@type");

pub(in crate::envoy) static OVERRIDE_HOST: Schema = Schema::new(
    "override_host.v3.OverrideHost",
    "@type fallback_policy override_host_sources",
)
.ignored("selected_host_key");

pub(in crate::envoy) static OVERRIDE_HOST_SOURCE: Schema = Schema::new(
    "override_host.v3.OverrideHost.OverrideHostSource",
    "header metadata",
);

pub(in crate::envoy) static PATH_SEGMENT: Schema = Schema::new("MetadataKey.PathSegment", "key");

pub(in crate::envoy) static LOCALITY_LB_CONFIG: Schema = Schema::new(
    "LocalityLbConfig",
    "zone_aware_lb_config locality_weighted_lb_config",
);

pub(in crate::envoy) static LOCALITY_WEIGHTED: Schema = Schema::new("LocalityWeightedLbConfig", "");

pub(in crate::envoy) static LEGACY_ZONE_AWARE: Schema = Schema::new(
    "Cluster.CommonLbConfig.ZoneAwareLbConfig",
    "routing_enabled min_cluster_size fail_traffic_on_panic",
);

pub(in crate::envoy) static ZONE_AWARE: Schema = Schema::new(
    "LocalityLbConfig.ZoneAwareLbConfig",
    "routing_enabled min_cluster_size fail_traffic_on_panic force_locality_direct_routing \
     force_local_zone locality_basis",
);

pub(in crate::envoy) static FORCE_LOCAL_ZONE: Schema = Schema::new(
    "LocalityLbConfig.ZoneAwareLbConfig.ForceLocalZone",
    "min_size",
);

pub(in crate::envoy) static SLOW_START: Schema = Schema::new(
    "SlowStartConfig",
    "slow_start_window aggression min_weight_percent",
);

pub(in crate::envoy) static RUNTIME_DOUBLE: Schema =
    Schema::new("RuntimeDouble", "default_value runtime_key");
