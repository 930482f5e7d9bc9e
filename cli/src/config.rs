//! The arguments CONFIG, `--admin` and `--health`, for all commands that read a configuration.

mod route_criteria;
mod texts;

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use clap::ArgGroup;
use spillgate_answers::{
    configuration::{checked, options},
    input::{Faults, read_text, sources},
};
use spillgate_config::{
    Diagnostic, NamedText, clusters,
    envoy::{self, EnvoyConfig},
    steered::mark_unserved,
};
use spillgate_lint::{Finding, lint};

pub use self::texts::Config;
use crate::{
    client_args::Client,
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
        read_source_for(self.source()?, mesh, client)
    }

    /// The documents of a mesh, if the configuration has some and no argument chooses a point of
    /// view. Standard input can be read only once and requires a point of view.
    pub(crate) fn read_zones(&self, args: &MeshArgs) -> Result<Option<MeshInput>, Faults> {
        let stdin = self.config.iter().any(|path| is_stdin(path));
        let running = self.admin.url.is_some();
        if stdin || running || args.has_view() {
            return Ok(None);
        }
        zones_of(Inputs::read(&self.config)?, args)
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

/// The documents of a mesh, if the texts have some and no argument chooses a point of view.
///
/// # Errors
/// Every error of the documents.
pub(crate) fn zones_of(inputs: Inputs, args: &MeshArgs) -> Result<Option<MeshInput>, Faults> {
    if args.has_view() {
        return Ok(None);
    }
    match inputs.kind()? {
        InputKind::Mesh(chosen) => mesh_input(chosen, args).map(Some),
        InputKind::Envoy(_) => Ok(None),
    }
}

/// The documents of the configuration and of the other files in the arguments.
fn mesh_input(chosen: ChosenTexts, args: &MeshArgs) -> Result<MeshInput, Faults> {
    let ChosenTexts {
        mut texts,
        mut skipped,
        mut others,
    } = chosen;
    let further = Inputs::read(&args.endpoints)?.mesh()?;
    texts.extend(further.texts);
    skipped.extend(further.skipped);
    others.extend(further.others);
    let input = MeshInput::new(texts, None, args.istio);
    let mut input = input.map_err(|faults| faults.with_notes(&skipped))?;
    input.warnings.extend(skipped);
    input.add_others(&others);
    Ok(input)
}

/// The configuration of a proxy that the arguments name in the documents of a mesh.
fn seen(chosen: ChosenTexts, args: &MeshArgs) -> Result<Config, Faults> {
    let mut input = mesh_input(chosen, args)?;
    let (envoy, mesh_health) = mesh::config_of(&mut input, args)?;
    let istio_version = input.istio_version();
    Ok(Config {
        envoy,
        texts: input.texts,
        others: input.warnings,
        over_time: input.over_time,
        istio_version,
        mesh_health,
        client: Client::Envoy,
        of_mesh: true,
    })
}

/// As [`ConfigArgs::read_for`], of any source.
///
/// # Errors
/// Every error of all texts.
pub(crate) fn read_source_for(
    source: ConfigSource,
    mesh: &MeshArgs,
    client: Client,
) -> Result<Config, Faults> {
    read_source_by(source, mesh, |chosen| read_envoy(chosen, client))
}

/// A configuration with what only the reader for lint finds; of documents of a mesh nothing.
pub(crate) struct LintedConfig {
    pub(crate) config: Config,
    pub(crate) findings: Vec<Finding>,
    /// The fields that name the source of a cluster's hosts, by the name of the cluster.
    pub(crate) discovery_sources: BTreeMap<String, String>,
}

/// As [`read_source_for`] for Envoy, with the findings of lint.
///
/// # Errors
/// Every error of all texts.
pub(crate) fn read_source_and_lint(
    source: ConfigSource,
    mesh: &MeshArgs,
) -> Result<LintedConfig, Faults> {
    let mut findings = Vec::new();
    let mut discovery_sources = BTreeMap::new();
    let config = read_source_by(source, mesh, |chosen| {
        let texts = sources(&chosen.texts);
        let read = envoy::read_sources_and_judge(&texts, &options(false), |judged| {
            findings = lint(judged);
            discovery_sources = judged.facts.discovery_sources();
        });
        let mut config = config_of_chosen(chosen, read)?;
        mark_unserved(&mut config.envoy);
        Ok(config)
    })?;
    Ok(LintedConfig {
        config,
        findings,
        discovery_sources,
    })
}

/// Reads a source; `read_envoy` reads a configuration of Envoy.
fn read_source_by(
    source: ConfigSource,
    mesh: &MeshArgs,
    read_envoy: impl FnOnce(ChosenTexts) -> Result<Config, Faults>,
) -> Result<Config, Faults> {
    let kind = source.inputs.and_then(Inputs::kind);
    let config = kind.and_then(|kind| match (kind, mesh.first()) {
        (InputKind::Mesh(chosen), _) => seen(chosen, mesh),
        (InputKind::Envoy(chosen), None) => read_envoy(chosen),
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
    let envoy = checked(read, &texts)?;
    Ok(Config {
        texts,
        envoy,
        others: Vec::new(),
        over_time: Vec::new(),
        istio_version: None,
        mesh_health: Vec::new(),
        client: Client::Envoy,
        of_mesh: false,
    })
}
