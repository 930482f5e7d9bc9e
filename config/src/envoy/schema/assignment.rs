//! Load assignments.

use crate::proto::Schema;

pub(in crate::envoy) static LOAD_ASSIGNMENT: Schema = Schema::new(
    "ClusterLoadAssignment",
    "@type cluster_name endpoints policy",
)
.ignored("named_endpoints");

pub(in crate::envoy) static ASSIGNMENT_POLICY: Schema = Schema::new(
    "ClusterLoadAssignment.Policy",
    "drop_overloads endpoint_stale_after overprovisioning_factor weighted_priority_health",
);

pub(in crate::envoy) static DROP_OVERLOAD: Schema = Schema::new(
    "ClusterLoadAssignment.Policy.DropOverload",
    "category drop_percentage",
);

pub(in crate::envoy) static FRACTIONAL_PERCENT: Schema =
    Schema::new("FractionalPercent", "numerator denominator");

pub(in crate::envoy) static LOCALITY_LB_ENDPOINTS: Schema = Schema::new(
    "LocalityLbEndpoints",
    "locality lb_endpoints load_balancing_weight priority",
)
.unmodelled("load_balancer_endpoints leds_cluster_locality_config")
.ignored("metadata proximity");

pub(in crate::envoy) static LOCALITY: Schema = Schema::new("Locality", "region zone sub_zone");

pub(in crate::envoy) static LB_ENDPOINT: Schema = Schema::new(
    "LbEndpoint",
    "endpoint endpoint_name health_status metadata load_balancing_weight",
);

pub(in crate::envoy) static ENDPOINT: Schema = Schema::new("Endpoint", "address hostname")
    .ignored("health_check_config additional_addresses observability_name");

pub(in crate::envoy) static ADDRESS: Schema =
    Schema::new("Address", "socket_address pipe envoy_internal_address");

pub(in crate::envoy) static SOCKET_ADDRESS: Schema =
    Schema::new("SocketAddress", "address port_value")
        .unmodelled("named_port")
        .ignored("protocol resolver_name ipv4_compat network_namespace_filepath");

pub(in crate::envoy) static PIPE: Schema = Schema::new("Pipe", "path").ignored("mode");

pub(in crate::envoy) static INTERNAL_ADDRESS: Schema =
    Schema::new("EnvoyInternalAddress", "server_listener_name endpoint_id");

pub(in crate::envoy) static METADATA: Schema =
    Schema::new("Metadata", "filter_metadata").ignored("typed_filter_metadata");
