//! The proxy's own location: `node.locality` and `cluster_manager.local_cluster_name`.

use alloc::{format, string::String, vec::Vec};

use spillgate_core::model::{ClusterKind, LocalInfo};

#[cfg(feature = "yaml")]
use crate::envoy::runtime::{RuntimeLayers, read_layers};
use crate::{
    Diagnostic, Position,
    envoy::{
        admin_access::AdminAnswers,
        assignment::read_names,
        cluster::ReadCluster,
        common::file_of,
        facts::BootstrapExtensionFacts,
        schema::{CLUSTER_MANAGER, LOCALITY, NODE},
    },
    node::quote,
    proto::{Message, Path, Report, nearest},
};

/// The bootstrap's statements about the proxy, with their positions.
#[derive(Debug, Default)]
pub(crate) struct Local {
    /// Whether the input has a bootstrap.
    pub(crate) stated: bool,
    /// Where it says that a control plane delivers clusters, and the file if Envoy watches one.
    pub(crate) cds: Option<(Position, Option<String>)>,
    pub(crate) info: LocalInfo,
    pub(crate) locality: Option<Position>,
    pub(crate) cluster: Option<(Path, Position)>,
    /// The answers of its admin interface.
    pub(in crate::envoy) admin: AdminAnswers,
    /// Its extensions, if lint reads the input.
    pub(crate) extensions: Vec<BootstrapExtensionFacts>,
    /// Its runtime values.
    #[cfg(feature = "yaml")]
    runtime: RuntimeLayers,
}

#[cfg(feature = "yaml")]
impl Local {
    /// Its runtime layers; `None` without a bootstrap.
    pub(crate) fn layers(&self) -> Option<&RuntimeLayers> {
        self.stated.then_some(&self.runtime)
    }
}

/// Reads these fields of a bootstrap.
pub(crate) fn read_local(bootstrap: &Message<'_, '_>, report: &mut Report) -> Local {
    let dynamic = bootstrap.get("dynamic_resources");
    let cds = dynamic.and_then(|node| node.get("cds_config").or(node.get("cdsConfig")));
    let mut local = Local {
        stated: true,
        cds: cds.map(|cds| (cds.position, file_of(cds).map(|(file, _)| file.into()))),
        admin: AdminAnswers::of(bootstrap, report),
        #[cfg(feature = "yaml")]
        runtime: read_layers(bootstrap, report),
        ..Local::default()
    };
    if report.is_judged() {
        local.extensions = BootstrapExtensionFacts::of(bootstrap);
    }
    let node = bootstrap.message("node", &NODE, report);
    if let Some(locality) = node.and_then(|node| node.message("locality", &LOCALITY, report)) {
        local.locality = Some(locality.position);
        local.info.locality = Some(read_names(&locality, report));
    }
    let field = "local_cluster_name";
    let manager = bootstrap.message("cluster_manager", &CLUSTER_MANAGER, report);
    if let Some(manager) = manager
        && let Some(name) = manager.string(field, report)
        && !name.is_empty()
    {
        local.cluster = Some((manager.path.field(field), manager.position_of(field)));
        local.info.cluster = Some(name.into());
    }
    local
}

/// Reports a local cluster that prevents Envoy from starting.
pub(crate) fn check_local_cluster(local: &Local, clusters: &[ReadCluster], report: &mut Report) {
    let (Some(name), Some((path, position))) = (&local.info.cluster, &local.cluster) else {
        return;
    };
    let names = || clusters.iter().map(|read| read.cluster.name.as_str());
    let fault = match clusters.iter().find(|read| read.cluster.name == *name) {
        None => String::from("unknown cluster"),
        Some(read) => match &read.cluster.kind {
            ClusterKind::Aggregate(_) => "the local cluster must not be an aggregate".into(),
            ClusterKind::Composite(_) => "the local cluster must not be a composite cluster".into(),
            ClusterKind::Plain(plain) if plain.priorities.len() > 1 => format!(
                "the local cluster has endpoints in priority {}; only priority 0 is allowed",
                plain.priorities.len() - 1
            ),
            _ => return,
        },
    };
    let mut diagnostic = Diagnostic::error("config/local-cluster", fault)
        .at(path.text(), *position)
        .found(quote(name));
    if !names().any(|known| known == name) {
        diagnostic = diagnostic.suggest(nearest(name, names()));
    }
    report.push(diagnostic);
}
