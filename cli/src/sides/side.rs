//! One side of a comparison.

use std::collections::BTreeSet;

use spillgate_answers::input::sources;
use spillgate_core::{
    model::Model,
    route::{ClusterName, Route, RouteAction, RouteTarget},
};
use spillgate_diff::{DiffSide, HostSources, StatedLimit};
use spillgate_lint::Finding;
use spillgate_sim::ClusterIndex;

use crate::{
    command::Done,
    config::{Config, LintedConfig},
};

/// A read side.
pub(crate) struct Side {
    /// As written in the arguments.
    pub(crate) name: String,
    /// The start of a command that explains one of its requests; `None` if no single command does.
    pub(crate) explain: Option<String>,
    pub(crate) config: Config,
    /// The clusters that requests reach.
    pub(crate) model: Model,
    /// Where hosts are from that the configuration does not have as addresses.
    pub(crate) sources: HostSources,
    pub(crate) findings: Vec<Finding>,
}

impl Side {
    pub(super) fn new(
        name: String,
        explain: Option<String>,
        read: LintedConfig,
        done: &mut Done,
    ) -> Self {
        let LintedConfig {
            config,
            findings,
            discovery_sources,
        } = read;
        config.warn(done);
        let served = config.effective_model(done);
        let unknown = config.unknown_clusters(&served);
        let model = served.into_owned();
        let sources = HostSources::new(&model, |name| unknown.contains(name), &discovery_sources);
        Self {
            sources,
            findings,
            name,
            explain,
            model,
            config,
        }
    }

    /// The side as the comparison reads it.
    pub(crate) fn for_diff(&self) -> DiffSide<'_> {
        DiffSide {
            model: &self.model,
            listeners: self.config.envoy.listeners.as_slice(),
            unknown: &self.sources.unknown,
            resolved: Some(&self.sources.resolved),
        }
    }

    /// The header by which requests choose their cluster, of the first such route.
    pub(crate) fn cluster_header(&self) -> Option<&str> {
        let listeners = self.config.envoy.listeners.iter();
        let hosts = listeners.flat_map(|listener| &listener.routes.virtual_hosts);
        let mut routes = hosts.flat_map(|host| &host.routes);
        routes.find_map(header_of)
    }

    /// The clusters that routes name, and the others that decisions about them read. The side can lack some of them.
    pub(crate) fn reached(&self) -> BTreeSet<&str> {
        let listeners = self.config.envoy.listeners.iter();
        let hosts = listeners.flat_map(|listener| &listener.routes.virtual_hosts);
        let routes = hosts.flat_map(|host| &host.routes);
        let mut reached: BTreeSet<&str> = routes.flat_map(Route::clusters).collect();
        let read = ClusterIndex::new(&self.model).read_by(reached.iter().copied());
        reached.extend(read);
        reached
    }

    /// Each setting that is not modeled.
    pub(crate) fn limits(&self) -> Vec<StatedLimit> {
        // The positions of documents of a mesh are in the documents, whose values are in the messages.
        let texts = if self.config.of_mesh {
            Vec::new()
        } else {
            sources(&self.config.texts)
        };
        let envoy = &self.config.envoy;
        let mut limits = StatedLimit::of(&envoy.sources, &texts, &envoy.warnings);
        let others = self.config.others.iter().flat_map(|(_, found)| found);
        let others = others.filter(|found| found.is_limit());
        limits.extend(others.map(StatedLimit::without_value));
        limits
    }
}

/// The header by which requests of a route choose their cluster.
fn header_of(route: &Route) -> Option<&str> {
    let RouteAction::Forward(forward) = &route.action else {
        return None;
    };
    let chosen = match &forward.target {
        RouteTarget::One(name) => Some(name),
        RouteTarget::Weighted(weighted) => {
            let mut names = weighted.clusters().iter().map(|of| &of.cluster);
            names.find(|name| matches!(name, ClusterName::Header(_)))
        }
        _ => None,
    };
    match chosen? {
        ClusterName::Header(header) => Some(header),
        ClusterName::Name(_) => None,
    }
}
