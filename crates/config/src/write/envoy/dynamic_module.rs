//! An Envoy with the dynamic module: its filter, its cluster specifier and its load-balancing policy.

use alloc::vec::Vec;

use spillgate_core::model::{Cluster, ClusterKind, HealthStatus, PlainCluster};

use super::{
    super::tree::{Fields, within},
    address::Address,
    assignment::assignment,
    cluster::endpoint_context,
    listener::FIRST_PORT,
};
use crate::{
    envoy::{
        CLUSTER_SPECIFIER_TYPE, CONNECTION_MANAGER_TYPE, DYNAMIC_MODULE_TYPE, HTTP_FILTER_PREFIX,
        PolicyKind, policy_type,
    },
    isolation::{ListFallback, chosen_hosts},
    proto::Report,
};

const EXTENSION_TYPE: &str =
    "envoy.extensions.bootstrap.dynamic_modules.v3.DynamicModuleBootstrapExtension";
/// The names of the module and of its extensions.
const NAME: &str = "spillgate";

/// A bootstrap with a listener whose filter has this configuration. `owners` are the clusters in Envoy.
pub(crate) fn native_bootstrap(
    filter: Fields,
    owners: &[&Cluster],
    fallback: ListFallback,
    report: &mut Report,
) -> Fields {
    let extension = Fields::of_type(EXTENSION_TYPE)
        .and(module())
        .with("extension_name", NAME);
    let clusters: Vec<Fields> = owners
        .iter()
        .filter_map(|cluster| match &cluster.kind {
            ClusterKind::Plain(plain) => Some(in_envoy(&cluster.name, plain, fallback, report)),
            _ => None,
        })
        .collect();
    let resources = Fields::new()
        .with_list("listeners", [listener(filter)])
        .with_list("clusters", clusters);
    Fields::new()
        .with_list("bootstrap_extensions", [named(extension)])
        .with("static_resources", resources)
}

fn listener(filter: Fields) -> Fields {
    let configuration = Fields::of_type("google.protobuf.Struct").with("value", filter);
    let ours = Fields::of_type(&alloc::format!("{HTTP_FILTER_PREFIX}{DYNAMIC_MODULE_TYPE}"))
        .and(module())
        .with("filter_name", NAME)
        .with("filter_config", configuration);
    let router = Fields::of_type(&alloc::format!("{HTTP_FILTER_PREFIX}router.v3.Router"));
    let router = within("name", "envoy.filters.http.router").with("typed_config", router);

    let specifier = Fields::of_type(CLUSTER_SPECIFIER_TYPE)
        .and(module())
        .with("specifier_name", NAME);
    let specifier = within("extension", named(specifier));
    let route = within("match", within("prefix", "/")).with(
        "route",
        within("inline_cluster_specifier_plugin", specifier),
    );
    let host = within("name", NAME)
        .with_list("domains", ["*"])
        .with_list("routes", [route]);
    let manager = Fields::of_type(CONNECTION_MANAGER_TYPE)
        .with("stat_prefix", NAME)
        .with(
            "route_config",
            Fields::new().with_list("virtual_hosts", [host]),
        )
        .with_list("http_filters", [named(ours), router]);
    let manager = within("name", "envoy.filters.network.http_connection_manager")
        .with("typed_config", manager);
    let address = Address::Socket {
        host: "127.0.0.1",
        port: FIRST_PORT,
    };
    within("name", NAME)
        .with("address", address.message())
        .with_list(
            "filter_chains",
            [Fields::new().with_list("filters", [manager])],
        )
}

/// A cluster whose hosts the filter chooses.
fn in_envoy(
    name: &str,
    plain: &PlainCluster,
    fallback: ListFallback,
    report: &mut Report,
) -> Fields {
    let context = endpoint_context(name, plain);
    let undecided = match fallback {
        ListFallback::Isolation => "refuse",
        ListFallback::Availability => "choose",
    };
    let configuration =
        Fields::of_type("google.protobuf.Struct").with("value", within("undecided", undecided));
    let policy = Fields::of_type(&policy_type(PolicyKind::DynamicModule))
        .and(module())
        .with("lb_policy_name", NAME)
        .with("lb_policy_config", configuration);
    let list = Fields::of_type(&policy_type(PolicyKind::OverrideHost))
        .with_list(
            "override_host_sources",
            [super::policy::source(&chosen_hosts())],
        )
        .with("fallback_policy", policies(named(policy)));
    let list =
        within("name", "envoy.load_balancing_policies.override_host").with("typed_config", list);
    let statuses = HealthStatus::ALL.into_iter().map(HealthStatus::name);
    let common = within(
        "override_host_status",
        Fields::new().with_list("statuses", statuses),
    )
    .with("update_merge_window", "0s");
    within("name", name)
        .with("type", if context.dns { "STRICT_DNS" } else { "STATIC" })
        .with("common_lb_config", common)
        .with("load_balancing_policy", policies(list))
        .with("load_assignment", assignment(plain, context, report))
}

fn policies(extension: Fields) -> Fields {
    Fields::new().with_list("policies", [within("typed_extension_config", extension)])
}

/// An extension of the module.
fn named(config: Fields) -> Fields {
    within("name", NAME).with("typed_config", config)
}

fn module() -> Fields {
    let config = within("name", NAME).with("do_not_close", true);
    within("dynamic_module_config", config)
}
