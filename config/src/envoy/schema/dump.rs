//! What `/config_dump` answers with (`envoy.admin.v3`).

use crate::proto::Schema;

pub(in crate::envoy) static CONFIG_DUMP: Schema = Schema::new("ConfigDump", "@type configs");

pub(in crate::envoy) static BOOTSTRAP_DUMP: Schema =
    Schema::new("BootstrapConfigDump", "@type bootstrap").ignored("last_updated");

pub(in crate::envoy) static CLUSTERS_DUMP: Schema = Schema::new(
    "ClustersConfigDump",
    "@type static_clusters dynamic_active_clusters dynamic_warming_clusters",
)
.ignored("version_info");

pub(in crate::envoy) static LISTENERS_DUMP: Schema = Schema::new(
    "ListenersConfigDump",
    "@type static_listeners dynamic_listeners",
)
.ignored("version_info");

pub(in crate::envoy) static DYNAMIC_LISTENER: Schema = Schema::new(
    "ListenersConfigDump.DynamicListener",
    "@type name active_state warming_state draining_state error_state",
)
.ignored("client_status");

pub(in crate::envoy) static ROUTES_DUMP: Schema = Schema::new(
    "RoutesConfigDump",
    "@type static_route_configs dynamic_route_configs",
);

pub(in crate::envoy) static ENDPOINTS_DUMP: Schema = Schema::new(
    "EndpointsConfigDump",
    "@type static_endpoint_configs dynamic_endpoint_configs",
);

pub(in crate::envoy) static ECDS_DUMP: Schema = Schema::new("EcdsConfigDump", "@type ecds_filters");

/// One resource, whatever its kind: a dump of one kind has one of the first fields only.
pub(in crate::envoy) static DUMPED: Schema = Schema::new(
    "a resource of a dump",
    "@type cluster listener route_config endpoint_config ecds_filter error_state",
)
.ignored("version_info last_updated client_status");

pub(in crate::envoy) static UPDATE_FAILURE: Schema = Schema::new("UpdateFailureState", "details")
    .ignored("failed_configuration last_update_attempt version_info");

pub(in crate::envoy) static TYPED_EXTENSION_CONFIG: Schema =
    Schema::new("TypedExtensionConfig", "@type name typed_config");
