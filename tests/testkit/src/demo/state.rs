//! The folder of one running demo: what Envoy watches, and what a [`DemoChange`] by another process needs to
//! write it again.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};

use super::{DemoChange, DemoFiles, DemoForm, DemoHost, DemoPorts, DemoTemplate, DemoTopology};
use crate::{repository, write_atomically};

/// What was started, and its hosts.
#[derive(Debug)]
pub struct DemoState {
    dir: PathBuf,
    envoy_pid: Option<u32>,
    version: u64,
    topology: DemoTopology,
}

impl DemoState {
    /// Writes the folder of a demo in which all hosts are healthy. Returns its state and Envoy's own
    /// configuration.
    pub(super) fn create(
        files: &DemoFiles,
        form: DemoForm,
        ports: &DemoPorts,
        dir: &Path,
    ) -> Result<(Self, PathBuf)> {
        let template = template(files, ports, dir);
        let filled = |name: &str| read(&repository().join(name)).map(|text| template.fill(&text));
        let config = dir.join("envoy.yaml");
        write_atomically(&config, filled(form.bootstrap())?)?;
        if form == DemoForm::Wasm {
            write_atomically(
                &dir.join("ecds.json"),
                filled("envoy-config/demo/ecds.json")?,
            )?;
        }
        let mut state = Self {
            dir: dir.to_path_buf(),
            envoy_pid: None,
            version: 0,
            topology: DemoTopology::parse(&filled("envoy-config/demo/filter.json")?)?,
        };
        state.write()?;
        Ok((state, config))
    }

    /// The demo that runs with this folder.
    ///
    /// # Errors
    /// When none does.
    pub fn load(dir: &Path) -> Result<Self> {
        let file = dir.join("demo.json");
        if !file.exists() {
            bail!(
                "no demo runs with state files in {}; start one with `cargo xtask demo`",
                dir.strip_prefix(repository()).unwrap_or(dir).display()
            );
        }
        let saved: Value = serde_json::from_str(&read(&file)?)?;
        let pid = saved["envoy_pid"].as_u64();
        let config = saved["config"].as_str().unwrap_or_default();
        Ok(Self {
            dir: dir.to_path_buf(),
            envoy_pid: pid.and_then(|pid| pid.try_into().ok()),
            version: saved["version"].as_u64().unwrap_or_default(),
            topology: DemoTopology::parse(config).with_context(|| format!("{}", file.display()))?,
        })
    }

    pub(super) fn set_envoy_pid(&mut self, pid: u32) -> Result<()> {
        self.envoy_pid = Some(pid);
        self.save()
    }

    /// The demo's Envoy, if that process is there.
    pub(super) fn live_pid(&self) -> Option<u32> {
        let pid = self.envoy_pid?;
        let mut command = Command::new("kill");
        command.args(["-0", &pid.to_string()]).stderr(Stdio::null());
        command.status().ok()?.success().then_some(pid)
    }

    /// The hosts with their health.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn hosts(&self) -> Result<Vec<DemoHost>> {
        self.topology.hosts()
    }

    /// Changes the health of hosts.
    ///
    /// # Errors
    /// When a name means no host, or a file cannot be written.
    pub fn apply(&mut self, change: DemoChange, names: &[impl AsRef<str>]) -> Result<()> {
        let failed = change.failed(&self.hosts()?, names)?;
        self.topology.set_killed(&failed)?;
        self.write()
    }

    pub(super) fn set_weight(&mut self, host: &str, weight: u32) -> Result<()> {
        self.topology.set_weight(host, weight)?;
        self.write()
    }

    /// Writes what Envoy watches: the endpoints, and for the Wasm filter its configuration.
    fn write(&mut self) -> Result<()> {
        self.version += 1;
        for (cluster, content) in self.topology.endpoint_files(self.version)? {
            write_atomically(&self.dir.join(format!("eds-{cluster}.json")), content)?;
        }
        let ecds = self.dir.join("ecds.json");
        if ecds.exists() {
            let mut content: Value = serde_json::from_str(&read(&ecds)?)?;
            content["version_info"] = self.version.to_string().into();
            let plugin = &mut content["resources"][0]["typed_config"]["config"];
            plugin["configuration"]["value"] = self.topology.filter_config().into();
            write_atomically(&ecds, serde_json::to_string_pretty(&content)?)?;
        }
        self.save()
    }

    /// Forgets the demo, so that a later change reports that none runs.
    pub(super) fn forget(&self) {
        fs::remove_file(self.dir.join("demo.json")).ok();
    }

    fn save(&self) -> Result<()> {
        let saved = json!({
            "envoy_pid": self.envoy_pid,
            "version": self.version,
            "config": self.topology.filter_config(),
        });
        write_atomically(
            &self.dir.join("demo.json"),
            serde_json::to_string_pretty(&saved)?,
        )
    }
}

fn read(file: &Path) -> Result<String> {
    fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))
}

/// The files with these ports, and with this folder of state files.
fn template(files: &DemoFiles, ports: &DemoPorts, state: &Path) -> DemoTemplate {
    let usual = DemoPorts::default();
    let place = |path: &Path| path.display().to_string();
    DemoTemplate::new(
        &[
            (usual.page, ports.page),
            (usual.service, ports.service),
            (usual.hosts, ports.hosts),
            (usual.admin, ports.admin),
        ],
        vec![
            ("target/spillgate/demo", place(state)),
            ("target/spillgate/www", place(&files.www)),
            ("target/spillgate/docs", place(&files.docs)),
            ("target/spillgate/spillgate.wasm", place(&files.filter)),
        ],
    )
}
