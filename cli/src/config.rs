//! The Envoy configuration of a command.

use std::path::{Path, PathBuf};

use spillgate_config::envoy::{self, EnvoyConfig, Format, Options};

use crate::{
    input::{Faults, read_text},
    regex_rewrite,
};

/// The arguments that name a configuration, for every command that reads one.
#[derive(Debug, Clone, clap::Args)]
pub struct ConfigArgs {
    /// The Envoy configuration, or `-`.
    #[arg(value_name = "CONFIG")]
    pub config: PathBuf,
}

/// A configuration and the name of its file.
#[derive(Debug)]
pub struct Config {
    /// The file as given, for faults and warnings.
    pub name: String,
    /// What it says.
    pub envoy: EnvoyConfig,
}

impl ConfigArgs {
    /// Reads the configuration; JSON or YAML by the file's ending, else by its first character.
    ///
    /// # Errors
    /// Every fault of the text.
    pub fn read(&self) -> Result<Config, Faults> {
        read_as(&self.config, |format| format)
    }

    /// Whether the standard input is read.
    #[must_use]
    pub fn reads_stdin(&self) -> bool {
        self.config == Path::new("-")
    }
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
