//! The subset that filters choose: hosts with a version.

use serde_json::{Value, json};

/// The request header with the version.
pub(super) const VERSION_HEADER: &str = "x-version";

/// Labels the hosts of a cluster with the version v1.
pub(super) fn label_v1(cluster: &mut Value) {
    let groups = cluster["load_assignment"]["endpoints"].as_array_mut();
    for group in groups.into_iter().flatten() {
        for host in group["lb_endpoints"].as_array_mut().into_iter().flatten() {
            host["metadata"] = json!({"filter_metadata": {"envoy.lb": {"version": "v1"}}});
        }
    }
}
