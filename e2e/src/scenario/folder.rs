//! A scenario as it lies in the repository.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail, ensure};

use super::ports::Ports;

/// Begins the line in the head of an `envoy.yaml` that says how Envoy is started with it.
const COMMAND: &str = "#   $ envoy ";

/// A folder of `envoy-config/` that can be run.
#[derive(Debug, Clone)]
pub struct Scenario {
    name: String,
    folder: PathBuf,
}

impl Scenario {
    /// All of them, by name.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn all() -> Result<Vec<Self>> {
        let root = root();
        let entries = fs::read_dir(&root).context("envoy-config/ cannot be read")?;
        let mut all = Vec::new();
        for entry in entries {
            let folder = entry?.path();
            let name = folder.file_name().unwrap_or_default().to_string_lossy();
            let scenario = Self {
                name: name.into_owned(),
                folder,
            };
            if scenario.arguments().is_ok() {
                all.push(scenario);
            }
        }
        all.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(all)
    }

    /// The one of that name.
    ///
    /// # Errors
    /// When there is none, with the names of those that there are.
    pub fn named(name: &str) -> Result<Self> {
        let all = Self::all()?;
        if let Some(found) = all.iter().find(|scenario| scenario.name == name) {
            return Ok(found.clone());
        }
        let names: Vec<&str> = all.iter().map(|scenario| scenario.name.as_str()).collect();
        bail!("there is no scenario `{name}`, only {}", names.join(", "))
    }

    /// The name of its folder.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The title of its README.
    ///
    /// # Errors
    /// When there is none.
    pub fn title(&self) -> Result<String> {
        let readme = self.readme()?;
        let title = readme
            .lines()
            .next()
            .and_then(|line| line.strip_prefix("# "));
        let title = title.with_context(|| format!("{}: the README has no title", self.name))?;
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

    /// What Envoy is started with.
    ///
    /// # Errors
    /// When its bootstrap does not say.
    pub fn arguments(&self) -> Result<Vec<String>> {
        let bootstrap = self.bootstrap()?;
        let line = bootstrap
            .lines()
            .find_map(|line| line.strip_prefix(COMMAND));
        let line =
            line.with_context(|| format!("{}: envoy.yaml has no line `{COMMAND}...`", self.name))?;
        Ok(line.split_whitespace().map(str::to_owned).collect())
    }

    /// What is where: the rest of its bootstrap's head.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn addresses(&self) -> Result<Vec<String>> {
        let bootstrap = self.bootstrap()?;
        let head = bootstrap.lines().map_while(|line| line.strip_prefix('#'));
        let after = head.skip_while(|line| !line.contains(" $ envoy "));
        let lines = after.skip(1).filter(|line| !line.trim().is_empty());
        Ok(lines.map(|line| line.trim_start().to_owned()).collect())
    }

    /// Copies its files into a folder, with other ports in them.
    ///
    /// # Errors
    /// When a file cannot be copied.
    pub fn copy(&self, to: &Path, ports: &Ports) -> Result<()> {
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            let (path, name) = (entry.path(), entry.file_name());
            ensure!(path.is_file(), "{} is no file", path.display());
            let text = fs::read_to_string(&path)
                .with_context(|| format!("cannot read {}", path.display()))?;
            fs::write(to.join(&name), ports.put_into(&text))
                .with_context(|| format!("cannot write {}", to.join(&name).display()))?;
        }
        Ok(())
    }

    fn text(&self, name: &str) -> Result<String> {
        let path = self.folder.join(name);
        fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../envoy-config")
}
