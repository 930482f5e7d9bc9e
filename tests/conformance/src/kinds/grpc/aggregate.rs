//! Subject `aggregate`.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};
use spillgate_grpc::aggregate::{MAX_DEPTH, Resource, Root, resolve};

use super::super::{Figures, figures, read};

/// The clusters, the roots and the maximum depth.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Input {
    clusters: BTreeMap<String, Cluster>,
    roots: Vec<String>,
    max_depth: Option<usize>,
}

/// The resource of a cluster.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
enum Cluster {
    Eds,
    Dns,
    Aggregate { children: Vec<String> },
    Missing,
    Error,
    Pending,
}

impl From<Cluster> for Resource {
    fn from(cluster: Cluster) -> Self {
        match cluster {
            Cluster::Eds => Self::Eds,
            Cluster::Dns => Self::LogicalDns,
            Cluster::Aggregate { children } => Self::Aggregate(children),
            Cluster::Missing => Self::Missing,
            Cluster::Error => Self::Error,
            Cluster::Pending => Self::Pending,
        }
    }
}

/// The leaves of each root and the watched clusters.
pub(super) fn aggregate(input: &Value) -> Result<Figures, String> {
    let input: Input = read(input)?;
    let clusters = input
        .clusters
        .into_iter()
        .map(|(name, c)| (name, c.into()))
        .collect();
    let roots = input.roots.iter().map(String::as_str);
    let found = resolve(&clusters, roots, input.max_depth.unwrap_or(MAX_DEPTH));
    let roots: Figures = found
        .roots
        .into_iter()
        .map(|(name, root)| (name, shown(root)))
        .collect();
    Ok(figures([
        ("roots", roots.into()),
        ("watch", json!(found.watch)),
    ]))
}

/// The result of a root as JSON.
fn shown(root: Root) -> Value {
    match root {
        Root::Leaves(leaves) => {
            let names: Vec<String> = leaves.into_iter().map(|leaf| leaf.cluster).collect();
            json!({"leaves": names})
        }
        Root::Pending => json!({"pending": true}),
        Root::Failed(error) => json!({"error": error.name()}),
    }
}
