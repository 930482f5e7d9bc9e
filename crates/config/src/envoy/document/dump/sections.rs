//! The sections of a dump, sorted by the kind of their messages.

use alloc::{format, vec::Vec};

use super::{
    found::{Found, note_refused_update},
    listeners::dynamic_listener,
    untyped::untyped,
};
#[cfg(feature = "yaml")]
use crate::envoy::runtime::is_runtime;
use crate::{
    Diagnostic,
    envoy::{
        common::{check_version, is_version_2, name_of, type_name, version_2},
        document::local::{Local, read_local},
        schema::{
            BOOTSTRAP, BOOTSTRAP_DUMP, CLUSTERS, CLUSTERS_DUMP, CONFIG_DUMP, DUMPED, ECDS_DUMP,
            ENDPOINTS_DUMP, LISTENERS_DUMP, ROUTES_DUMP, STATIC_RESOURCES,
        },
    },
    node::{Node, quote},
    proto::{Message, Path, Report, Schema},
};

/// The messages of all dumps of an input, each kind in input order.
#[derive(Debug, Default)]
pub(crate) struct Dump<'n, 'a> {
    /// The resources in use. The bootstrap's own resources are used if their section is missing.
    pub(crate) clusters: Vec<Found<'n, 'a>>,
    pub(crate) listeners: Vec<Found<'n, 'a>>,
    /// Routes by name, for listeners with RDS.
    pub(crate) routes: Vec<Found<'n, 'a>>,
    /// Routes inside listeners, which a dump shows a second time.
    pub(crate) inline_routes: Vec<Found<'n, 'a>>,
    /// Run-time endpoints, by EDS service name or else by cluster name.
    pub(crate) endpoints: Vec<Found<'n, 'a>>,
    /// Filters from ECDS (`TypedExtensionConfig`).
    pub(crate) extensions: Vec<Found<'n, 'a>>,
    /// Run-time hosts as `/clusters` prints them, which a capture adds.
    pub(crate) statuses: Vec<Found<'n, 'a>>,
    /// The final runtime values, which a capture adds.
    #[cfg(feature = "yaml")]
    pub(crate) runtime: Option<Found<'n, 'a>>,
    /// The proxy's own location, if the dump has a bootstrap.
    pub(crate) local: Option<Local>,
    bootstrap_clusters: Vec<Found<'n, 'a>>,
    bootstrap_listeners: Vec<Found<'n, 'a>>,
    has_clusters: bool,
    has_listeners: bool,
}

impl<'n, 'a> Dump<'n, 'a> {
    /// Adds a dump, or one section or resource of one.
    pub(crate) fn add(&mut self, node: &'n Node<'a>, path: Path, report: &mut Report) {
        let is_whole = match type_name(node) {
            Some(name) => name == "envoy.admin.v3.ConfigDump",
            None => untyped(node).is_none(),
        };
        if !is_whole {
            return self.section(node, path, report);
        }
        if let Some(dump) = Message::open(node, path, &CONFIG_DUMP, report) {
            for (path, node) in dump.list("configs", report) {
                self.section(node, path, report);
            }
        }
    }

    fn section(&mut self, node: &'n Node<'a>, path: Path, report: &mut Report) {
        #[cfg(feature = "yaml")]
        if is_runtime(node) {
            self.runtime = Some((path, node));
            return;
        }
        let name = type_name(node).unwrap_or_default();
        let kind = name.strip_prefix("envoy.admin.v3.");
        let Some(kind) = kind.or_else(|| untyped(node)) else {
            unknown_section(node, &path, name, report);
            return;
        };
        let open = |schema: &Schema, report: &mut Report| {
            Message::open(node, path.clone(), schema, report)
        };
        match kind {
            "BootstrapConfigDump" => {
                if let Some(section) = open(&BOOTSTRAP_DUMP, report) {
                    self.bootstrap(&section, report);
                }
            }
            "ClustersConfigDump" => {
                self.has_clusters = true;
                let Some(section) = open(&CLUSTERS_DUMP, report) else {
                    return;
                };
                for field in ["static_clusters", "dynamic_active_clusters"] {
                    resources(&section, field, "cluster", &mut self.clusters, report);
                }
                for (path, node) in section.list("dynamic_warming_clusters", report) {
                    self.warming_cluster(node, path, report);
                }
            }
            "ClustersConfigDump.StaticCluster" | "ClustersConfigDump.DynamicCluster" => {
                self.has_clusters = true;
                resource(node, path, "cluster", &mut self.clusters, report);
            }
            "ListenersConfigDump" => {
                self.has_listeners = true;
                let Some(section) = open(&LISTENERS_DUMP, report) else {
                    return;
                };
                let field = "static_listeners";
                resources(&section, field, "listener", &mut self.listeners, report);
                for (path, node) in section.list("dynamic_listeners", report) {
                    self.listeners.extend(dynamic_listener(node, path, report));
                }
            }
            "ListenersConfigDump.StaticListener" => {
                self.has_listeners = true;
                resource(node, path, "listener", &mut self.listeners, report);
            }
            "ListenersConfigDump.DynamicListener" => {
                self.has_listeners = true;
                self.listeners.extend(dynamic_listener(node, path, report));
            }
            "RoutesConfigDump" => {
                let Some(section) = open(&ROUTES_DUMP, report) else {
                    return;
                };
                for (field, into) in [
                    ("static_route_configs", &mut self.inline_routes),
                    ("dynamic_route_configs", &mut self.routes),
                ] {
                    resources(&section, field, "route_config", into, report);
                }
            }
            "RoutesConfigDump.StaticRouteConfig" => {
                resource(node, path, "route_config", &mut self.inline_routes, report);
            }
            "RoutesConfigDump.DynamicRouteConfig" => {
                resource(node, path, "route_config", &mut self.routes, report);
            }
            "EndpointsConfigDump" => {
                let Some(section) = open(&ENDPOINTS_DUMP, report) else {
                    return;
                };
                for field in ["static_endpoint_configs", "dynamic_endpoint_configs"] {
                    let into = &mut self.endpoints;
                    resources(&section, field, "endpoint_config", into, report);
                }
            }
            "EndpointsConfigDump.StaticEndpointConfig"
            | "EndpointsConfigDump.DynamicEndpointConfig" => {
                resource(node, path, "endpoint_config", &mut self.endpoints, report);
            }
            "EcdsConfigDump" => {
                let Some(section) = open(&ECDS_DUMP, report) else {
                    return;
                };
                let into = &mut self.extensions;
                resources(&section, "ecds_filters", "ecds_filter", into, report);
            }
            "EcdsConfigDump.EcdsFilterConfig" => {
                resource(node, path, "ecds_filter", &mut self.extensions, report);
            }
            "Clusters" => {
                if let Some(section) = open(&CLUSTERS, report) {
                    let statuses = section.list("cluster_statuses", report);
                    self.statuses.extend(statuses);
                }
            }
            // Listeners with scoped routes are reported themselves; secrets are not needed.
            kind if kind.starts_with("ScopedRoutesConfigDump")
                || kind.starts_with("SecretsConfigDump") => {}
            _ => unknown_section(node, &path, name, report),
        }
    }

    fn bootstrap(&mut self, section: &Message<'n, 'a>, report: &mut Report) {
        let Some(bootstrap) = section.message("bootstrap", &BOOTSTRAP, report) else {
            return;
        };
        self.local = Some(read_local(&bootstrap, report));
        // Used only if the sections for it are missing; otherwise faults would be reported twice.
        if let Some(resources) = bootstrap.message("static_resources", &STATIC_RESOURCES, report) {
            let clusters = resources.list("clusters", report);
            self.bootstrap_clusters.extend(clusters);
            let listeners = resources.list("listeners", report);
            self.bootstrap_listeners.extend(listeners);
        }
    }

    fn warming_cluster(&mut self, node: &'n Node<'a>, path: Path, report: &mut Report) {
        self.has_clusters = true;
        let mut warming = Vec::new();
        let place = path.clone();
        resource(node, path, "cluster", &mut warming, report);
        for (_, cluster) in warming {
            let name = name_of(cluster, "name").unwrap_or_default();
            report.note(
                "config/dump-warming",
                format!("cluster {} is warming; skipped", quote(name)),
                &place,
                node.position,
            );
        }
    }

    /// Called at the end: uses the bootstrap's resources if no section lists the resources in use.
    pub(crate) fn complete(mut self) -> Self {
        if !self.has_clusters {
            self.clusters.append(&mut self.bootstrap_clusters);
        }
        if !self.has_listeners {
            self.listeners.append(&mut self.bootstrap_listeners);
        }
        self
    }
}

/// The resources of a list, each without its wrapper.
fn resources<'n, 'a>(
    section: &Message<'n, 'a>,
    field: &'static str,
    inner: &'static str,
    into: &mut Vec<Found<'n, 'a>>,
    report: &mut Report,
) {
    for (path, node) in section.list(field, report) {
        resource(node, path, inner, into, report);
    }
}

fn resource<'n, 'a>(
    node: &'n Node<'a>,
    path: Path,
    inner: &'static str,
    into: &mut Vec<Found<'n, 'a>>,
    report: &mut Report,
) {
    let Some(wrapping) = Message::open(node, path, &DUMPED, report) else {
        return;
    };
    note_refused_update(&wrapping, report);
    if let Some(node) = wrapping.get(inner) {
        let path = wrapping.path.field(inner);
        if check_version(node, &path, report) {
            into.push((path, node));
        }
    }
}

fn unknown_section(node: &Node<'_>, path: &Path, name: &str, report: &mut Report) {
    if is_version_2(name) {
        let fault = version_2(name).at(path.text(), node.position);
        report.refuse(fault.expected("a section of envoy.admin.v3"));
        return;
    }
    Diagnostic::warning("config/dump-section", "unknown dump section; skipped")
        .at(path.text(), node.position)
        .found(match name {
            "" => node.describe(),
            name => quote(name),
        })
        .expected("a section of envoy.admin.v3")
        .push_to(report);
}
