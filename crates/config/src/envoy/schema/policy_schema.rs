//! Load-balancing policies, classic and typed.

use crate::proto::{
    Irrelevance::{Discovery, Observability},
    Schema, limit,
};

/// `envoy.config.cluster.v3.Cluster.CommonLbConfig.ConsistentHashingLbConfig`: common settings of
/// hash policies.
pub(in crate::envoy) static LEGACY_CONSISTENT_HASHING: Schema = Schema::new(
    "Cluster.CommonLbConfig.ConsistentHashingLbConfig",
    "use_hostname_for_hashing hash_balance_factor",
)
.of("envoy.config.cluster.v3.Cluster.CommonLbConfig.ConsistentHashingLbConfig");

/// `envoy.extensions.load_balancing_policies.common.v3.ConsistentHashingLbConfig`: the same in
/// typed policies.
pub(in crate::envoy) static CONSISTENT_HASHING: Schema = Schema::new(
    "ConsistentHashingLbConfig",
    "use_hostname_for_hashing hash_balance_factor hash_policy",
)
.of("envoy.extensions.load_balancing_policies.common.v3.ConsistentHashingLbConfig");

/// `envoy.config.cluster.v3.Cluster.RingHashLbConfig`: ring sizes and hash function.
pub(in crate::envoy) static LEGACY_RING_HASH: Schema = Schema::new(
    "Cluster.RingHashLbConfig",
    "minimum_ring_size maximum_ring_size hash_function",
)
.of("envoy.config.cluster.v3.Cluster.RingHashLbConfig");

/// `envoy.config.cluster.v3.Cluster.MaglevLbConfig`: the table size, a prime number.
pub(in crate::envoy) static LEGACY_MAGLEV: Schema =
    Schema::new("Cluster.MaglevLbConfig", "table_size")
        .of("envoy.config.cluster.v3.Cluster.MaglevLbConfig");

/// `envoy.config.cluster.v3.Cluster.RoundRobinLbConfig`: slow start.
pub(in crate::envoy) static LEGACY_ROUND_ROBIN: Schema =
    Schema::new("Cluster.RoundRobinLbConfig", "slow_start_config")
        .of("envoy.config.cluster.v3.Cluster.RoundRobinLbConfig");

/// `envoy.config.cluster.v3.Cluster.LeastRequestLbConfig`: choices, bias, slow start.
pub(in crate::envoy) static LEGACY_LEAST_REQUEST: Schema = Schema::new(
    "Cluster.LeastRequestLbConfig",
    "choice_count active_request_bias slow_start_config",
)
.of("envoy.config.cluster.v3.Cluster.LeastRequestLbConfig");

/// `envoy.config.cluster.v3.Cluster.OriginalDstLbConfig`: the source of a request's destination.
pub(in crate::envoy) static LEGACY_ORIGINAL_DST: Schema = Schema::new(
    "Cluster.OriginalDstLbConfig",
    "use_http_header http_header_name upstream_port_override metadata_key",
)
.of("envoy.config.cluster.v3.Cluster.OriginalDstLbConfig");

/// `envoy.type.metadata.v3.MetadataKey`: a namespace and a path in it.
pub(in crate::envoy) static METADATA_KEY: Schema =
    Schema::new("MetadataKey", "key path").of("envoy.type.metadata.v3.MetadataKey");

/// `envoy.config.cluster.v3.LoadBalancingPolicy`: a list of policies; the first known one is used.
pub(in crate::envoy) static LOAD_BALANCING_POLICY: Schema =
    Schema::new("LoadBalancingPolicy", "policies")
        .of("envoy.config.cluster.v3.LoadBalancingPolicy");

/// `envoy.config.cluster.v3.LoadBalancingPolicy.Policy`: one of them.
pub(in crate::envoy) static POLICY: Schema =
    Schema::new("LoadBalancingPolicy.Policy", "typed_extension_config")
        .of("envoy.config.cluster.v3.LoadBalancingPolicy.Policy");

/// `envoy.config.core.v3.TypedExtensionConfig`: a name and a typed message.
pub(in crate::envoy) static TYPED_EXTENSION: Schema =
    Schema::new("TypedExtensionConfig", "name typed_config")
        .of("envoy.config.core.v3.TypedExtensionConfig");

/// `xds.type.v3.TypedStruct`: a message as a Struct, with the name of its type.
pub(in crate::envoy) static TYPED_STRUCT: Schema =
    Schema::new("TypedStruct", "@type type_url value").of("xds.type.v3.TypedStruct");

/// `envoy.extensions.load_balancing_policies.ring_hash.v3.RingHash`: hashes on a ring.
pub(in crate::envoy) static RING_HASH: Schema = Schema::new(
    "ring_hash.v3.RingHash",
    "@type hash_function minimum_ring_size maximum_ring_size use_hostname_for_hashing \
     hash_balance_factor consistent_hashing_lb_config locality_weighted_lb_config",
)
.of("envoy.extensions.load_balancing_policies.ring_hash.v3.RingHash");

/// `envoy.extensions.load_balancing_policies.maglev.v3.Maglev`: hashes in a table.
pub(in crate::envoy) static MAGLEV: Schema = Schema::new(
    "maglev.v3.Maglev",
    "@type table_size consistent_hashing_lb_config locality_weighted_lb_config",
)
.of("envoy.extensions.load_balancing_policies.maglev.v3.Maglev");

/// `envoy.extensions.load_balancing_policies.round_robin.v3.RoundRobin`: hosts in turn, by weight.
pub(in crate::envoy) static ROUND_ROBIN: Schema = Schema::new(
    "round_robin.v3.RoundRobin",
    "@type locality_lb_config slow_start_config",
)
.of("envoy.extensions.load_balancing_policies.round_robin.v3.RoundRobin");

/// `envoy.extensions.load_balancing_policies.random.v3.Random`: a random host, regardless of
/// weights.
pub(in crate::envoy) static RANDOM: Schema =
    Schema::new("random.v3.Random", "@type locality_lb_config")
        .of("envoy.extensions.load_balancing_policies.random.v3.Random");

/// `envoy.extensions.load_balancing_policies.least_request.v3.LeastRequest`: the choice with the
/// fewest active requests.
pub(in crate::envoy) static LEAST_REQUEST: Schema = Schema::new(
    "least_request.v3.LeastRequest",
    "@type choice_count active_request_bias slow_start_config locality_lb_config \
     enable_full_scan selection_method",
)
.of("envoy.extensions.load_balancing_policies.least_request.v3.LeastRequest");

/// `envoy.extensions.load_balancing_policies.client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin`:
/// weights from load reports.
pub(in crate::envoy) static CLIENT_SIDE_WEIGHTED: Schema = Schema::new(
    "client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin",
    "@type enable_oob_load_report oob_reporting_period blackout_period \
     weight_expiration_period weight_update_period error_utilization_penalty \
     metric_names_for_computing_utilization slow_start_config",
)
.of("envoy.extensions.load_balancing_policies.client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin")
.ignored(&[(Discovery, "oob_reporting_config")]);

/// `envoy.extensions.load_balancing_policies.wrr_locality.v3.WrrLocality`: locality weights
/// around another policy.
pub(in crate::envoy) static WRR_LOCALITY: Schema = Schema::new(
    "wrr_locality.v3.WrrLocality",
    "@type endpoint_picking_policy",
)
.of("envoy.extensions.load_balancing_policies.wrr_locality.v3.WrrLocality");

/// `envoy.extensions.load_balancing_policies.load_aware_locality.v3.LoadAwareLocality`: localities
/// share requests by reported utilization.
pub(in crate::envoy) static LOAD_AWARE_LOCALITY: Schema = Schema::new(
    "load_aware_locality.v3.LoadAwareLocality",
    "@type endpoint_picking_policy weight_update_period metric_names_for_computing_utilization \
     utilization_variance_threshold smoothing_time_constant remote_probe_fraction \
     weight_expiration_period enable_oob_load_report oob_reporting_period oob_reporting_config",
)
.of("envoy.extensions.load_balancing_policies.load_aware_locality.v3.LoadAwareLocality");

/// `envoy.extensions.load_balancing_policies.cluster_provided.v3.ClusterProvided`: the cluster
/// type chooses.
pub(in crate::envoy) static CLUSTER_PROVIDED: Schema =
    Schema::new("cluster_provided.v3.ClusterProvided", "@type")
        .of("envoy.extensions.load_balancing_policies.cluster_provided.v3.ClusterProvided");

/// `envoy.extensions.load_balancing_policies.override_host.v3.OverrideHost`: hosts from requests,
/// or else a fallback policy.
pub(in crate::envoy) static OVERRIDE_HOST: Schema = Schema::new(
    "override_host.v3.OverrideHost",
    "@type fallback_policy override_host_sources",
)
.of("envoy.extensions.load_balancing_policies.override_host.v3.OverrideHost")
.ignored(&[(Observability, "selected_host_key")]);

/// `envoy.extensions.load_balancing_policies.override_host.v3.OverrideHost.OverrideHostSource`:
/// a header or metadata.
pub(in crate::envoy) static OVERRIDE_HOST_SOURCE: Schema = Schema::new(
    "override_host.v3.OverrideHost.OverrideHostSource",
    "header metadata",
)
.of("envoy.extensions.load_balancing_policies.override_host.v3.OverrideHost.OverrideHostSource");

/// `envoy.type.metadata.v3.MetadataKey.PathSegment`: one key of a path.
pub(in crate::envoy) static PATH_SEGMENT: Schema = Schema::new("MetadataKey.PathSegment", "key")
    .of("envoy.type.metadata.v3.MetadataKey.PathSegment")
    .limits(&[limit("index", "the element of a list is not found")]);

/// `envoy.extensions.load_balancing_policies.common.v3.LocalityLbConfig`: zone-aware routing or
/// locality weights.
pub(in crate::envoy) static LOCALITY_LB_CONFIG: Schema = Schema::new(
    "LocalityLbConfig",
    "zone_aware_lb_config locality_weighted_lb_config",
)
.of("envoy.extensions.load_balancing_policies.common.v3.LocalityLbConfig");

/// `envoy.extensions.load_balancing_policies.common.v3.LocalityLbConfig.LocalityWeightedLbConfig`: it has no fields.
pub(in crate::envoy) static LOCALITY_WEIGHTED: Schema = Schema::new("LocalityWeightedLbConfig", "")
    .of("envoy.extensions.load_balancing_policies.common.v3.LocalityLbConfig.LocalityWeightedLbConfig");

/// `envoy.config.cluster.v3.Cluster.CommonLbConfig.ZoneAwareLbConfig`: percentage and minimum
/// cluster size.
pub(in crate::envoy) static LEGACY_ZONE_AWARE: Schema = Schema::new(
    "Cluster.CommonLbConfig.ZoneAwareLbConfig",
    "routing_enabled min_cluster_size fail_traffic_on_panic",
)
.of("envoy.config.cluster.v3.Cluster.CommonLbConfig.ZoneAwareLbConfig");

/// `envoy.extensions.load_balancing_policies.common.v3.LocalityLbConfig.ZoneAwareLbConfig`: the
/// same in typed policies.
pub(in crate::envoy) static ZONE_AWARE: Schema = Schema::new(
    "LocalityLbConfig.ZoneAwareLbConfig",
    "routing_enabled min_cluster_size fail_traffic_on_panic force_locality_direct_routing \
     force_local_zone locality_basis",
)
.of("envoy.extensions.load_balancing_policies.common.v3.LocalityLbConfig.ZoneAwareLbConfig");

/// `envoy.extensions.load_balancing_policies.common.v3.LocalityLbConfig.ZoneAwareLbConfig.ForceLocalZone`:
/// the number of hosts from which all requests stay in the zone.
pub(in crate::envoy) static FORCE_LOCAL_ZONE: Schema = Schema::new(
    "LocalityLbConfig.ZoneAwareLbConfig.ForceLocalZone",
    "min_size",
).of("envoy.extensions.load_balancing_policies.common.v3.LocalityLbConfig.ZoneAwareLbConfig.ForceLocalZone");

/// `envoy.config.cluster.v3.Cluster.SlowStartConfig`: window, aggression, minimum weight.
pub(in crate::envoy) static SLOW_START: Schema = Schema::new(
    "SlowStartConfig",
    "slow_start_window aggression min_weight_percent",
)
.of("envoy.config.cluster.v3.Cluster.SlowStartConfig");

/// `envoy.config.core.v3.RuntimeDouble`: a number; its default is used.
pub(in crate::envoy) static RUNTIME_DOUBLE: Schema =
    Schema::new("RuntimeDouble", "default_value runtime_key")
        .of("envoy.config.core.v3.RuntimeDouble");
