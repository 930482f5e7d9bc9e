//! A key file of the command line.

use alloc::vec::Vec;

use spillgate_core::affinity::KeyRing;

use super::{
    affinity::{
        AFFINITY, KEY_LIST, KeySecret, ReadKeys, VariableKeys, read_key_source, read_keys,
        read_secret_list, read_secrets, under_keys,
    },
    read::CONFIG,
};
use crate::{
    Diagnostic,
    envoy::Format,
    node::{Node, NodeValue},
    proto::{Message, Path, Report},
};

/// Keys and their secrets.
#[derive(Debug)]
pub struct KeyFile {
    /// The keys: the first one seals, all open.
    pub ring: KeyRing,
    /// The ids and secrets in file order.
    pub secrets: Vec<KeySecret>,
}

/// Reads keys: a list `[{id, secret}]`, the same under `keys`, or a filter configuration, of which
/// only `affinity.keys` or `affinity.keys_from_env` is read. `variable` returns the value of an
/// environment variable.
///
/// # Errors
/// Every fault of the keys in text order; for a syntax error only that one.
///
/// # Examples
/// ```
/// use spillgate_config::{envoy::Format, filter::read_key_file};
///
/// let text = r#"[{"id": 3, "secret": "MDEyMzQ1Njc4OWFiY2RlZmdoaWprbG1ub3BxcnN0dXY="}]"#;
/// let keys = read_key_file(text, Format::Json, &|_| None)?;
/// assert_eq!(keys.secrets[0].id, 3);
/// // No part of a secret is printed.
/// assert!(!format!("{keys:?}").contains("MDEy"));
/// # Ok::<(), Vec<spillgate_config::Diagnostic>>(())
/// ```
pub fn read_key_file(
    text: &str,
    format: Format,
    variable: Variables<'_>,
) -> Result<KeyFile, Vec<Diagnostic>> {
    let mut document = format.parse(text).map_err(|fault| Vec::from([fault]))?;
    let mut report = Report::strict();
    let root = document
        .roots
        .drain(..)
        .next()
        .map(under_keys)
        .ok_or_else(|| {
            let fault = Diagnostic::error("config/empty", "input is empty");
            Vec::from([fault.expected("a list of keys")])
        })?;
    let file = read_root(&root, variable, &mut report);
    report.finish()?;
    // Every `None` has reported an error.
    file.ok_or_else(Vec::new)
}

/// The value of an environment variable, by its name.
type Variables<'a> = &'a dyn Fn(&str) -> Option<Vec<u8>>;

fn read_root(root: &Node<'_>, variable: Variables<'_>, report: &mut Report) -> Option<KeyFile> {
    let has = |field: &str| match &root.value {
        NodeValue::Map(entries) => entries.iter().any(|entry| entry.key.name == field),
        _ => false,
    };
    let parent = if has("affinity") {
        let config = Message::open(root, Path::root(), &CONFIG, report)?;
        let affinity = config.message("affinity", &AFFINITY, report)?;
        if affinity.has("keys_from_env") {
            return read_variable(&affinity, variable, report);
        }
        affinity
    } else {
        Message::open(root, Path::root(), &KEY_LIST, report)?
    };
    Some(KeyFile {
        ring: read_keys(&parent, report)?,
        secrets: read_secrets(&parent, report),
    })
}

fn read_variable(
    affinity: &Message<'_, '_>,
    variable: Variables<'_>,
    report: &mut Report,
) -> Option<KeyFile> {
    let lookup = |name: &str| variable(name).map_or(VariableKeys::NotSet, VariableKeys::Text);
    let ReadKeys::Known(ring) = read_key_source(affinity, &lookup, report) else {
        return None;
    };
    // The value is valid JSON: the ring comes from it.
    let value = variable(affinity.string("keys_from_env", report)?)?;
    let secrets = read_secret_list(core::str::from_utf8(&value).ok()?).ok()?;
    Some(KeyFile {
        ring: *ring,
        secrets,
    })
}
