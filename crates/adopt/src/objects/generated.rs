//! The parts of a generated bootstrap.

use serde_json::{Value, json};

/// The clusters.
pub(super) fn clusters(bootstrap: &Value) -> &[Value] {
    list(bootstrap.pointer("/static_resources/clusters"))
}

/// The listeners.
pub(super) fn listeners(bootstrap: &Value) -> &[Value] {
    list(bootstrap.pointer("/static_resources/listeners"))
}

/// The connection manager of a generated listener, which has one.
const MANAGER: &str = "/filter_chains/0/filters/0/typed_config";

/// The virtual hosts of a listener.
pub(super) fn virtual_hosts(listener: &Value) -> &[Value] {
    let manager = listener.pointer(MANAGER);
    list(manager.and_then(|manager| manager.pointer("/route_config/virtual_hosts")))
}

/// The connection manager of a listener.
pub(super) fn manager_mut(listener: &mut Value) -> Option<&mut Value> {
    listener.pointer_mut(MANAGER)
}

/// The items of a field.
pub(super) fn items<'v>(value: &'v Value, field: &str) -> &'v [Value] {
    list(value.get(field))
}

fn list(value: Option<&Value>) -> &[Value] {
    value.and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// The name of a resource.
pub(super) fn name(resource: &Value) -> &str {
    resource.get("name").and_then(Value::as_str).unwrap_or("")
}

/// The bootstrap as the proxy has it: hosts come by EDS, and the admin interface is there.
pub(super) fn of_proxy(bootstrap: &Value, admin: &Value) -> Value {
    let mut own = bootstrap.clone();
    if let Some(fields) = own.as_object_mut() {
        fields.insert("admin".into(), json!({"address": admin}));
    }
    let clusters = own.pointer_mut("/static_resources/clusters");
    for cluster in clusters.and_then(Value::as_array_mut).into_iter().flatten() {
        let is_static = cluster.get("type").is_none_or(|kind| kind == "STATIC");
        let Some(fields) = cluster.as_object_mut().filter(|_| is_static) else {
            continue;
        };
        fields.insert("type".into(), "EDS".into());
        // The filter reads hosts from the proxy, but not what an assignment says about them.
        let policy = fields
            .get("load_assignment")
            .and_then(|own| own.get("policy"));
        match policy.cloned() {
            Some(policy) => {
                let assignment = json!({"cluster_name": fields.get("name"), "policy": policy});
                fields.insert("load_assignment".into(), assignment);
            }
            None => {
                fields.shift_remove("load_assignment");
            }
        }
    }
    own
}
