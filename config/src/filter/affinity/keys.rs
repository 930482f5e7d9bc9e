//! `affinity.keys`: the secrets that seal tokens. Nothing of a secret is ever in a message.

use alloc::{string::ToString, vec::Vec};

use spillgate_core::affinity::{KeyError, KeyRing, KeyRingError, TokenKey};

use crate::proto::{Message, Report, Schema};

pub(in super::super) static KEY: Schema = Schema::new("affinity.keys[]", &["id", "secret"]);

/// Reads the keys; `None` after an error.
pub(super) fn read_keys(parent: &Message<'_, '_>, report: &mut Report) -> Option<KeyRing> {
    let errors = report.errors();
    let nodes: Vec<_> = parent.list("keys", report).collect();
    let mut messages = Vec::new();
    let mut keys = Vec::new();
    for (path, node) in nodes {
        let Some(message) = Message::open(node, path, &KEY, report) else {
            continue;
        };
        for field in KEY.read {
            if !message.has(field) {
                report.push(message.error(field, "config/missing", "a required field is missing"));
            }
        }
        let id = message.u32("id", report).map(u8::try_from);
        if matches!(id, Some(Err(_))) {
            report.push(
                message
                    .error("id", "config/value", "out of range")
                    .expected("a whole number from 0 to 255"),
            );
        }
        let secret = message.required_string("secret", report);
        if let (Some(Ok(id)), Some(secret)) = (id, secret) {
            messages.push(message);
            keys.push((id, TokenKey::from_base64(id, secret)));
        }
    }
    if keys.is_empty() && report.errors() > errors {
        return None;
    }
    match KeyRing::new(keys) {
        Ok(ring) => (report.errors() == errors).then_some(ring),
        Err(faults) => {
            for fault in faults {
                let message = messages.get(fault.place).unwrap_or(parent);
                let (field, expected) = match fault.error {
                    KeyRingError::Empty => ("keys", "at least one key"),
                    KeyRingError::SameId(_) => ("id", "an id of its own for each key"),
                    KeyRingError::Secret(KeyError::Example) => (
                        "secret",
                        "a secret of your own: spillgate token keygen makes one",
                    ),
                    _ => (
                        "secret",
                        "32 random bytes in base64: spillgate token keygen makes them",
                    ),
                };
                let code = match fault.error {
                    KeyRingError::Empty => "config/missing",
                    _ => "config/key",
                };
                let error = message.error(field, code, fault.error.to_string());
                report.push(error.expected(expected));
            }
            None
        }
    }
}
