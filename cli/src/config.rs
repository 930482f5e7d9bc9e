//! The Envoy configuration of a command.

use std::path::Path;

use spillgate_config::envoy::{self, EnvoyConfig, Format, Options};

use crate::{
    input::{Faults, read_text},
    regex_rewrite,
};

/// A configuration and the name of its file.
#[derive(Debug)]
pub(crate) struct Config {
    pub(crate) name: String,
    pub(crate) envoy: EnvoyConfig,
}

/// Reads a configuration; JSON or YAML by the file's ending, else by its first character.
pub(crate) fn read_config(path: &Path) -> Result<Config, Faults> {
    read_as(path, |format| format)
}

/// Reads a configuration that its recorder handed to Envoy as JSON.
pub(crate) fn read_recorded(path: &Path) -> Result<Config, Faults> {
    read_as(path, |format| match format {
        Format::Yaml => Format::YamlAsJson,
        other => other,
    })
}

fn read_as(path: &Path, change: impl Fn(Format) -> Format) -> Result<Config, Faults> {
    let text = read_text(path)?;
    let format = change(Format::guess(&text.name, &text.text));
    let options = Options {
        regex: Some(regex_rewrite::compile),
    };
    match envoy::read_with(&text.text, format, &options) {
        Ok(envoy) => Ok(Config {
            name: text.name,
            envoy,
        }),
        Err(faults) => Err(Faults::all(&text.name, &faults)),
    }
}
