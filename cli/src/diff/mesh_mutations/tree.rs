//! The mutations of documents: each leaf has another value, and each key is gone.

use serde_json::{Value, json};

/// The mutation of one field.
pub(super) struct Mutation {
    /// The kind of its document, and its path without indexes.
    pub(super) field: String,
    /// Whether its value changes, or the field is gone.
    pub(super) what: &'static str,
    /// The documents after it. The first valid one counts.
    pub(super) variants: Vec<Vec<Value>>,
}

/// A step to a value.
#[derive(Clone)]
enum Step {
    Key(String),
    Index(usize),
}

/// Values of one field, of which each is valid where another one is.
static ALIKE: &[&[&str]] = &[
    &["STATIC", "DNS", "NONE"],
    &["ROUND_ROBIN", "RANDOM", "LEAST_REQUEST"],
    &["RoundRobin", "Random", "LeastRequest", "RingHash", "Maglev"],
    &["DISABLE", "ISTIO_MUTUAL", "SIMPLE"],
    &["HTTP", "TCP", "GRPC"],
    &["http", "tcp", "grpc"],
    &["MESH_EXTERNAL", "MESH_INTERNAL"],
    &["AnyExcept", "Only", "Any", "None"],
    &["Exact", "PathPrefix", "RegularExpression"],
    &["GET", "POST"],
    &["Mesh", "MeshSubset", "MeshService"],
    &["Ready", "NotReady"],
    &["Available", "Unavailable"],
    &["HEALTHY", "UNHEALTHY"],
    &["True", "False"],
    &["PreferClose", "PreferSameZone", "PreferSameNode"],
    &["MurmurHash2", "XXHash"],
    &["DELEGATED", "BUILTIN"],
    &["ClusterIP", "ExternalName"],
];

/// The mutations of all documents, in order.
pub(super) fn mutations(documents: &[Value]) -> Vec<Mutation> {
    let mut found = Vec::new();
    for (at, document) in documents.iter().enumerate() {
        let kind = ["kind", "type"]
            .iter()
            .find_map(|field| document[field].as_str());
        let field = kind.unwrap_or("short form").to_owned();
        let path = vec![Step::Index(at)];
        below(documents, document, &field, &path, &mut found);
    }
    found
}

fn below(
    documents: &[Value],
    value: &Value,
    field: &str,
    path: &[Step],
    found: &mut Vec<Mutation>,
) {
    let root = Value::from(documents.to_vec());
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                let path = [path, &[Step::Key(key.clone())]].concat();
                let field = format!("{field}.{key}");
                below(documents, value, &field, &path, found);
                found.push(Mutation {
                    field,
                    what: "deleting",
                    variants: vec![changed(&root, &path, None)],
                });
            }
        }
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                let path = [path, &[Step::Index(at)]].concat();
                below(documents, item, field, &path, found);
            }
        }
        leaf => {
            let variants = others(leaf);
            let variants = variants.into_iter();
            found.push(Mutation {
                field: field.to_owned(),
                what: "changing",
                variants: variants
                    .map(|value| changed(&root, path, Some(value)))
                    .collect(),
            });
        }
    }
}

/// Other values than a leaf.
fn others(leaf: &Value) -> Vec<Value> {
    match leaf {
        Value::Bool(value) => vec![json!(!value)],
        Value::Number(number) => match number.as_u64() {
            Some(number) => vec![json!(number + 1)],
            None => vec![json!(number.as_f64().unwrap_or_default() + 0.5)],
        },
        Value::String(text) => {
            let alike = ALIKE.iter().find(|alike| alike.contains(&text.as_str()));
            if let Some(alike) = alike {
                let others = alike.iter().filter(|other| **other != text);
                return others.map(|other| json!(other)).collect();
            }
            // Also a valid number, duration, address or name.
            vec![json!(format!("1{text}")), json!("20")]
        }
        _ => vec![json!("x")],
    }
}

/// The documents with another value at a place, or without it.
fn changed(root: &Value, path: &[Step], value: Option<Value>) -> Vec<Value> {
    let mut root = root.clone();
    let (last, before) = path.split_last().expect("a path has a document");
    let mut parent = &mut root;
    for step in before {
        parent = match step {
            Step::Key(key) => &mut parent[key.as_str()],
            Step::Index(at) => &mut parent[*at],
        };
    }
    match (last, value) {
        (Step::Key(key), Some(value)) => parent[key.as_str()] = value,
        (Step::Index(at), Some(value)) => parent[*at] = value,
        (Step::Key(key), None) => drop(parent.as_object_mut().expect("an object").remove(key)),
        (Step::Index(at), None) => drop(parent.as_array_mut().expect("a list").remove(*at)),
    }
    match root {
        Value::Array(documents) => documents,
        _ => Vec::new(),
    }
}
