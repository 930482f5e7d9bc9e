//! `affinity.keys`: the secrets that seal tokens. Messages never contain any part of a secret.
//!
//! The reader derives the keys and discards the text of a secret, so no debug output, diagnostic or
//! writer can reveal it. Diagnostics quote neither the content of `affinity.keys`, nor a value in
//! its place, nor the text after which JSON is invalid. A writer refuses sessions instead of
//! omitting them. Envoy's dump does show the configuration, so keys can come from an environment
//! variable of the VM (`keys_from_env`); the command line then reads the configuration without
//! them, leaves the sessions out and says so, because a decision with other keys would be wrong.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::fmt;

use spillgate_core::affinity::{KeyError, KeyFault, KeyRing, KeyRingError, TokenKey};

use crate::{
    Diagnostic,
    proto::{Message, Report, Schema},
};

/// A key: its id from 0 to 255 and 32 bytes in base64.
pub(in crate::filter) static KEY: Schema = Schema::new("affinity.keys[]", "id secret");

/// A secret and its id.
#[derive(Clone)]
pub struct KeySecret {
    /// The id.
    pub id: u8,
    /// The secret in base64.
    pub secret: String,
}

impl fmt::Debug for KeySecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeySecret")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}

/// Reads the keys; `None` after an error.
pub(in crate::filter) fn read_keys(
    parent: &Message<'_, '_>,
    report: &mut Report,
) -> Option<KeyRing> {
    report.in_confidence(|report| {
        let errors = report.errors();
        let nodes: Vec<_> = parent.list("keys", report).collect();
        let mut messages = Vec::new();
        let mut keys = Vec::new();
        for (path, node) in nodes {
            let message = Message::open(node, path, &KEY, report);
            let key = message.and_then(|message| Some((read_key(&message, report)?, message)));
            if let Some((key, message)) = key {
                messages.push(message);
                keys.push(key);
            }
        }
        if keys.is_empty() && report.errors() > errors {
            return None;
        }
        match KeyRing::new(keys) {
            Ok(ring) => (report.errors() == errors).then_some(ring),
            Err(faults) => {
                for fault in faults {
                    report.push(key_fault(fault, parent, &messages));
                }
                None
            }
        }
    })
}

fn read_key(
    message: &Message<'_, '_>,
    report: &mut Report,
) -> Option<(u8, Result<TokenKey, KeyError>)> {
    message.require("id", report);
    let id = message.u32_within("id", 0..=u8::MAX.into(), report);
    let secret = message.required_string("secret", report);
    let id = u8::try_from(id?).ok()?;
    Some((id, TokenKey::from_base64(id, secret?)))
}

/// The ids and secrets of keys that form a ring.
pub(in crate::filter) fn read_secrets(
    parent: &Message<'_, '_>,
    report: &mut Report,
) -> Vec<KeySecret> {
    let nodes: Vec<_> = parent.list("keys", report).collect();
    let read = |(path, node)| {
        let message = Message::open(node, path, &KEY, report)?;
        let id = message.u32("id", report)?;
        let secret = message.required_string("secret", report)?;
        Some(KeySecret {
            id: u8::try_from(id).ok()?,
            secret: secret.into(),
        })
    };
    nodes.into_iter().filter_map(read).collect()
}

/// The fault as a diagnostic of the configuration.
fn key_fault(
    fault: KeyFault,
    parent: &Message<'_, '_>,
    messages: &[Message<'_, '_>],
) -> Diagnostic {
    let key = messages.get(fault.index).unwrap_or(parent);
    let again = |what: &str, before: usize| {
        let before = messages.get(before).unwrap_or(parent);
        format!("duplicate {what}, same as {}", before.path.text())
    };
    match fault.error {
        KeyRingError::SameId(before) => key
            .error("id", "config/key", again("id", before))
            .expected("a unique id"),
        KeyRingError::SameSecret(before) => key
            .error("secret", "config/key", again("secret", before))
            .expected("a unique secret"),
        KeyRingError::Secret(KeyError::Example) => key
            .error("secret", "config/key", fault.error.to_string())
            .expected("your own secret, from spillgate token keygen"),
        KeyRingError::Secret(_) => key
            .error("secret", "config/key", fault.error.to_string())
            .expected("32 random bytes in base64, from spillgate token keygen"),
        // The only remaining fault is an empty list.
        _ => parent
            .error("keys", "config/missing", "no keys")
            .expected("at least one key, from spillgate token keygen"),
    }
}
