//! The file with the objects of the filter.

use std::path::Path;

use serde_json::Value;
use spillgate_adopt::OBJECT_NAME;
use spillgate_answers::input::{Faults, read_text};
use spillgate_config::{
    Diagnostic, NamedText,
    node::{Node, NodeValue, to_json},
};

use crate::control_planes::string;

/// The kinds of our objects.
const KINDS: [&str; 5] = [
    "WasmPlugin",
    "EnvoyFilter",
    "EnvoyExtensionPolicy",
    "EnvoyPatchPolicy",
    "EnvoyProxy",
];

/// The name of the file.
const FILE: &str = "spillgate.yaml";

/// The file of the objects and its content.
#[derive(Debug)]
pub(super) struct ObjectsFile {
    /// The path.
    pub(super) name: String,
    /// The text; `None` without such a file.
    pub(super) text: Option<String>,
    /// The objects in it.
    pub(super) objects: Vec<Value>,
}

impl ObjectsFile {
    /// The value of a field in the `spec` of an object.
    pub(super) fn spec(&self, kind: &str, field: &str) -> Option<&Value> {
        self.object(kind)?.get("spec")?.get(field)
    }

    /// Whether the filter in it keeps sessions.
    pub(super) fn keeps_sessions(&self) -> bool {
        let of_plugin = self.spec("WasmPlugin", "pluginConfig");
        let of_policy = self.spec("EnvoyExtensionPolicy", "wasm");
        let of_policy = of_policy.and_then(|wasm| wasm.pointer("/0/config"));
        let mut configs = of_plugin.into_iter().chain(of_policy);
        configs.any(|config| config.get("affinity").is_some())
    }

    /// The object of a kind.
    pub(super) fn object(&self, kind: &str) -> Option<&Value> {
        let mut objects = self.objects.iter();
        objects.find(|object| object.get("kind").and_then(Value::as_str) == Some(kind))
    }
}

/// Whether a text has objects of the filter.
pub(super) fn has_own(text: &NamedText) -> bool {
    text.text.contains(OBJECT_NAME)
        && text
            .source()
            .format
            .parse(&text.text)
            .is_ok_and(|document| documents(&document.roots).into_iter().any(is_own))
}

/// The file of the objects: one of the texts that have some, or the file next to the first of the others.
///
/// # Errors
/// Objects in several files, or in a file with other documents.
pub(super) fn objects_file(
    own: Vec<NamedText>,
    others: &[NamedText],
) -> Result<ObjectsFile, Faults> {
    let mut own = own.into_iter();
    let Some(text) = own.next() else {
        return next_to(others);
    };
    if let Some(second) = own.next() {
        let what = "objects of the filter are in several files";
        let fault = Diagnostic::error("adopt/option", what).found(text.name);
        return Err(Faults::one(&second.name, &fault.expected("one file")));
    }
    Ok(ObjectsFile {
        objects: own_objects(&text)?,
        name: text.name,
        text: Some(text.text),
    })
}

/// The file next to the first text, which can exist.
fn next_to(texts: &[NamedText]) -> Result<ObjectsFile, Faults> {
    let first = texts.first().map_or("", |text| text.name.as_str());
    let path = Path::new(first).with_file_name(FILE);
    let missing = ObjectsFile {
        name: match first {
            "-" | "" => FILE.to_owned(),
            _ => path.display().to_string(),
        },
        text: None,
        objects: Vec::new(),
    };
    if !path.is_file() || first == "-" {
        return Ok(missing);
    }
    let text = read_text(&path)?;
    let objects = own_objects(&text)?;
    if objects.is_empty() {
        let what = "the file of the filter's objects has other documents";
        let fault = Diagnostic::error("adopt/option", what);
        return Err(Faults::one(
            &text.name,
            &fault.expected("another name of this file"),
        ));
    }
    Ok(ObjectsFile {
        name: text.name,
        text: Some(text.text),
        objects,
    })
}

/// The objects of the filter in a text; empty if it has none.
fn own_objects(text: &NamedText) -> Result<Vec<Value>, Faults> {
    // The reader reports the errors of other texts.
    let Ok(document) = text.source().format.parse(&text.text) else {
        return Ok(Vec::new());
    };
    let (own, others): (Vec<&Node<'_>>, Vec<&Node<'_>>) = documents(&document.roots)
        .into_iter()
        .filter(|root| !matches!(root.value, NodeValue::Null))
        .partition(|root| is_own(root));
    if let (Some(first), false) = (own.first(), others.is_empty()) {
        let what = "objects of the filter are in a file with other documents";
        let fault = Diagnostic::error("adopt/option", what).at("", first.position);
        return Err(Faults::one(
            &text.name,
            &fault.expected("a file of their own"),
        ));
    }
    own.iter().map(|root| value_of(text, root)).collect()
}

/// An object as JSON.
///
/// # Errors
/// A number that JSON's readers do not accept.
pub(super) fn value_of(text: &NamedText, object: &Node<'_>) -> Result<Value, Faults> {
    serde_json::from_str(&to_json(object)).map_err(|error| {
        let fault = Diagnostic::error("adopt/not-carried-over", format!("not JSON: {error}"));
        Faults::one(&text.name, &fault.at("", object.position))
    })
}

/// The documents of a text, also those of lists.
pub(super) fn documents<'n, 'a>(roots: &'n [Node<'a>]) -> Vec<&'n Node<'a>> {
    let of = |root: &'n Node<'a>| match root.get("items").and_then(list) {
        Some(items) if string(root, "kind").is_some_and(|kind| kind.ends_with("List")) => {
            items.iter().collect()
        }
        _ => vec![root],
    };
    roots.iter().flat_map(of).collect()
}

fn is_own(root: &Node<'_>) -> bool {
    let name = root.get("metadata").and_then(|meta| string(meta, "name"));
    let kind = string(root, "kind");
    name == Some(OBJECT_NAME) && kind.is_some_and(|kind| KINDS.contains(&kind))
}

/// Keeps what the user has added to an object: fields of its `spec`, and of the filter's configuration, that
/// `adopt` never writes.
pub(super) fn keep_added(objects: &mut [Value], file: &ObjectsFile) {
    // What a run without the option of an earlier one leaves out.
    const OF_OPTIONS: [&str; 10] = [
        "affinity",
        "output",
        "match",
        "vmConfig",
        "env",
        "route_settings",
        "target",
        "weighted",
        "hash_policy",
        "selector",
    ];
    for object in objects {
        let kind = object.get("kind").and_then(Value::as_str);
        let Some(old) = kind.and_then(|kind| file.object(kind)) else {
            continue;
        };
        for path in [
            "/metadata",
            "/spec",
            "/spec/pluginConfig",
            "/spec/wasm/0",
            "/spec/wasm/0/config",
        ] {
            let (Some(old), Some(new)) = (
                old.pointer(path).and_then(Value::as_object),
                object.pointer_mut(path).and_then(Value::as_object_mut),
            ) else {
                continue;
            };
            // In the order of the file, so that the difference is small.
            let mut fresh = core::mem::take(new);
            for (key, value) in old {
                match fresh.shift_remove(key) {
                    Some(value) => {
                        new.insert(key.clone(), value);
                    }
                    None if !OF_OPTIONS.contains(&key.as_str()) => {
                        new.insert(key.clone(), value.clone());
                    }
                    None => {}
                }
            }
            new.extend(fresh);
        }
    }
}

pub(super) fn list<'n, 'a>(node: &'n Node<'a>) -> Option<&'n [Node<'a>]> {
    match &node.value {
        NodeValue::List(items) => Some(items),
        _ => None,
    }
}
