//! Filter chain conditions and the network filters that balance connections.

use crate::proto::Schema;

/// `envoy.config.listener.v3.FilterChainMatch`: the connections of a filter chain.
pub(in crate::envoy) static FILTER_CHAIN_MATCH: Schema = Schema::new(
    "FilterChainMatch",
    "destination_port prefix_ranges server_names transport_protocol application_protocols \
     direct_source_prefix_ranges source_type source_prefix_ranges source_ports",
)
// Envoy does not implement them.
.ignored("address_suffix suffix_len");

/// `envoy.config.core.v3.CidrRange`: addresses with a common prefix.
pub(in crate::envoy) static CIDR_RANGE: Schema =
    Schema::new("CidrRange", "address_prefix prefix_len");

/// `envoy.config.listener.v3.ListenerFilter`: only its type is read.
pub(in crate::envoy) static LISTENER_FILTER: Schema =
    Schema::new("ListenerFilter", "name typed_config").ignored("config_discovery filter_disabled");

/// `envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy`: the target of connections.
pub(in crate::envoy) static TCP_PROXY: Schema = Schema::new(
    "TcpProxy",
    "@type cluster weighted_clusters on_demand metadata_match hash_policy",
)
.ignored(
    "stat_prefix idle_timeout downstream_idle_timeout upstream_idle_timeout access_log \
     max_connect_attempts backoff_options tunneling_config max_downstream_connection_duration \
     max_downstream_connection_duration_jitter_percentage access_log_flush_interval \
     flush_access_log_on_connected access_log_options proxy_protocol_tlvs \
     proxy_protocol_tlv_merge_policy upstream_connect_mode max_early_data_bytes \
     check_drain_close",
);

/// `envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy.WeightedCluster`: clusters that share the
/// connections.
pub(in crate::envoy) static TCP_WEIGHTED_CLUSTERS: Schema =
    Schema::new("TcpProxy.WeightedCluster", "clusters");

/// `envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy.WeightedCluster.ClusterWeight`: one of them.
pub(in crate::envoy) static TCP_CLUSTER_WEIGHT: Schema = Schema::new(
    "TcpProxy.WeightedCluster.ClusterWeight",
    "name weight metadata_match",
);

/// `envoy.type.v3.HashPolicy`: what is hashed of a connection.
pub(in crate::envoy) static TCP_HASH_POLICY: Schema =
    Schema::new("HashPolicy", "source_ip filter_state");

/// `envoy.type.v3.HashPolicy.SourceIp`: the client address.
pub(in crate::envoy) static SOURCE_IP: Schema = Schema::new("HashPolicy.SourceIp", "");

/// `envoy.extensions.filters.network.redis_proxy.v3.RedisProxy`: the clusters of Redis keys.
pub(in crate::envoy) static REDIS_PROXY: Schema =
    Schema::new("RedisProxy", "@type settings prefix_routes").ignored(
        "stat_prefix latency_in_micros downstream_auth_password downstream_auth_passwords \
     faults downstream_auth_username external_auth_provider custom_commands protocol_version",
    );

/// `envoy.extensions.filters.network.redis_proxy.v3.RedisProxy.ConnPoolSettings`: how keys are hashed.
/// Its read policy decides only in a Redis cluster.
pub(in crate::envoy) static REDIS_SETTINGS: Schema =
    Schema::new("RedisProxy.ConnPoolSettings", "enable_hashtagging").ignored(
        "op_timeout enable_redirection dns_cache_config max_buffer_size_before_flush \
     buffer_flush_timeout max_upstream_unknown_connections enable_command_stats read_policy \
     connection_rate_limit",
    );

/// `envoy.extensions.filters.network.redis_proxy.v3.RedisProxy.PrefixRoutes`: routes by the beginning of
/// the key.
pub(in crate::envoy) static REDIS_PREFIX_ROUTES: Schema = Schema::new(
    "RedisProxy.PrefixRoutes",
    "routes case_insensitive catch_all_route",
);

/// `envoy.extensions.filters.network.redis_proxy.v3.RedisProxy.PrefixRoutes.Route`: one of them.
pub(in crate::envoy) static REDIS_ROUTE: Schema = Schema::new(
    "RedisProxy.PrefixRoutes.Route",
    "prefix remove_prefix cluster key_formatter",
)
.not_modeled("read_command_policy")
.ignored("request_mirror_policy");
