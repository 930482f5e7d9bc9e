//! A scenario in the repository.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail, ensure};
use spillgate_config::filter::FilterForm;
use spillgate_testkit::repository;

use super::ports::ScenarioPorts;
use super::secrets::Secrets;

/// Begins a line in the head of an `envoy.yaml` with the command that starts an Envoy: with it, or with
/// another file next to it.
const COMMAND: &str = "#   $ envoy ";
/// The folder with the scenarios of the dynamic module.
const NATIVE: &str = "native";

/// A folder of `envoy-config/` that can be run.
#[derive(Debug, Clone)]
pub struct ScenarioFolder {
    name: String,
    folder: PathBuf,
    form: FilterForm,
}

/// How an Envoy is started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnvoyCommand {
    /// Its bootstrap, a file of the scenario.
    pub config: String,
    /// The whole command line behind `envoy`.
    pub arguments: Vec<String>,
}

impl EnvoyCommand {
    fn read(line: &str) -> Result<Self> {
        let arguments: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let at = arguments.iter().position(|word| word == "--config-path");
        let config = at
            .and_then(|at| arguments.get(at + 1))
            .with_context(|| format!("no --config-path in `{line}`"))?;
        Ok(Self {
            config: config.clone(),
            arguments,
        })
    }
}

impl ScenarioFolder {
    /// All of them, by name.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn all() -> Result<Vec<Self>> {
        let mut all = Self::below("", FilterForm::Wasm)?;
        all.extend(Self::below(NATIVE, FilterForm::DynamicModule)?);
        all.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(all)
    }

    /// The scenarios in a folder of `envoy-config/`.
    fn below(parent: &str, form: FilterForm) -> Result<Vec<Self>> {
        let root = root();
        let parent = root.join(parent);
        let entries =
            fs::read_dir(&parent).with_context(|| format!("cannot read {}", parent.display()))?;
        let mut found = Vec::new();
        for entry in entries {
            let folder = entry?.path();
            let name = folder.strip_prefix(&root)?.to_string_lossy().into_owned();
            let scenario = Self { name, folder, form };
            if scenario.commands().is_ok() {
                found.push(scenario);
            }
        }
        Ok(found)
    }

    /// The one of that name.
    ///
    /// # Errors
    /// When it is unknown; lists the known names.
    pub fn named(name: &str) -> Result<Self> {
        let all = Self::all()?;
        if let Some(found) = all.iter().find(|scenario| scenario.name == name) {
            return Ok(found.clone());
        }
        let names: Vec<&str> = all.iter().map(|scenario| scenario.name.as_str()).collect();
        bail!(
            "unknown scenario `{name}`; expected one of {}",
            names.join(", ")
        )
    }

    /// The name of its folder: `zone-failover`, or `native/zone-failover`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The form of the filter that it runs.
    #[must_use]
    pub const fn form(&self) -> FilterForm {
        self.form
    }

    /// Where it lies.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The title of its README.
    ///
    /// # Errors
    /// When there is no title.
    pub fn title(&self) -> Result<String> {
        let readme = self.readme()?;
        let title = readme
            .lines()
            .next()
            .and_then(|line| line.strip_prefix("# "))
            .with_context(|| format!("{}: the README has no title", self.name))?;
        Ok(title.to_owned())
    }

    /// Its README.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn readme(&self) -> Result<String> {
        self.text("README.md")
    }

    /// Where its README is.
    #[must_use]
    pub fn readme_path(&self) -> PathBuf {
        self.folder.join("README.md")
    }

    /// Its bootstrap.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn bootstrap(&self) -> Result<String> {
        self.text("envoy.yaml")
    }

    /// The bootstrap of each of its Envoys, that of `envoy.yaml` first.
    ///
    /// # Errors
    /// When one cannot be read.
    pub fn bootstraps(&self) -> Result<Vec<String>> {
        let commands = self.commands()?;
        commands.iter().map(|one| self.text(&one.config)).collect()
    }

    /// How each of its Envoys is started.
    ///
    /// # Errors
    /// When its bootstrap does not contain it.
    pub fn commands(&self) -> Result<Vec<EnvoyCommand>> {
        let bootstrap = self.bootstrap()?;
        let lines = bootstrap
            .lines()
            .filter_map(|line| line.strip_prefix(COMMAND));
        let commands = lines
            .map(EnvoyCommand::read)
            .collect::<Result<Vec<_>>>()
            .with_context(|| self.name.clone())?;
        ensure!(
            !commands.is_empty(),
            "{}: envoy.yaml has no line `{COMMAND}...`",
            self.name
        );
        Ok(commands)
    }

    /// What is where: the rest of its bootstrap's head.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn addresses(&self) -> Result<Vec<String>> {
        let bootstrap = self.bootstrap()?;
        let head = bootstrap.lines().take_while(|line| line.starts_with('#'));
        let after = head.skip_while(|line| !line.starts_with(COMMAND));
        let lines = after
            .filter(|line| !line.starts_with(COMMAND))
            .filter_map(|line| line.strip_prefix('#'))
            .filter(|line| !line.trim().is_empty());
        Ok(lines.map(|line| line.trim_start().to_owned()).collect())
    }

    /// Copies its files into a folder, with other ports in them and fresh secrets in the place of
    /// the requested ones. Only the owner can read a file with a secret.
    ///
    /// # Errors
    /// When a file cannot be copied.
    pub fn copy(&self, to: &Path, ports: &ScenarioPorts) -> Result<Secrets> {
        let mut secrets = Secrets::default();
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            let (path, name) = (entry.path(), entry.file_name());
            ensure!(path.is_file(), "not a file: {}", path.display());
            let text = fs::read_to_string(&path)
                .with_context(|| format!("cannot read {}", path.display()))?;
            let given = ports.put_into(&text);
            let filled = secrets.put_into(&given)?;
            let mode = if filled == given { 0o666 } else { 0o600 };
            let mut options = OpenOptions::new();
            options.write(true).create_new(true).mode(mode);
            options
                .open(to.join(&name))
                .and_then(|mut file| file.write_all(filled.as_bytes()))
                .with_context(|| format!("cannot write {}", to.join(&name).display()))?;
        }
        Ok(secrets)
    }

    fn text(&self, name: &str) -> Result<String> {
        let path = self.folder.join(name);
        fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
    }
}

fn root() -> PathBuf {
    repository().join("envoy-config")
}
