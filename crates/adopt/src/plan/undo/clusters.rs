//! The policies of the clusters, as the filter's configuration has them.

use serde_json::Value;

use super::super::{
    cluster::is_steered,
    files::{Edit, Files},
    place::Place,
};

/// What `adopt` changes in a cluster.
const CHANGED: [&str; 3] = [
    "load_balancing_policy",
    "common_lb_config",
    "lb_subset_config",
];

/// The changes of all clusters that the filter balances.
pub(super) fn edits(files: Files<'_>, config: &Value) -> Vec<Edit> {
    let copies = config.get("clusters").and_then(Value::as_array);
    let copies: Vec<&Value> = copies.into_iter().flatten().collect();
    let clusters = files.resources(Some("clusters"), "Cluster").into_iter();
    let edits = clusters.flat_map(|cluster| {
        let is_copy =
            |copy: &&&Value| copy.get("name").and_then(Value::as_str) == cluster.text("name");
        match copies.iter().find(is_copy) {
            Some(copy) if is_steered(&cluster) => of_cluster(&cluster, copy),
            _ => Vec::new(),
        }
    });
    edits.collect()
}

fn of_cluster(cluster: &Place<'_>, copy: &Value) -> Vec<Edit> {
    let copy = Place {
        file: 0,
        path: Vec::new(),
        value: copy,
    };
    let edits = CHANGED.iter().filter_map(|name| {
        let (old, new) = (copy.field(name), cluster.key(name));
        match (old, new) {
            (Some(old), Some(_)) if cluster.field(name)?.value == old.value => None,
            (Some(old), Some(key)) => Some(cluster.replace_entry(&key, &key, old.value.clone())),
            (Some(old), None) => {
                let key = copy.key(name)?;
                Some(cluster.add_entry(&key, old.value.clone()))
            }
            (None, Some(key)) => Some(cluster.remove_entry(&key)),
            (None, None) => None,
        }
    });
    edits.collect()
}
