//! The bootstrap in a capture.

use serde_json::{Map, Value};

/// Keeps the parts of a bootstrap that affect balancing: `node.locality` and
/// `cluster_manager.local_cluster_name`. The other parts can contain credentials of control planes, and the
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
    *bootstrap = kept;
}
