//! Load assignments.

use crate::proto::Schema;

/// `envoy.config.endpoint.v3.ClusterLoadAssignment`: the endpoints of a cluster by locality and
/// priority.
pub(in crate::envoy) static LOAD_ASSIGNMENT: Schema = Schema::new(
    "ClusterLoadAssignment",
    "@type cluster_name endpoints policy",
)
.ignored("named_endpoints");

/// `envoy.config.endpoint.v3.ClusterLoadAssignment.Policy`: overprovisioning factor and dropped
/// overload.
pub(in crate::envoy) static ASSIGNMENT_POLICY: Schema = Schema::new(
    "ClusterLoadAssignment.Policy",
    "drop_overloads endpoint_stale_after overprovisioning_factor weighted_priority_health",
);

/// `envoy.config.endpoint.v3.ClusterLoadAssignment.Policy.DropOverload`: a share of requests
/// that is dropped.
pub(in crate::envoy) static DROP_OVERLOAD: Schema = Schema::new(
    "ClusterLoadAssignment.Policy.DropOverload",
    "category drop_percentage",
);

/// `envoy.type.v3.FractionalPercent`: a numerator over 100, 10,000 or 1,000,000.
pub(in crate::envoy) static FRACTIONAL_PERCENT: Schema =
    Schema::new("FractionalPercent", "numerator denominator");

/// `envoy.config.endpoint.v3.LocalityLbEndpoints`: the endpoints of a locality in a priority.
pub(in crate::envoy) static LOCALITY_LB_ENDPOINTS: Schema = Schema::new(
    "LocalityLbEndpoints",
    "locality lb_endpoints load_balancing_weight priority",
)
.not_modeled("load_balancer_endpoints leds_cluster_locality_config")
.ignored("metadata proximity");

/// `envoy.config.core.v3.Locality`: region, zone and sub-zone.
pub(in crate::envoy) static LOCALITY: Schema = Schema::new("Locality", "region zone sub_zone");

/// `envoy.config.endpoint.v3.LbEndpoint`: an endpoint with health status, weight and metadata.
pub(in crate::envoy) static LB_ENDPOINT: Schema = Schema::new(
    "LbEndpoint",
    "endpoint endpoint_name health_status metadata load_balancing_weight",
);

/// `envoy.config.endpoint.v3.Endpoint`: the address of a host.
pub(in crate::envoy) static ENDPOINT: Schema = Schema::new("Endpoint", "address hostname")
    .ignored("health_check_config additional_addresses observability_name");

/// `envoy.config.core.v3.Address`: one of the three kinds of addresses.
pub(in crate::envoy) static ADDRESS: Schema =
    Schema::new("Address", "socket_address pipe envoy_internal_address");

/// `envoy.config.listener.v3.AdditionalAddress`: a further address of a listener.
pub(in crate::envoy) static ADDITIONAL_ADDRESS: Schema =
    Schema::new("AdditionalAddress", "address").ignored("socket_options");

/// `envoy.config.core.v3.SocketAddress`: an IP address or a name, with a port.
pub(in crate::envoy) static SOCKET_ADDRESS: Schema =
    Schema::new("SocketAddress", "address port_value")
        .not_modeled("named_port")
        .ignored("protocol resolver_name ipv4_compat network_namespace_filepath");

/// `envoy.config.core.v3.Pipe`: a Unix domain socket.
pub(in crate::envoy) static PIPE: Schema = Schema::new("Pipe", "path").ignored("mode");

/// `envoy.config.core.v3.EnvoyInternalAddress`: a listener inside the same Envoy.
pub(in crate::envoy) static INTERNAL_ADDRESS: Schema =
    Schema::new("EnvoyInternalAddress", "server_listener_name endpoint_id");

/// `envoy.config.core.v3.Metadata`: a Struct for each namespace.
pub(in crate::envoy) static METADATA: Schema =
    Schema::new("Metadata", "filter_metadata").ignored("typed_filter_metadata");
