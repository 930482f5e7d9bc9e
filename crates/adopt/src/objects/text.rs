//! Objects as text.

use serde_json::Value;

use crate::edit::yaml_document;

/// The name of all objects (`metadata.name`).
pub const OBJECT_NAME: &str = "spillgate";

/// What each kind is for.
const COMMENTS: [(&str, &str); 4] = [
    (
        "WasmPlugin",
        "The filter. Run `spillgate adopt` again after a change of routes, services or DestinationRules.",
    ),
    (
        "EnvoyFilter",
        "What the filter needs in the configuration that istiod generates.",
    ),
    (
        "EnvoyExtensionPolicy",
        "The filter. Run `spillgate adopt` again after a change of the HTTPRoute, its Gateway or load balancer.",
    ),
    (
        "EnvoyPatchPolicy",
        "What the filter needs in the configuration that Envoy Gateway generates, by the names that it gives.",
    ),
];

/// The objects as a stream of YAML, each with a comment.
#[must_use]
pub fn objects_yaml(objects: &[Value]) -> String {
    let texts = objects.iter().map(|object| {
        let kind = object.get("kind").and_then(Value::as_str).unwrap_or("");
        let comment = COMMENTS.iter().find(|(own, _)| *own == kind);
        let comment = comment.map_or_else(String::new, |(_, text)| format!("# {text}\n"));
        format!("{comment}{}", yaml_document(object))
    });
    texts.collect::<Vec<_>>().join("---\n")
}
