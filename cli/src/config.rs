//! The arguments CONFIG, `--admin` and `--health`, for all commands that read a configuration.

use std::{
    borrow::Cow,
    path::{Path, PathBuf},
};

use spillgate_config::{
    Diagnostic, clusters,
    envoy::{self, EnvoyConfig, Format, ReadOptions},
    steered::{envoy_model, served_model},
};
use spillgate_core::model::Model;

use crate::{
    command::Done,
    input::{Faults, Text, name_of, read_text},
    mesh::{self, MeshArgs, MeshInput, MeshText},
    regex_rewrite,
    running::{AdminArgs, RunningEnvoy, hosts},
};

/// The arguments that name a configuration.
#[derive(Debug, Clone, clap::Args)]
pub struct ConfigArgs {
    /// Envoy configuration: a file, or `-` for standard input.
    #[arg(value_name = "CONFIG", required_unless_present = "url")]
    pub config: Option<PathBuf>,
    /// A running Envoy in place of the file.
    #[command(flatten)]
    pub admin: AdminArgs,
    /// Take hosts and health from this /clusters output, text or JSON.
    #[arg(long, value_name = "FILE")]
    pub health: Option<PathBuf>,
}

/// A configuration and the name of its file.
#[derive(Debug)]
pub struct Config {
    /// The file as given, for errors and warnings.
    pub name: String,
    /// Its text, for quotes.
    pub text: String,
    /// Its content, with the hosts and health of `--health`.
    pub envoy: EnvoyConfig,
    /// The warnings about the other files, by name: that of `--health`, mesh documents.
    pub(crate) others: Vec<(String, Vec<Diagnostic>)>,
}

impl Config {
    /// The clusters that requests reach: with a Spillgate filter, those of the filter. Adds a warning
    /// for each part of the filter that the shares do not include.
    pub fn served_model(&self, done: &mut Done) -> Cow<'_, Model> {
        match served_model(&self.envoy) {
            Some(served) => {
                done.warn(&self.name, &served.warnings);
                Cow::Owned(served.model)
            }
            None => Cow::Borrowed(&self.envoy.model),
        }
    }

    /// Adds the warnings of all read files.
    pub fn warn(&self, done: &mut Done) {
        done.warn(&self.name, &self.envoy.warnings);
        for (name, warnings) in &self.others {
            done.warn(name, warnings);
        }
    }
}

impl From<PathBuf> for ConfigArgs {
    /// A file without `--health`.
    fn from(path: PathBuf) -> Self {
        Self {
            config: Some(path),
            admin: AdminArgs::default(),
            health: None,
        }
    }
}

impl ConfigArgs {
    /// Reads the configuration. The file extension decides between JSON and YAML, else the first
    /// character.
    ///
    /// # Errors
    /// Every error of both files.
    pub fn read(&self) -> Result<Config, Faults> {
        self.read_by(|text| read_text_as(text, |format| format))
    }

    /// Reads the configuration, or mesh documents from the point of view of the arguments.
    ///
    /// # Errors
    /// Every error of all files.
    pub(crate) fn read_as_seen(&self, mesh: &MeshArgs) -> Result<Config, Faults> {
        self.read_by(|text| {
            let text = MeshText::new(text, 0);
            if text.is_mesh() {
                let mut input = mesh::input_of(text, mesh)?;
                return Ok(Config {
                    envoy: mesh::config_of(&mut input, mesh)?,
                    name: input.name,
                    text: input.text,
                    others: input.warnings,
                });
            }
            match mesh.first() {
                Some(argument) => Err(mesh::only_for_meshes(&text.text, argument)),
                None => read_text_as(text.text, |format| format),
            }
        })
    }

    /// The documents of a mesh, if the configuration has some and no argument chooses a point of
    /// view. Standard input can be read only once and requires a point of view.
    pub(crate) fn read_zones(&self, args: &MeshArgs) -> Result<Option<MeshInput>, Faults> {
        let path = self
            .config
            .as_deref()
            .filter(|path| *path != Path::new("-"));
        let Some(path) = path.filter(|_| args.zone.is_none() && args.proxy.is_none()) else {
            return Ok(None);
        };
        let text = MeshText::new(read_text(path)?, 0);
        match text.is_mesh() {
            true => mesh::input_of(text, args).map(Some),
            false => Ok(None),
        }
    }

    /// Reads the configuration for lint: the text of CONFIG, or the Envoy of `--admin`.
    pub(crate) fn read_for_lint(
        &self,
        text: Option<Result<Text, Faults>>,
    ) -> Result<Config, Faults> {
        let read = |text: Text| {
            let format = Format::guess(&text.name, &text.text);
            let read = envoy::read_for_lint(&text.text, format, &options());
            config_of(text, read)
        };
        match text {
            Some(text) => self.with_health(|_| read(text?)),
            None => self.read_by(read),
        }
    }

    /// Reads the configuration with `read`, and applies the hosts of `--admin` or `--health`.
    fn read_by(&self, read: impl FnOnce(Text) -> Result<Config, Faults>) -> Result<Config, Faults> {
        match self.admin.read()? {
            Some(running) => of_running(running, read),
            None => self.with_health(|path| read(read_text(path)?)),
        }
    }

    /// Reads CONFIG with `read` and applies `--health`.
    fn with_health(
        &self,
        read: impl FnOnce(&Path) -> Result<Config, Faults>,
    ) -> Result<Config, Faults> {
        let stdin = Path::new("-");
        // Without `--admin`, the command line requires CONFIG.
        let path = self.config.as_deref().unwrap_or(stdin);
        let Some(health) = &self.health else {
            return read(path);
        };
        if path == stdin && health == stdin {
            let fault = Diagnostic::error("input/twice", "standard input cannot be read twice")
                .expected("a file for CONFIG or --health");
            return Err(Faults::one("-", &fault));
        }
        let config = read(path);
        let text = read_text(health);
        let statuses = text.as_ref().map_err(Clone::clone).and_then(|text| {
            clusters::read(&text.text).map_err(|faults| Faults::all(&text.name, &faults))
        });
        match (config, statuses) {
            (Ok(mut config), Ok(statuses)) => {
                let found = clusters::lay_over(&statuses, &mut config.envoy);
                config.others.push((name_of(health), found));
                Ok(config)
            }
            (config, statuses) => {
                let mut faults = config.err().unwrap_or_default();
                faults.extend(statuses.err().unwrap_or_default());
                Err(faults)
            }
        }
    }

    /// Whether CONFIG or `--health` is standard input.
    #[must_use]
    pub fn reads_stdin(&self) -> bool {
        let stdin = Path::new("-");
        [&self.config, &self.health]
            .into_iter()
            .flatten()
            .any(|path| path == stdin)
    }
}

/// Reads a configuration of a recorded scenario. The recorder converted YAML to JSON for Envoy.
pub(crate) fn read_recorded(path: &Path) -> Result<Config, Faults> {
    read_text_as(read_text(path)?, |format| match format {
        Format::Yaml => Format::YamlAsJson,
        other => other,
    })
}

/// Reads a configuration; `change` can replace the guessed format.
pub(crate) fn read_text_as(
    text: Text,
    change: impl Fn(Format) -> Format,
) -> Result<Config, Faults> {
    let format = change(Format::guess(&text.name, &text.text));
    let read = envoy::read_with(&text.text, format, &options());
    config_of(text, read)
}

/// Reads the configuration of a running Envoy with `read` and applies its hosts and health.
///
/// # Errors
/// Every error of both responses.
pub(crate) fn of_running(
    running: RunningEnvoy,
    read: impl FnOnce(Text) -> Result<Config, Faults>,
) -> Result<Config, Faults> {
    match (read(running.dump), hosts(&running.clusters)) {
        (Ok(mut config), Ok((hosts, mut warnings))) => {
            warnings.extend(clusters::lay_over(&hosts, &mut config.envoy));
            config
                .others
                .push((running.clusters.name.clone(), warnings));
            Ok(config)
        }
        (config, hosts) => {
            let mut faults = config.err().unwrap_or_default();
            faults.extend(hosts.err().unwrap_or_default());
            Err(faults)
        }
    }
}

/// The options of the reader: it compiles regular expressions.
fn options() -> ReadOptions {
    ReadOptions {
        regex: Some(regex_rewrite::compile),
    }
}

/// The configuration of a read text, or all its errors.
fn config_of(text: Text, read: Result<EnvoyConfig, Vec<Diagnostic>>) -> Result<Config, Faults> {
    let faults = |faults: Vec<_>| Faults::all(&text.name, &faults);
    let mut envoy = read.map_err(faults)?;
    clusters::lay_over_captured(&mut envoy).map_err(faults)?;
    if let Cow::Owned(model) = envoy_model(&envoy) {
        envoy.model = model;
    }
    Ok(Config {
        name: text.name,
        text: text.text,
        envoy,
        others: Vec::new(),
    })
}
