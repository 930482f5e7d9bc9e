//! The bootstrap in a capture.

use serde_json::{Map, Value};

/// Keeps the parts of a bootstrap that affect balancing: `node.locality`,
/// `cluster_manager.local_cluster_name` and `layered_runtime`, of which only static layers have values. The other parts can contain credentials of control planes, and the
/// other sections of a dump list the clusters and listeners.
pub(super) fn reduce(section: &mut Value) {
    let Some(Value::Object(bootstrap)) = section.get_mut("bootstrap") else {
        return;
    };
    let mut kept = Map::new();
    for (message, field) in [
        ("node", "locality"),
        ("cluster_manager", "local_cluster_name"),
    ] {
        let value = bootstrap
            .get_mut(message)
            .and_then(|message| message.get_mut(field));
        if let Some(value) = value {
            let part = Map::from_iter([(field.to_owned(), value.take())]);
            kept.insert(message.to_owned(), Value::Object(part));
        }
    }
    if let Some(Value::Object(runtime)) = bootstrap.get("layered_runtime") {
        let layers = runtime
            .get("layers")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .map(reduced_layer);
        let layers = Map::from_iter([("layers".to_owned(), layers.collect())]);
        kept.insert("layered_runtime".to_owned(), Value::Object(layers));
    }
    *bootstrap = kept;
}

/// A runtime layer without the source of its values, which can contain credentials.
fn reduced_layer(layer: &Value) -> Value {
    let mut layer = layer.clone();
    for kind in ["disk_layer", "rtds_layer", "admin_layer"] {
        if let Some(source) = layer.get_mut(kind) {
            *source = Value::Object(Map::new());
        }
    }
    layer
}
