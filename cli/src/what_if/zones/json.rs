//! The answer for all zones as JSON.

use serde_json::{Map, Value, json};
use spillgate_mesh::traffic::TrafficMatrix;

use super::zone_loss::{ZonesAnswer, ZonesFailure};
use crate::convert::matrix_json;

/// The whole answer.
pub(super) fn value(answer: &ZonesAnswer) -> Value {
    let lost = answer.lost.iter();
    let lost: Map<String, Value> = lost
        .map(|(zone, (lost, hosts))| (zone.clone(), json!({"lost": lost, "hosts": hosts})))
        .collect();
    json!({
        "before": matrices(&answer.before),
        "after": matrices(&answer.after),
        "lost": lost,
        "n_minus": answer.n_minus.iter().map(failure).collect::<Value>(),
        "survives": (!answer.n_minus.is_empty())
            .then(|| answer.n_minus.iter().all(ZonesFailure::survives)),
        "expectations": answer.expectations,
        "outlier_detection": answer.kept_failures,
    })
}

fn matrices(of: &[TrafficMatrix]) -> Value {
    of.iter().map(matrix_json).collect()
}

fn failure(of: &ZonesFailure) -> Value {
    json!({
        "zones": of.zones,
        "traffic": matrices(&of.traffic),
        "survives": of.survives(),
    })
}
