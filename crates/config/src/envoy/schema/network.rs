//! Filter chain conditions and the network filters that balance connections.

use crate::proto::{
    Irrelevance::{Admission, NotInForce, Observability, Process, Timing, Transport, UsedByOthers},
    Schema, limit,
};

/// `envoy.config.listener.v3.FilterChainMatch`: the connections of a filter chain.
pub(in crate::envoy) static FILTER_CHAIN_MATCH: Schema = Schema::new(
    "FilterChainMatch",
    "destination_port prefix_ranges server_names transport_protocol application_protocols \
     direct_source_prefix_ranges source_type source_prefix_ranges source_ports",
)
.of("envoy.config.listener.v3.FilterChainMatch")
.ignored(&[(NotInForce, "address_suffix suffix_len")]);

/// `envoy.config.core.v3.CidrRange`: addresses with a common prefix.
pub(in crate::envoy) static CIDR_RANGE: Schema =
    Schema::new("CidrRange", "address_prefix prefix_len").of("envoy.config.core.v3.CidrRange");

/// `envoy.config.listener.v3.ListenerFilter`: only its type is read.
pub(in crate::envoy) static LISTENER_FILTER: Schema =
    Schema::new("ListenerFilter", "name typed_config")
        .of("envoy.config.listener.v3.ListenerFilter")
        .limits(&[
            limit("config_discovery", "a filter from discovery is not known").even_empty(),
            limit(
                "filter_disabled",
                "some connections pass without this filter",
            ),
        ]);

/// `envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy`: the target of connections.
pub(in crate::envoy) static TCP_PROXY: Schema = Schema::new(
    "TcpProxy",
    "@type cluster weighted_clusters on_demand metadata_match hash_policy max_connect_attempts",
)
.of("envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy")
.ignored(&[
    (
        Observability,
        "stat_prefix access_log access_log_flush_interval \
         flush_access_log_on_connected access_log_options",
    ),
    (Process, "check_drain_close"),
    (
        Timing,
        "idle_timeout downstream_idle_timeout upstream_idle_timeout \
         backoff_options max_downstream_connection_duration \
         max_downstream_connection_duration_jitter_percentage",
    ),
    (
        Transport,
        "tunneling_config proxy_protocol_tlvs proxy_protocol_tlv_merge_policy \
         upstream_connect_mode max_early_data_bytes",
    ),
])
.over_time(&[
    limit("backoff_options", "further attempts to connect wait"),
    limit("idle_timeout", "connections that wait that long end"),
    limit(
        "max_downstream_connection_duration",
        "connections end after it",
    ),
    limit(
        "downstream_idle_timeout",
        "connections that wait that long end",
    ),
    limit(
        "upstream_idle_timeout",
        "connections that wait that long end",
    ),
]);

/// `envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy.WeightedCluster`: clusters that share the
/// connections.
pub(in crate::envoy) static TCP_WEIGHTED_CLUSTERS: Schema =
    Schema::new("TcpProxy.WeightedCluster", "clusters")
        .of("envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy.WeightedCluster");

/// `envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy.WeightedCluster.ClusterWeight`: one of them.
pub(in crate::envoy) static TCP_CLUSTER_WEIGHT: Schema = Schema::new(
    "TcpProxy.WeightedCluster.ClusterWeight",
    "name weight metadata_match",
)
.of("envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy.WeightedCluster.ClusterWeight");

/// `envoy.type.v3.HashPolicy`: what is hashed of a connection.
pub(in crate::envoy) static TCP_HASH_POLICY: Schema =
    Schema::new("HashPolicy", "source_ip filter_state").of("envoy.type.v3.HashPolicy");

/// `envoy.type.v3.HashPolicy.SourceIp`: the client address.
pub(in crate::envoy) static SOURCE_IP: Schema =
    Schema::new("HashPolicy.SourceIp", "").of("envoy.type.v3.HashPolicy.SourceIp");

/// `envoy.extensions.filters.udp.udp_proxy.v3.UdpProxyConfig`: the cluster of UDP sessions. Balancing
/// each datagram has the same shares.
pub(in crate::envoy) static UDP_PROXY: Schema = Schema::new(
    "UdpProxyConfig",
    "@type cluster matcher hash_policies use_per_packet_load_balancing session_filters \
     tunneling_config",
)
.of("envoy.extensions.filters.udp.udp_proxy.v3.UdpProxyConfig")
.ignored(&[
    (
        Observability,
        "stat_prefix access_log proxy_access_log access_log_options",
    ),
    (Timing, "idle_timeout"),
    (Transport, "use_original_src_ip upstream_socket_config"),
])
.partly("matcher session_filters tunneling_config use_per_packet_load_balancing");

/// `envoy.extensions.filters.udp.udp_proxy.v3.UdpProxyConfig.HashPolicy`: what is hashed of a session.
pub(in crate::envoy) static UDP_HASH_POLICY: Schema =
    Schema::new("UdpProxyConfig.HashPolicy", "source_ip key")
        .of("envoy.extensions.filters.udp.udp_proxy.v3.UdpProxyConfig.HashPolicy");

/// `envoy.extensions.filters.udp.udp_proxy.v3.Route`: an action of its matcher.
pub(in crate::envoy) static UDP_ROUTE: Schema = Schema::new("udp_proxy.v3.Route", "@type cluster")
    .of("envoy.extensions.filters.udp.udp_proxy.v3.Route");

/// What the passwords of a Redis proxy do.
const AUTH: &str = "commands of clients without the password are refused";

/// `envoy.extensions.filters.network.redis_proxy.v3.RedisProxy`: the clusters of Redis keys.
pub(in crate::envoy) static REDIS_PROXY: Schema =
    Schema::new("RedisProxy", "@type settings prefix_routes")
        .of("envoy.extensions.filters.network.redis_proxy.v3.RedisProxy")
        .limits(&[
            limit("faults", "some commands are answered without a host"),
            limit("downstream_auth_password", AUTH),
            limit("downstream_auth_passwords", AUTH),
            limit("external_auth_provider", AUTH),
        ])
        .ignored(&[
            (Admission, "downstream_auth_username"),
            (Observability, "stat_prefix latency_in_micros"),
            (Transport, "custom_commands protocol_version"),
        ]);

/// `envoy.extensions.filters.network.redis_proxy.v3.RedisProxy.ConnPoolSettings`: how keys are hashed.
/// Its read policy decides only in a Redis cluster.
pub(in crate::envoy) static REDIS_SETTINGS: Schema =
    Schema::new("RedisProxy.ConnPoolSettings", "enable_hashtagging")
        .of("envoy.extensions.filters.network.redis_proxy.v3.RedisProxy.ConnPoolSettings")
        .limits(&[limit(
            "enable_redirection",
            "MOVED and ASK answers send commands to other hosts",
        )])
        .ignored(&[
            (
                Admission,
                "max_upstream_unknown_connections connection_rate_limit",
            ),
            (Observability, "enable_command_stats"),
            (Timing, "op_timeout buffer_flush_timeout"),
            (Transport, "dns_cache_config max_buffer_size_before_flush"),
            (UsedByOthers, "read_policy"),
        ])
        .over_time(&[
            limit(
                "connection_rate_limit",
                "new connections to a host can wait",
            ),
            limit("op_timeout", "commands that take that long fail"),
        ]);

/// `envoy.extensions.filters.network.redis_proxy.v3.RedisProxy.PrefixRoutes`: routes by the beginning of
/// the key.
pub(in crate::envoy) static REDIS_PREFIX_ROUTES: Schema = Schema::new(
    "RedisProxy.PrefixRoutes",
    "routes case_insensitive catch_all_route",
)
.of("envoy.extensions.filters.network.redis_proxy.v3.RedisProxy.PrefixRoutes");

/// `envoy.extensions.filters.network.redis_proxy.v3.RedisProxy.PrefixRoutes.Route`: one of them.
pub(in crate::envoy) static REDIS_ROUTE: Schema = Schema::new(
    "RedisProxy.PrefixRoutes.Route",
    "prefix remove_prefix cluster key_formatter",
)
.of("envoy.extensions.filters.network.redis_proxy.v3.RedisProxy.PrefixRoutes.Route")
.limits(&[
    limit(
        "read_command_policy",
        "commands that read can have another cluster",
    ),
    limit(
        "request_mirror_policy",
        "copies of commands advance the policy of their cluster, so picks in a row can differ",
    ),
]);
