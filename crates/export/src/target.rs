//! The cluster that a filter balances.

use spillgate_config::{Diagnostic, nearest};
use spillgate_core::model::Model;
use spillgate_core::visible::quoted;

/// The named cluster, or the only one outside of aggregates.
///
/// # Errors
/// If the name is unknown, or several clusters could be the target.
pub fn named_target(model: &Model, name: Option<&str>) -> Result<String, Box<Diagnostic>> {
    let names = || model.clusters().iter().map(|cluster| cluster.name.as_str());
    if let Some(name) = name {
        return match model.cluster(name) {
            Some(cluster) => Ok(cluster.name.clone()),
            None => Err(Box::new(
                Diagnostic::error("export/unknown-cluster", "--target: unknown cluster")
                    .found(quoted(name))
                    .suggest(nearest(name, names())),
            )),
        };
    }
    let is_member = |name: &str| {
        let mut clusters = model.clusters().iter();
        clusters.any(|cluster| cluster.members().iter().any(|member| member == name))
    };
    let roots: Vec<&str> = names().filter(|name| !is_member(name)).collect();
    match roots.as_slice() {
        [only] => Ok((*only).to_owned()),
        roots => Err(Box::new(
            Diagnostic::error("export/target", "no single target cluster")
                .found(match roots {
                    [] => "no cluster outside of aggregates".to_owned(),
                    roots => roots.join(", "),
                })
                .expected("--target NAME"),
        )),
    }
}
