//! The arguments CONFIG, `--admin` and `--health`, for all commands that read a configuration.

use std::{
    borrow::Cow,
    path::{Path, PathBuf},
};

use clap::ArgGroup;
use spillgate_answers::{
    configuration::{checked, options},
    grpc::GrpcReading,
    input::{Faults, read_text, source_map, sources},
    limits::{Limits, is_limit},
    unknown::UnknownClusters,
};
use spillgate_config::{
    Diagnostic, NamedText, SourceMap, clusters,
    envoy::{self, EnvoyConfig, facts::ConfigFacts},
    steered::{mark_unserved, served_model},
};
use spillgate_core::model::Model;
use spillgate_mesh::istio::IstioVersion;

use crate::{
    client_args::Client,
    command::Done,
    config_source::{ConfigSource, HostsSource},
    inputs::{ChosenTexts, InputKind, Inputs, check_stdin, is_stdin},
    mesh::{self, MeshArgs, MeshInput},
    running::AdminArgs,
};

/// The arguments that name a configuration.
#[derive(Debug, Clone, clap::Args)]
#[command(group = ArgGroup::new("config-source").args(["config", "url"]).required(true))]
pub struct ConfigArgs {
    /// Envoy configuration: files, folders, or `-` for standard input.
    #[arg(value_name = "CONFIG")]
    pub config: Vec<PathBuf>,
    /// A running Envoy in place of the files.
    #[command(flatten)]
    pub admin: AdminArgs,
    /// Take hosts and health from this /clusters output, text or JSON.
    #[arg(long, value_name = "FILE")]
    pub health: Option<PathBuf>,
    /// Folder with the files that path_config_source names.
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,
}

/// A configuration of one or more texts.
#[derive(Debug)]
pub struct Config {
    /// The texts, for quotes.
    pub texts: Vec<NamedText>,
    /// Their content, with the hosts and health of `--health` or `--admin`.
    pub envoy: EnvoyConfig,
    /// The warnings about other texts, by name: hosts and health, mesh documents, skipped files.
    pub(crate) others: Vec<(String, Vec<Diagnostic>)>,
    /// For documents of Istio: the version whose rules apply.
    pub(crate) istio_version: Option<IstioVersion>,
    /// The client of the answer.
    client: Client,
}

impl Config {
    /// The names of the files, for errors and warnings.
    #[must_use]
    pub const fn files(&self) -> &SourceMap {
        &self.envoy.sources
    }

    /// The facts for lint; `None` for documents of a mesh.
    pub(crate) fn facts(&self) -> Option<ConfigFacts> {
        let read = envoy::read_sources_for_lint(
            &sources(&self.texts),
            &options(self.client == Client::Grpc),
        );
        read.ok().map(|config| config.facts)
    }

    /// What a gRPC client reads of the clusters.
    ///
    /// # Errors
    /// Those of its texts.
    pub(crate) fn grpc_reading(&self) -> Result<GrpcReading, Faults> {
        let facts = self.facts();
        let of_istio = self.istio_version.is_some();
        GrpcReading::of(&self.texts, &self.envoy, facts.as_ref(), of_istio)
    }

    /// The clusters that requests reach: with a Spillgate filter, those of the filter. Adds a warning
    /// for each part of the filter that the shares do not include.
    pub fn served_model(&self, done: &mut Done) -> Cow<'_, Model> {
        match served_model(&self.envoy) {
            Some(served) => {
                done.warn(self.files(), &served.warnings);
                if served.steered {
                    Cow::Owned(served.model)
                } else {
                    Cow::Borrowed(&self.envoy.model)
                }
            }
            None => Cow::Borrowed(&self.envoy.model),
        }
    }

    /// The settings of all read files that are not modeled.
    #[must_use]
    pub fn limits(&self) -> Limits {
        let mut limits = Limits::new(self.files(), &self.envoy.warnings);
        for (name, findings) in &self.others {
            limits.add(name, findings);
        }
        limits
    }

    /// The clusters of a served model whose hosts are not known. The filter knows those of its own
    /// clusters.
    #[must_use]
    pub fn unknown_clusters(&self, served: &Model) -> UnknownClusters {
        if core::ptr::eq(served, &self.envoy.model) {
            UnknownClusters::of(&self.envoy)
        } else {
            UnknownClusters::default()
        }
    }

    /// Adds the warnings of all read files, without limits: the answer shows those that concern it.
    /// Settings that only find out health are one line after the output.
    pub fn warn(&self, done: &mut Done) {
        let others = self
            .others
            .iter()
            .map(|(name, found)| (name.as_str(), found));
        let simple = |found: &&Diagnostic| !is_limit(found) && found.code != NOT_SIMULATED;
        done.warn(self.files(), self.envoy.warnings.iter().filter(simple));
        for (name, found) in others {
            done.warn(name, found.iter().filter(simple));
        }
        let signals = self.health_signals();
        let line = |fields| format!("not simulated: {fields}; health is taken from the input");
        done.closing.extend(signals.map(line));
    }

    /// The names of the settings that find out health, such as `health_checks`; `None` without any.
    #[must_use]
    pub fn health_signals(&self) -> Option<String> {
        let mut fields: Vec<&str> = Vec::new();
        for warning in self
            .envoy
            .warnings
            .iter()
            .filter(|found| found.code == NOT_SIMULATED)
        {
            let field = warning.path.rsplit('.').next().unwrap_or_default();
            if !fields.contains(&field) {
                fields.push(field);
            }
        }
        (!fields.is_empty()).then(|| fields.join(", "))
    }

    /// As [`Config::warn`], with the limits, for commands whose output does not show them.
    pub fn warn_all(&self, done: &mut Done) {
        self.warn(done);
        let limits = |found: &&Diagnostic| is_limit(found);
        done.warn(self.files(), self.envoy.warnings.iter().filter(limits));
        for (name, found) in &self.others {
            done.warn(name, found.iter().filter(limits));
        }
    }
}

impl ConfigArgs {
    /// The arguments for one file without further options.
    pub(crate) fn of(config: PathBuf) -> Self {
        Self {
            config: vec![config],
            admin: AdminArgs::default(),
            health: None,
            root: None,
        }
    }

    /// Reads the configuration. The extension of a file decides between JSON and YAML, else the first
    /// character.
    ///
    /// # Errors
    /// Every error of all files.
    pub fn read(&self) -> Result<Config, Faults> {
        read_from(self.source()?)
    }

    /// Reads the configuration, or mesh documents from the point of view of the arguments. What only Envoy
    /// rejects is no error for gRPC.
    ///
    /// # Errors
    /// Every error of all files.
    pub(crate) fn read_for(&self, mesh: &MeshArgs, client: Client) -> Result<Config, Faults> {
        let source = self.source()?;
        let kind = source.inputs.and_then(Inputs::kind);
        let config = kind.and_then(|kind| match (kind, mesh.first()) {
            (InputKind::Mesh(chosen), _) => seen(chosen, mesh),
            (InputKind::Envoy(chosen), None) => read_envoy(chosen, client),
            // Objects of Kubernetes alone are a mesh if the arguments say so.
            (InputKind::Envoy(chosen), Some(_)) if chosen.texts.iter().all(mesh::has_documents) => {
                seen(chosen, mesh)
            }
            (InputKind::Envoy(chosen), Some(argument)) => {
                Err(mesh::only_for_meshes(&chosen.texts, argument))
            }
        });
        with_hosts(named(config, source.missing), &source.hosts)
    }

    /// The documents of a mesh, if the configuration has some and no argument chooses a point of
    /// view. Standard input can be read only once and requires a point of view.
    pub(crate) fn read_zones(&self, args: &MeshArgs) -> Result<Option<MeshInput>, Faults> {
        let stdin = self.config.iter().any(|path| is_stdin(path));
        let running = self.admin.url.is_some();
        if args.zone.is_some() || args.proxy.is_some() || stdin || running {
            return Ok(None);
        }
        match Inputs::read(&self.config)?.kind()? {
            InputKind::Mesh(chosen) => mesh_input(chosen, args).map(Some),
            InputKind::Envoy(_) => Ok(None),
        }
    }

    /// Reads the texts of CONFIG and `--health`, or those of `--admin`.
    ///
    /// # Errors
    /// If `-` is there twice, or `--admin` cannot be read. Faults of files are in the source.
    pub(crate) fn source(&self) -> Result<ConfigSource, Faults> {
        if let Some(running) = self.admin.read()? {
            return Ok(running.into());
        }
        self.check_own_stdin()?;
        let inputs = Inputs::read(&self.config).and_then(|mut inputs| {
            if let Some(root) = &self.root {
                inputs.add_named(root)?;
            }
            Ok(inputs)
        });
        let hosts = match &self.health {
            None => HostsSource::Configured,
            Some(health) => HostsSource::File(read_text(health)),
        };
        Ok(ConfigSource {
            inputs,
            hosts,
            missing: Vec::new(),
        })
    }

    /// Rejects two `-` among CONFIG and `--health`.
    fn check_own_stdin(&self) -> Result<(), Faults> {
        let paths = self.config.iter().chain(&self.health);
        check_stdin(paths, "CONFIG or --health")
    }

    /// Rejects arguments that read the standard input twice; `further` is an argument of the command.
    ///
    /// # Errors
    /// If `-` is there twice.
    pub(crate) fn check_stdin(&self, further: &Path, argument: &str) -> Result<(), Faults> {
        let further = further.to_path_buf();
        let paths = self.config.iter().chain(&self.health).chain([&further]);
        check_stdin(paths, &format!("CONFIG or {argument}"))
    }
}

/// The code of settings that find out health, which is an input here.
const NOT_SIMULATED: &str = "config/not-simulated";

/// The documents of the configuration and of the other files in the arguments.
fn mesh_input(chosen: ChosenTexts, args: &MeshArgs) -> Result<MeshInput, Faults> {
    let ChosenTexts {
        mut texts,
        mut skipped,
    } = chosen;
    let further = Inputs::read(&args.endpoints)?.mesh()?;
    texts.extend(further.texts);
    skipped.extend(further.skipped);
    let input = MeshInput::new(texts, None, args.istio);
    let mut input = input.map_err(|faults| faults.with_notes(&skipped))?;
    input.warnings.extend(skipped);
    Ok(input)
}

/// The configuration of a proxy that the arguments name in the documents of a mesh.
fn seen(chosen: ChosenTexts, args: &MeshArgs) -> Result<Config, Faults> {
    let mut input = mesh_input(chosen, args)?;
    let envoy = mesh::config_of(&mut input, args)?;
    let istio_version = input.istio_version();
    let text = NamedText {
        name: input.name,
        text: input.text,
    };
    Ok(Config {
        envoy,
        texts: vec![text],
        others: input.warnings,
        istio_version,
        client: Client::Envoy,
    })
}

/// Reads an Envoy configuration with its hosts.
///
/// # Errors
/// Every error of all texts.
pub(crate) fn read_from(source: ConfigSource) -> Result<Config, Faults> {
    let chosen = source.inputs.and_then(Inputs::envoy);
    let read = chosen.and_then(|chosen| read_envoy(chosen, Client::Envoy));
    let config = named(read, source.missing);
    with_hosts(config, &source.hosts)
}

/// Names responses of a running Envoy that are missing.
pub(crate) fn named(
    config: Result<Config, Faults>,
    missing: Vec<Diagnostic>,
) -> Result<Config, Faults> {
    config.map(|mut config| {
        config.envoy.warnings.extend(missing);
        config
    })
}

/// Applies hosts and health to a configuration.
///
/// # Errors
/// Every error of both.
pub(crate) fn with_hosts(
    config: Result<Config, Faults>,
    hosts: &HostsSource,
) -> Result<Config, Faults> {
    match (config, hosts.read()) {
        (Ok(config), Ok(None)) => Ok(config),
        (Ok(mut config), Ok(Some(mut hosts))) => {
            let found = clusters::lay_over(&hosts.clusters, &mut config.envoy);
            hosts.warnings.extend(found);
            config.others.push((hosts.name.to_owned(), hosts.warnings));
            Ok(config)
        }
        (config, hosts) => {
            let mut faults = config.err().unwrap_or_default();
            faults.extend(hosts.err().unwrap_or_default());
            Err(faults)
        }
    }
}

fn read_envoy(chosen: ChosenTexts, client: Client) -> Result<Config, Faults> {
    let read = envoy::read_sources(&sources(&chosen.texts), &options(client == Client::Grpc));
    let mut config = config_of_chosen(chosen, read)?;
    mark_unserved(&mut config.envoy);
    Ok(Config { client, ..config })
}

/// Reads an Envoy configuration for lint.
pub(crate) fn read_for_lint(chosen: ChosenTexts) -> Result<Config, Faults> {
    let read = envoy::read_sources_for_lint(&sources(&chosen.texts), &options(false));
    config_of_chosen(chosen, read)
}

/// The configuration of read texts and the warnings about skipped files, or all errors.
fn config_of_chosen(
    chosen: ChosenTexts,
    read: Result<EnvoyConfig, Vec<Diagnostic>>,
) -> Result<Config, Faults> {
    let config = config_of(chosen.texts, read);
    let mut config = config.map_err(|faults| faults.with_notes(&chosen.skipped))?;
    config.others.extend(chosen.skipped);
    Ok(config)
}

/// The configuration of read texts, or all its errors.
fn config_of(
    texts: Vec<NamedText>,
    read: Result<EnvoyConfig, Vec<Diagnostic>>,
) -> Result<Config, Faults> {
    let envoy = checked(read, &source_map(&texts))?;
    Ok(Config {
        texts,
        envoy,
        others: Vec::new(),
        istio_version: None,
        client: Client::Envoy,
    })
}
