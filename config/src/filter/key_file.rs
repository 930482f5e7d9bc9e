//! A key file of the command line.

use alloc::vec::Vec;

use spillgate_core::affinity::KeyRing;

use super::{
    affinity::{AFFINITY, KeySecret, read_keys, read_secrets},
    read::CONFIG,
};
use crate::{
    Diagnostic,
    envoy::Format,
    node::{Entry, Key, Node, NodeValue},
    proto::{Message, Path, Report, Schema},
};

static KEY_FILE: Schema = Schema::new("the key file", "keys");

/// Keys and their secrets.
#[derive(Debug)]
pub struct KeyFile {
    /// The keys: the first one seals, all open.
    pub ring: KeyRing,
    /// The ids and secrets in file order.
    pub secrets: Vec<KeySecret>,
}

/// Reads keys: a list `[{id, secret}]`, the same under `keys`, or a filter configuration, of which
/// only `affinity.keys` is read.
///
/// # Errors
/// Every fault of the keys in text order; for a syntax error only that one.
///
/// # Examples
/// ```
/// use spillgate_config::{envoy::Format, filter::read_key_file};
///
/// let text = r#"[{"id": 3, "secret": "MDEyMzQ1Njc4OWFiY2RlZmdoaWprbG1ub3BxcnN0dXY="}]"#;
/// let keys = read_key_file(text, Format::Json)?;
/// assert_eq!(keys.secrets[0].id, 3);
/// // No part of a secret is printed.
/// assert!(!format!("{keys:?}").contains("MDEy"));
/// # Ok::<(), Vec<spillgate_config::Diagnostic>>(())
/// ```
pub fn read_key_file(text: &str, format: Format) -> Result<KeyFile, Vec<Diagnostic>> {
    let mut document = format.parse(text).map_err(|fault| Vec::from([fault]))?;
    let mut report = Report::strict();
    let root = document.roots.drain(..).next().map(under_keys);
    let root = root.ok_or_else(|| {
        let fault = Diagnostic::error("config/empty", "input is empty");
        Vec::from([fault.expected("a list of keys")])
    })?;
    let file = read_root(&root, &mut report);
    report.finish()?;
    // Every `None` has reported an error.
    file.ok_or_else(Vec::new)
}

fn read_root(root: &Node<'_>, report: &mut Report) -> Option<KeyFile> {
    let has = |field: &str| match &root.value {
        NodeValue::Map(entries) => entries.iter().any(|entry| entry.key.name == field),
        _ => false,
    };
    let parent = if has("affinity") {
        let config = Message::open(root, Path::root(), &CONFIG, report)?;
        config.message("affinity", &AFFINITY, report)?
    } else {
        Message::open(root, Path::root(), &KEY_FILE, report)?
    };
    Some(KeyFile {
        ring: read_keys(&parent, report)?,
        secrets: read_secrets(&parent, report),
    })
}

/// A list is the value of `keys`.
fn under_keys(root: Node<'_>) -> Node<'_> {
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
