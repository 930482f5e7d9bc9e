//! Load assignments.

use crate::proto::{
    Irrelevance::{Discovery, NotInForce, Observability, Transport, UsedByOthers},
    Schema, limit,
};

/// `envoy.config.endpoint.v3.ClusterLoadAssignment`: the endpoints of a cluster by locality and
/// priority.
pub(in crate::envoy) static LOAD_ASSIGNMENT: Schema = Schema::new(
    "ClusterLoadAssignment",
    "@type cluster_name endpoints policy",
)
.of("envoy.config.endpoint.v3.ClusterLoadAssignment")
.ignored(&[(NotInForce, "named_endpoints")]);

/// `envoy.config.endpoint.v3.ClusterLoadAssignment.Policy`: overprovisioning factor and dropped
/// overload.
pub(in crate::envoy) static ASSIGNMENT_POLICY: Schema = Schema::new(
    "ClusterLoadAssignment.Policy",
    "drop_overloads endpoint_stale_after overprovisioning_factor weighted_priority_health",
)
.of("envoy.config.endpoint.v3.ClusterLoadAssignment.Policy")
.partly("endpoint_stale_after");

/// `envoy.config.endpoint.v3.ClusterLoadAssignment.Policy.DropOverload`: a share of requests
/// that is dropped.
pub(in crate::envoy) static DROP_OVERLOAD: Schema = Schema::new(
    "ClusterLoadAssignment.Policy.DropOverload",
    "category drop_percentage",
)
.of("envoy.config.endpoint.v3.ClusterLoadAssignment.Policy.DropOverload");

/// `envoy.type.v3.FractionalPercent`: a numerator over 100, 10,000 or 1,000,000.
pub(in crate::envoy) static FRACTIONAL_PERCENT: Schema =
    Schema::new("FractionalPercent", "numerator denominator").of("envoy.type.v3.FractionalPercent");

/// `envoy.config.endpoint.v3.LocalityLbEndpoints`: the endpoints of a locality in a priority.
pub(in crate::envoy) static LOCALITY_LB_ENDPOINTS: Schema = Schema::new(
    "LocalityLbEndpoints",
    "locality lb_endpoints load_balancing_weight priority",
)
.of("envoy.config.endpoint.v3.LocalityLbEndpoints")
.limits(&[
    limit(
        "leds_cluster_locality_config",
        "its hosts are missing in the answer",
    )
    .even_empty(),
    limit(
        "load_balancer_endpoints",
        "its hosts are missing in the answer",
    ),
])
.ignored(&[(NotInForce, "proximity"), (UsedByOthers, "metadata")]);

/// `envoy.config.core.v3.Locality`: region, zone and sub-zone.
pub(in crate::envoy) static LOCALITY: Schema =
    Schema::new("Locality", "region zone sub_zone").of("envoy.config.core.v3.Locality");

/// `envoy.config.endpoint.v3.LbEndpoint`: an endpoint with health status, weight and metadata.
pub(in crate::envoy) static LB_ENDPOINT: Schema = Schema::new(
    "LbEndpoint",
    "endpoint endpoint_name health_status metadata load_balancing_weight",
)
.of("envoy.config.endpoint.v3.LbEndpoint");

/// `envoy.config.endpoint.v3.Endpoint`: the address of a host.
pub(in crate::envoy) static ENDPOINT: Schema = Schema::new("Endpoint", "address hostname")
    .of("envoy.config.endpoint.v3.Endpoint")
    .ignored(&[
        (Discovery, "health_check_config"),
        (Observability, "observability_name"),
        (Transport, "additional_addresses"),
    ])
    .over_time(&[
        limit(
            "additional_addresses",
            "if an address refuses connections, the next one is tried",
        ),
        limit("health_check_config", "this host is checked here")
            .with("disable_active_health_check"),
    ])
    .partly("hostname");

/// `envoy.config.core.v3.Address`: one of the three kinds of addresses.
pub(in crate::envoy) static ADDRESS: Schema =
    Schema::new("Address", "socket_address pipe envoy_internal_address")
        .of("envoy.config.core.v3.Address");

/// `envoy.config.listener.v3.AdditionalAddress`: a further address of a listener.
pub(in crate::envoy) static ADDITIONAL_ADDRESS: Schema =
    Schema::new("AdditionalAddress", "address")
        .of("envoy.config.listener.v3.AdditionalAddress")
        .ignored(&[(Transport, "socket_options tcp_keepalive")]);

/// `envoy.config.core.v3.SocketAddress`: an IP address or a name, with a port.
pub(in crate::envoy) static SOCKET_ADDRESS: Schema =
    Schema::new("SocketAddress", "address port_value")
        .of("envoy.config.core.v3.SocketAddress")
        .limits(&[limit("named_port", "the address of the host is another")])
        .ignored(&[
            (Discovery, "resolver_name"),
            (Transport, "ipv4_compat network_namespace_filepath protocol"),
        ]);

/// `envoy.config.core.v3.Pipe`: a Unix domain socket.
pub(in crate::envoy) static PIPE: Schema = Schema::new("Pipe", "path")
    .of("envoy.config.core.v3.Pipe")
    .ignored(&[(Transport, "mode")]);

/// `envoy.config.core.v3.EnvoyInternalAddress`: a listener inside the same Envoy.
pub(in crate::envoy) static INTERNAL_ADDRESS: Schema =
    Schema::new("EnvoyInternalAddress", "server_listener_name endpoint_id")
        .of("envoy.config.core.v3.EnvoyInternalAddress");

/// `envoy.config.core.v3.Metadata`: a Struct for each namespace.
pub(in crate::envoy) static METADATA: Schema = Schema::new("Metadata", "filter_metadata")
    .of("envoy.config.core.v3.Metadata")
    .ignored(&[(UsedByOthers, "typed_filter_metadata")]);
