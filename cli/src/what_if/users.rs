//! The clusters in question: those of `--cluster`, or all that requests reach directly.

use std::collections::BTreeSet;

use spillgate_answers::input::Faults;
use spillgate_core::model::Model;

use super::WhatIfArgs;
use crate::{cluster_names::matching_clusters, config::Config};

/// The names of the clusters in question, in configuration order.
///
/// # Errors
/// Names and patterns that match no cluster.
pub(super) fn clusters_in_question(
    config: &Config,
    model: &Model,
    args: &WhatIfArgs,
) -> Result<Vec<String>, Faults> {
    if args.cluster.is_empty() {
        return Ok(reached_directly(config, model));
    }
    matching_clusters("what-if/unknown-cluster", &args.cluster, model)
        .map_err(|found| Faults::all(config, &found))
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
