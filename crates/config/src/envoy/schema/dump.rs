//! The messages of `/config_dump` (`envoy.admin.v3`).

use crate::proto::{Irrelevance::Document, Schema};

/// `envoy.admin.v3.ConfigDump`: the response of `/config_dump`.
pub(in crate::envoy) static CONFIG_DUMP: Schema =
    Schema::new("ConfigDump", "@type configs").of("envoy.admin.v3.ConfigDump");

/// `envoy.admin.v3.BootstrapConfigDump`: the bootstrap of the running Envoy.
pub(in crate::envoy) static BOOTSTRAP_DUMP: Schema =
    Schema::new("BootstrapConfigDump", "@type bootstrap")
        .of("envoy.admin.v3.BootstrapConfigDump")
        .ignored(&[(Document, "last_updated")]);

/// `envoy.admin.v3.ClustersConfigDump`: static, active and warming clusters.
pub(in crate::envoy) static CLUSTERS_DUMP: Schema = Schema::new(
    "ClustersConfigDump",
    "@type static_clusters dynamic_active_clusters dynamic_warming_clusters",
)
.of("envoy.admin.v3.ClustersConfigDump")
.ignored(&[(Document, "version_info")]);

/// `envoy.admin.v3.ListenersConfigDump`: static and dynamic listeners.
pub(in crate::envoy) static LISTENERS_DUMP: Schema = Schema::new(
    "ListenersConfigDump",
    "@type static_listeners dynamic_listeners",
)
.of("envoy.admin.v3.ListenersConfigDump")
.ignored(&[(Document, "version_info")]);

/// `envoy.admin.v3.ListenersConfigDump.DynamicListener`: a listener in up to three states.
pub(in crate::envoy) static DYNAMIC_LISTENER: Schema = Schema::new(
    "ListenersConfigDump.DynamicListener",
    "@type name active_state warming_state draining_state error_state",
)
.of("envoy.admin.v3.ListenersConfigDump.DynamicListener")
.ignored(&[(Document, "client_status")]);

/// `envoy.admin.v3.RoutesConfigDump`: static and RDS route configurations.
pub(in crate::envoy) static ROUTES_DUMP: Schema = Schema::new(
    "RoutesConfigDump",
    "@type static_route_configs dynamic_route_configs",
)
.of("envoy.admin.v3.RoutesConfigDump");

/// `envoy.admin.v3.EndpointsConfigDump`: current assignments (`include_eds`).
pub(in crate::envoy) static ENDPOINTS_DUMP: Schema = Schema::new(
    "EndpointsConfigDump",
    "@type static_endpoint_configs dynamic_endpoint_configs",
)
.of("envoy.admin.v3.EndpointsConfigDump");

/// `envoy.admin.v3.EcdsConfigDump`: filters from ECDS.
pub(in crate::envoy) static ECDS_DUMP: Schema =
    Schema::new("EcdsConfigDump", "@type ecds_filters").of("envoy.admin.v3.EcdsConfigDump");

/// `envoy.admin.v3.Clusters`: the response of `/clusters?format=json`, also in a capture.
pub(crate) static CLUSTERS: Schema =
    Schema::new("Clusters", "@type cluster_statuses").of("envoy.admin.v3.Clusters");

/// One resource of any kind: a dump of one kind has only one of the first fields.
pub(in crate::envoy) static DUMPED: Schema = Schema::new(
    "a resource of a dump",
    "@type cluster listener route_config endpoint_config ecds_filter error_state client_status",
)
.ignored(&[(Document, "last_updated version_info")]);

/// `envoy.admin.v3.UpdateFailureState`: an update that Envoy rejected, and the reason.
pub(in crate::envoy) static UPDATE_FAILURE: Schema = Schema::new("UpdateFailureState", "details")
    .of("envoy.admin.v3.UpdateFailureState")
    .ignored(&[(
        Document,
        "failed_configuration last_update_attempt version_info",
    )]);

/// `envoy.config.core.v3.TypedExtensionConfig`: a filter with its name, as sent by ECDS.
pub(in crate::envoy) static TYPED_EXTENSION_CONFIG: Schema =
    Schema::new("TypedExtensionConfig", "@type name typed_config")
        .of("envoy.config.core.v3.TypedExtensionConfig");
