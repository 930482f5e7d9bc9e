//! The Envoy configuration of a command.

use std::path::Path;

use spillgate_config::envoy::{self, EnvoyConfig, Format};

use crate::input::{Faults, read_text};

/// A configuration and the name of its file.
#[derive(Debug)]
pub(crate) struct Config {
    pub(crate) name: String,
    pub(crate) envoy: EnvoyConfig,
}

/// Reads a configuration; JSON or YAML by the file's ending, else by its first character.
pub(crate) fn read_config(path: &Path) -> Result<Config, Faults> {
    let text = read_text(path)?;
    let format = Format::guess(&text.name, &text.text);
    match envoy::read(&text.text, format) {
        Ok(envoy) => Ok(Config {
            name: text.name,
            envoy,
        }),
        Err(faults) => Err(Faults::all(&text.name, &faults)),
    }
}
