//! `affinity.keys_from_env`: keys in an environment variable of the filter's VM.

use alloc::{
    borrow::ToOwned,
    boxed::Box,
    format,
    string::{String, ToString as _},
    vec::Vec,
};

use spillgate_core::affinity::KeyRing;

use super::{key_list::read_key_list, keys::read_keys};
use crate::{
    Diagnostic,
    proto::{Message, Report},
};

/// The keys of an environment variable, as far as they are known.
#[derive(Debug, Clone)]
pub enum VariableKeys {
    /// The value of the variable: a JSON list of keys.
    Text(Vec<u8>),
    /// These keys, in place of the value.
    Keys(Box<KeyRing>),
    /// The variable is not set in the VM of the filter, so the configuration is invalid.
    NotSet,
    /// The same for the dynamic module, which reads the environment of Envoy itself.
    NotSetInEnvoy,
    /// The variable of another process: sessions are left out of the configuration.
    Unknown,
}

/// Finds the keys of an environment variable by its name.
pub type KeyLookup<'a> = &'a dyn Fn(&str) -> VariableKeys;

/// The keys of a configuration.
pub(in crate::filter) enum ReadKeys {
    /// Valid keys.
    Known(Box<KeyRing>),
    /// The keys of the variable with this name are unknown.
    Unknown(String),
    /// Errors were reported.
    Invalid,
}

/// Reads `keys` or `keys_from_env`. Messages never contain any part of a value.
pub(in crate::filter) fn read_key_source(
    parent: &Message<'_, '_>,
    lookup: KeyLookup<'_>,
    report: &mut Report,
) -> ReadKeys {
    parent.one_of(&["keys", FIELD], report);
    let ring = if parent.has(FIELD) {
        let Some(name) = read_name(parent, report) else {
            return ReadKeys::Invalid;
        };
        match lookup(&name) {
            VariableKeys::Unknown => return ReadKeys::Unknown(name),
            VariableKeys::Keys(ring) => Some(*ring),
            VariableKeys::Text(text) => {
                let ring = read_value(&text);
                ring.map_err(|faults| {
                    for fault in faults {
                        report.push(value_fault(parent, &name, &fault));
                    }
                })
                .ok()
            }
            unset @ (VariableKeys::NotSet | VariableKeys::NotSetInEnvoy) => {
                let fault = format!("environment variable {name} is not set");
                let expected = match unset {
                    VariableKeys::NotSetInEnvoy => "a value in the environment of Envoy",
                    _ => "its name in host_env_keys of every VM with this vm_id",
                };
                report.push(Diagnostic {
                    found: None,
                    ..parent
                        .error(FIELD, "config/missing", fault)
                        .expected(expected)
                });
                None
            }
        }
    } else {
        read_keys(parent, report)
    };
    ring.map_or(ReadKeys::Invalid, |ring| ReadKeys::Known(Box::new(ring)))
}

const FIELD: &str = "keys_from_env";

fn read_name(parent: &Message<'_, '_>, report: &mut Report) -> Option<String> {
    let name = parent.string(FIELD, report)?;
    if name.is_empty() || name.contains(['=', '\0']) {
        let fault = parent.error(FIELD, "config/value", "not the name of a variable");
        report.push(fault.expected("a name such as SPILLGATE_KEYS"));
        return None;
    }
    Some(name.to_owned())
}

/// The keys in the value of a variable.
fn read_value(text: &[u8]) -> Result<KeyRing, Vec<Diagnostic>> {
    let text = core::str::from_utf8(text)
        .map_err(|_| Vec::from([Diagnostic::error("config/key", "not UTF-8")]));
    read_key_list(text?)
}

/// The fault of a value. Only faults of known fields are shown in detail: other names may be a part
/// of a secret.
fn value_fault(parent: &Message<'_, '_>, name: &str, fault: &Diagnostic) -> Diagnostic {
    let detail = match fault.code {
        "config/unknown-field" => "unknown field".to_string(),
        _ if fault.path.is_empty() => fault.message.clone(),
        _ => format!("{}: {}", fault.path, fault.message),
    };
    let message = format!("environment variable {name}: {detail}");
    let expected = "a JSON list of {id, secret}, as spillgate token keygen --format json prints";
    Diagnostic {
        found: None,
        ..parent.error(FIELD, fault.code, message).expected(expected)
    }
}
