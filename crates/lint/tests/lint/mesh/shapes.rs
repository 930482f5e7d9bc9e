//! The same documents in their other forms.

use serde_json::{Map, Value, json};

/// A document of Kuma as a Kubernetes object; others stay as they are.
pub(super) fn kubernetes(document: &Value) -> Value {
    let Some(kind) = document.get("type").and_then(Value::as_str) else {
        return document.clone();
    };
    let mut rest = document.as_object().unwrap().clone();
    rest.remove("type");
    let name = rest.remove("name");
    let mesh = rest.remove("mesh");
    let mut labels = rest.remove("labels").unwrap_or_else(|| json!({}));
    if let Some(mesh) = &mesh {
        labels["kuma.io/mesh"] = mesh.clone();
    }
    let spec = rest.remove("spec").unwrap_or(Value::Object(rest));
    let mut object = json!({
        "apiVersion": "kuma.io/v1alpha1",
        "kind": kind,
        "metadata": {"name": name, "namespace": "kuma-system", "labels": labels},
        "spec": spec,
    });
    if let Some(mesh) = mesh {
        object["mesh"] = mesh;
    }
    object
}

/// A policy as the decision record writes it: `defaults`, and an object for a single entry.
pub(super) fn decision_record(document: &Value) -> Value {
    let mut document = document.clone();
    if document["type"] != "MeshLoadBalancingStrategy" {
        return document;
    }
    let to = document.pointer_mut("/spec/to").unwrap();
    for entry in to.as_array_mut().unwrap() {
        let conf = entry.as_object_mut().unwrap().remove("default").unwrap();
        entry["defaults"] = conf;
    }
    if let [only] = to.as_array().unwrap().as_slice() {
        *to = only.clone();
    }
    document
}

/// A policy without `spec`.
pub(super) fn flat(document: &Value) -> Value {
    let mut document = document.clone();
    if document["type"] != "MeshLoadBalancingStrategy" {
        return document;
    }
    let fields = document.as_object_mut().unwrap();
    let spec = fields.remove("spec").unwrap();
    fields.extend(spec.as_object().unwrap().clone());
    document
}

/// A DestinationRule without `apiVersion`.
pub(super) fn without_version(document: &Value) -> Value {
    let mut document = document.clone();
    if document["kind"] == "DestinationRule" {
        document.as_object_mut().unwrap().remove("apiVersion");
    }
    document
}

/// A MeshConfig inside an IstioOperator.
pub(super) fn operator(document: &Value) -> Value {
    let mut object = Map::new();
    if document.get("localityLbSetting").is_none() {
        return document.clone();
    }
    object.insert("apiVersion".into(), json!("install.istio.io/v1alpha1"));
    object.insert("kind".into(), json!("IstioOperator"));
    object.insert("spec".into(), json!({"meshConfig": document}));
    Value::Object(object)
}

/// A MeshConfig as text inside Istio's ConfigMap.
pub(super) fn config_map(document: &Value) -> Value {
    if document.get("localityLbSetting").is_none() {
        return document.clone();
    }
    json!({
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "istio", "namespace": "istio-system"},
        "data": {"mesh": serde_json::to_string(document).unwrap()},
    })
}
