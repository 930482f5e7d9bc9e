//! The subset criteria of routes, which answers without `--criteria` do not have.

use std::collections::BTreeSet;

use spillgate_core::{
    model::{Cluster, ClusterKind, Model},
    route::RouteAction,
};

use super::Config;
use crate::command::Done;

impl Config {
    /// Says of each cluster in question with subsets which criteria the requests of its routes have, unless the user
    /// stated some. Without names, all clusters are in question.
    pub(crate) fn warn_criteria(
        &self,
        model: &Model,
        names: &[String],
        stated: Option<&str>,
        done: &mut Done,
    ) {
        if stated.is_some() {
            return;
        }
        let in_question = |cluster: &Cluster| names.is_empty() || names.contains(&cluster.name);
        let clusters = model.clusters().iter();
        let clusters = clusters.filter(|cluster| in_question(cluster));
        let lines = clusters.filter_map(|cluster| {
            let criteria = self.criteria_of_routes(cluster);
            let first = criteria.first()?;
            let all = criteria.iter().map(String::as_str).collect::<Vec<_>>();
            Some(format!(
                "routes to {} choose a subset ({}): --criteria {first} answers for their requests, this is for requests without criteria",
                cluster.name,
                all.join("; ")
            ))
        });
        done.warn_lines(lines.collect::<Vec<_>>());
    }

    /// The criteria of the routes to a cluster with subsets, each once.
    fn criteria_of_routes(&self, cluster: &Cluster) -> BTreeSet<String> {
        let has_subsets =
            matches!(&cluster.kind, ClusterKind::Plain(plain) if plain.subsets.is_some());
        let listeners = self.envoy.listeners.iter().filter(|_| has_subsets);
        let hosts = listeners.flat_map(|listener| &listener.routes.virtual_hosts);
        let routes = hosts.flat_map(|host| &host.routes);
        let criteria = routes.filter_map(|route| match &route.action {
            RouteAction::Forward(forward) if route.clusters().any(|name| name == cluster.name) => {
                Some(forward.criteria_to(&cluster.name))
            }
            _ => None,
        });
        let stated = criteria.filter(|criteria| !criteria.is_empty());
        stated.map(ToString::to_string).collect()
    }
}
