//! `affinity.keys`: the secrets that seal tokens. Nothing of a secret is ever in a message.

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

/// A key: its number from 0 to 255 and 32 bytes in base64.
pub(in crate::filter) static KEY: Schema = Schema::new("affinity.keys[]", "id secret");

/// A secret and its number.
#[derive(Clone)]
pub struct KeySecret {
    /// The number.
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
                    report.push(told(fault, parent, &messages));
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

/// The numbers and secrets of keys that make a ring.
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

/// The fault in the words of the configuration.
fn told(fault: KeyFault, parent: &Message<'_, '_>, messages: &[Message<'_, '_>]) -> Diagnostic {
    let key = messages.get(fault.index).unwrap_or(parent);
    let again = |what: &str, before: usize| {
        let before = messages.get(before).unwrap_or(parent);
        format!("the {what} of {} again", before.path.text())
    };
    match fault.error {
        KeyRingError::SameId(before) => key
            .error("id", "config/key", again("id", before))
            .expected("an id of its own for each key"),
        KeyRingError::SameSecret(before) => key
            .error("secret", "config/key", again("secret", before))
            .expected("a secret of its own for each key"),
        KeyRingError::Secret(KeyError::Example) => key
            .error("secret", "config/key", fault.error.to_string())
            .expected("a secret of your own: spillgate token keygen makes one"),
        KeyRingError::Secret(_) => key
            .error("secret", "config/key", fault.error.to_string())
            .expected("32 random bytes in base64: spillgate token keygen makes them"),
        // Of all there may be, only the empty list is left.
        _ => parent
            .error("keys", "config/missing", "nothing seals tokens")
            .expected("at least one key: spillgate token keygen makes one"),
    }
}
