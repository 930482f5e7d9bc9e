//! The clusters in question: those of `--cluster`, or all that requests reach directly.

use std::collections::BTreeSet;

use spillgate_answers::input::Faults;
use spillgate_core::model::Model;

use crate::{cluster_names::matching_clusters, config::Config};

/// The names of the clusters in question, in configuration order.
///
/// # Errors
/// With this code, names and patterns that match no cluster.
pub(crate) fn clusters_in_question(
    code: &'static str,
    chosen: &[String],
    config: &Config,
    model: &Model,
) -> Result<Vec<String>, Faults> {
    if chosen.is_empty() {
        return Ok(reached_directly(config, model));
    }
    matching_clusters(code, chosen, model).map_err(|found| Faults::all(config, &found))
}

/// The clusters as their users see them: an aggregate, but not its members, unless a route reaches them
/// directly.
fn reached_directly(config: &Config, model: &Model) -> Vec<String> {
    let clusters = || model.clusters().iter();
    let members: BTreeSet<&str> = clusters()
        .flat_map(|cluster| cluster.members().iter().map(String::as_str))
        .collect();
    let mut routed = BTreeSet::new();
    for listener in &config.envoy.listeners {
        for host in &listener.routes.virtual_hosts {
            let clusters = host.routes.iter().flat_map(|route| route.clusters());
            routed.extend(clusters);
        }
    }
    let is_own = |name: &str| !members.contains(name) || routed.contains(name);
    let names = clusters().map(|cluster| cluster.name.as_str());
    names
        .filter(|name| is_own(name))
        .map(str::to_owned)
        .collect()
}
