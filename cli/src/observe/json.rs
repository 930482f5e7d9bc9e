//! The comparison as JSON: the keys of `docs/schemas/observe.schema.json`. Shares are percentages.

use serde_json::{Map, Value, json};

use super::comparison::{ComparedCluster, ComparedShare, Comparison};

/// The whole comparison.
pub(super) fn value(comparison: &Comparison, notes: &[String]) -> Value {
    json!({
        "agrees": comparison.agrees(),
        "seconds": comparison.time.as_secs_f64(),
        "clusters": comparison.clusters.iter().map(cluster).collect::<Vec<_>>(),
        "notes": notes,
    })
}

fn cluster(cluster: &ComparedCluster) -> Value {
    json!({
        "name": cluster.name,
        "requests": cluster.requests,
        "agrees": (cluster.requests > 0).then(|| cluster.agrees()),
        "no_host": cluster.no_host,
        "priorities": cluster.priorities.iter().map(share).collect::<Vec<_>>(),
        "endpoints": cluster.hosts.iter().map(share).collect::<Vec<_>>(),
    })
}

fn share(share: &ComparedShare) -> Value {
    let mut fields = Map::new();
    let mut put = |name: &str, value: Value| fields.insert(name.to_owned(), value);
    if !share.address.is_empty() {
        put("address", json!(share.address));
    }
    put("cluster", json!(share.cluster));
    put("priority", json!(share.priority));
    put("requests", json!(share.observed.count));
    let percent = |share: Option<f64>| json!(share.map(|share| share * 100.0));
    put("observed", percent(share.observed.share()));
    put("low", percent(share.band.map(|band| band.low)));
    put("high", percent(share.band.map(|band| band.high)));
    put("predicted", percent(share.predicted));
    put("agrees", json!(share.agrees()));
    Value::Object(fields)
}
