//! One side of a comparison.

use std::collections::{BTreeMap, BTreeSet};

use spillgate_answers::limits::is_limit;
use spillgate_config::{Diagnostic, envoy::is_dns_name, proto::UnreadValues};
use spillgate_core::{
    model::{Cluster, Model},
    route::{ClusterName, Route, RouteAction, RouteTarget},
};
use spillgate_diff::DiffSide;
use spillgate_lint::Finding;
use spillgate_sim::ClusterIndex;

use super::limit_values;
use crate::{
    command::Done,
    config::{Config, LintedConfig},
};

/// A setting that is not modeled.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct StatedLimit {
    /// What it can change.
    pub(crate) text: String,
    /// The hash of its value; `None` if it has no place in the text.
    pub(crate) value: Option<u64>,
}

/// A read side.
pub(crate) struct Side {
    /// As written in the arguments.
    pub(crate) name: String,
    /// The start of a command that explains one of its requests; `None` if no single command does.
    pub(crate) explain: Option<String>,
    pub(crate) config: Config,
    /// The clusters that requests reach.
    pub(crate) model: Model,
    /// The clusters with unknown hosts, with where these are from.
    pub(crate) unknown: BTreeMap<String, String>,
    /// The clusters with DNS names as hosts, with how these are resolved.
    resolved: BTreeMap<String, String>,
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
            mut discovery_sources,
        } = read;
        config.warn(done);
        let served = config.effective_model(done);
        let unknown = config.unknown_clusters(&served);
        let model = served.into_owned();
        let names = model.clusters().iter().map(|cluster| &cluster.name);
        let unknown = names.filter(|name| unknown.contains(name));
        let unknown = unknown.map(|name| {
            let source = discovery_sources.remove(name).unwrap_or_default();
            (name.clone(), source)
        });
        let unknown: BTreeMap<String, String> = unknown.collect();
        let named = model.clusters().iter().filter(|cluster| has_names(cluster));
        let resolved = named.filter_map(|cluster| {
            let source = discovery_sources.remove(&cluster.name)?;
            Some((cluster.name.clone(), source))
        });
        Self {
            resolved: resolved.collect(),
            unknown,
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
            unknown: &self.unknown,
            resolved: Some(&self.resolved),
        }
    }

    /// The header by which requests choose their cluster, of the first such route.
    pub(crate) fn cluster_header(&self) -> Option<&str> {
        let listeners = self.config.envoy.listeners.iter();
        let hosts = listeners.flat_map(|listener| &listener.routes.virtual_hosts);
        let mut routes = hosts.flat_map(|host| &host.routes);
        routes.find_map(header_of)
    }

    /// The values of fields that choose no host.
    pub(crate) const fn unread(&self) -> &UnreadValues {
        &self.config.envoy.unread
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
        let own = self.config.envoy.warnings.iter();
        let own: Vec<&Diagnostic> = own.filter(|found| is_limit(found)).collect();
        let values = limit_values::values(&self.config, &own);
        let others = self.config.others.iter().flat_map(|(_, found)| found);
        let others = others.filter(|found| is_limit(found));
        let all = own.into_iter().zip(values);
        let all = all.chain(others.map(|found| (found, None)));
        all.map(|(limit, value)| StatedLimit {
            text: match &limit.found {
                Some(found) => format!("{}; found {found}", limit.message),
                None => limit.message.clone(),
            },
            value,
        })
        .collect()
    }
}

/// Whether a host of the cluster is a DNS name.
fn has_names(cluster: &Cluster) -> bool {
    let mut hosts = cluster.priorities().iter().flat_map(|of| &of.endpoints);
    hosts.any(|host| is_dns_name(&host.address))
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
