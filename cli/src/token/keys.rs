//! Reading, creating and printing keys, for all commands of `spillgate token`.

use std::fmt::Write as _;

use base64::{Engine as _, prelude::BASE64_STANDARD};
use spillgate_answers::input::Faults;
use spillgate_config::{
    Diagnostic,
    filter::{KeyFile, KeySecret},
};

use super::args::{KeyFormat, KeysArgs};
use crate::session_keys::read_keys;

impl KeysArgs {
    /// Reads the keys.
    pub(super) fn read(&self) -> Result<KeyFile, Faults> {
        read_keys(&self.keys)
    }
}

/// A new random key.
pub(super) fn fresh(id: u8) -> Result<KeySecret, Faults> {
    Ok(KeySecret {
        id,
        secret: BASE64_STANDARD.encode(random::<32>()?),
    })
}

/// Random bytes from the operating system.
pub(super) fn random<const N: usize>() -> Result<[u8; N], Faults> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| {
        let what = format!("the system provides no random bytes: {error}");
        Faults::one("token", &Diagnostic::error("token/random", what))
    })?;
    Ok(bytes)
}

/// A key list as text.
pub(super) fn listed(keys: &[KeySecret], format: KeyFormat) -> String {
    match format {
        KeyFormat::Yaml => keys.iter().fold(String::new(), |mut text, key| {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "- {{id: {}, secret: \"{}\"}}", key.id, key.secret);
            text
        }),
        KeyFormat::Json => {
            let keys = keys
                .iter()
                .map(|key| serde_json::json!({"id": key.id, "secret": key.secret}));
            serde_json::Value::Array(keys.collect()).to_string() + "\n"
        }
    }
}
