//! Lists of keys outside of a configuration: in an environment variable, or in a file.

use alloc::vec::Vec;

use spillgate_core::affinity::KeyRing;

use super::keys::{KeySecret, read_keys, read_secrets};
use crate::{
    Diagnostic,
    node::{self, Entry, Key, Node, NodeValue},
    proto::{Message, Path, Report, Schema},
};

/// A list of keys outside of a configuration.
pub(in crate::filter) static KEY_LIST: Schema = Schema::new("the key list", "keys");

/// Reads a JSON list of keys, or an object with the list under `keys`.
///
/// # Errors
/// Every fault, with the path `keys[0]` and so on; for a syntax error only that one.
pub(super) fn read_key_list(json: &str) -> Result<KeyRing, Vec<Diagnostic>> {
    read_list(json, read_keys)
}

/// The ids and secrets of a JSON list of keys.
///
/// # Errors
/// As [`read_key_list`].
pub(in crate::filter) fn read_secret_list(json: &str) -> Result<Vec<KeySecret>, Vec<Diagnostic>> {
    read_list(json, |parent, report| Some(read_secrets(parent, report)))
}

fn read_list<T>(
    json: &str,
    read: fn(&Message<'_, '_>, &mut Report) -> Option<T>,
) -> Result<T, Vec<Diagnostic>> {
    // The message about invalid JSON may quote a part of it.
    let no_json = |_| Vec::from([Diagnostic::error("config/key", "not JSON")]);
    let mut document = node::read_json(json).map_err(no_json)?;
    let mut report = Report::strict();
    let root = document.roots.drain(..).next().map(under_keys);
    let list = root.and_then(|root| {
        let parent = Message::open(&root, Path::root(), &KEY_LIST, &mut report)?;
        read(&parent, &mut report)
    });
    report.finish()?;
    // Every `None` has reported an error.
    list.ok_or_else(Vec::new)
}

/// A list becomes the value of `keys`.
pub(in crate::filter) fn under_keys(root: Node<'_>) -> Node<'_> {
    let position = root.position;
    match root.value {
        NodeValue::List(_) => Node {
            value: NodeValue::Map(Vec::from([Entry {
                key: Key {
                    name: "keys".into(),
                    position,
                },
                node: root,
            }])),
            position,
        },
        _ => root,
    }
}
