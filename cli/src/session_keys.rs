//! Token keys for the commands: from a file, or from an environment variable.

use std::{env, ffi::OsString, path::Path};

use spillgate_answers::input::{Faults, read_text};
use spillgate_config::{
    envoy::Format,
    filter::{KeyFile, VariableKeys, read_key_file},
};

/// Reads a file with keys. A configuration with `keys_from_env` names a variable of this process.
///
/// # Errors
/// All faults of the keys. They never contain a secret.
pub(crate) fn read_keys(path: &Path) -> Result<KeyFile, Faults> {
    let text = read_text(path)?;
    let format = Format::guess(&text.name, &text.text);
    let keys = read_key_file(&text.text, format, &variable);
    keys.map_err(|faults| Faults::all(&text.name, &faults))
}

/// The keys of a configuration with `keys_from_env`: those of the file, if there is one, otherwise
/// those in the variable of this process.
pub(crate) fn of_variable(file: Option<&KeyFile>, name: &str) -> VariableKeys {
    match file {
        Some(file) => VariableKeys::Keys(Box::new(file.ring.clone())),
        None => variable(name).map_or(VariableKeys::Unknown, VariableKeys::Text),
    }
}

/// The value of an environment variable.
fn variable(name: &str) -> Option<Vec<u8>> {
    env::var_os(name).map(OsString::into_encoded_bytes)
}
