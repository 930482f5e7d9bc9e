//! The state files of one running demo: what Envoy watches, and what [`super::change`] needs to
//! write them again.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};

use spillgate_testkit::demo::{DemoHost, DemoTemplate, DemoTopology};

use super::{DemoForm, DemoPorts};
use crate::project::Project;
use crate::{files, process};

/// What was started, where, and the failed hosts.
pub struct DemoState {
    dir: PathBuf,
    template: DemoTemplate,
    form: DemoForm,
    ports: DemoPorts,
    envoy_pid: Option<u32>,
    version: u64,
    killed: BTreeSet<String>,
}

impl DemoState {
    /// A demo in which all hosts are healthy.
    pub fn new(project: &Project, dir: &Path, form: DemoForm, ports: &DemoPorts) -> Self {
        Self {
            dir: dir.to_path_buf(),
            template: template(project, ports, dir),
            form,
            ports: *ports,
            envoy_pid: None,
            version: 0,
            killed: BTreeSet::new(),
        }
    }

    /// The demo that runs with the state files in `dir`.
    pub fn load(project: &Project, dir: &Path) -> Result<Self> {
        let file = dir.join("demo.json");
        if !file.exists() {
            bail!(
                "no demo runs with state files in {}; start one with `cargo xtask demo`",
                project.show(dir)
            );
        }
        let saved: Value = serde_json::from_str(&files::read(&file)?)?;
        let port = |name: &str| {
            let port = saved["ports"][name]
                .as_u64()
                .and_then(|port| port.try_into().ok());
            port.with_context(|| format!("{}: no port `{name}`", file.display()))
        };
        let ports = DemoPorts {
            page: port("page")?,
            service: port("service")?,
            hosts: port("hosts")?,
            admin: port("admin")?,
        };
        let form = saved["form"]
            .as_str()
            .and_then(DemoForm::named)
            .with_context(|| format!("{}: no form", file.display()))?;
        let killed = saved["killed"].as_array().into_iter().flatten();
        Ok(Self {
            envoy_pid: saved["envoy_pid"]
                .as_u64()
                .and_then(|pid| pid.try_into().ok()),
            version: saved["version"].as_u64().unwrap_or_default(),
            killed: killed
                .filter_map(|host| host.as_str().map(str::to_owned))
                .collect(),
            ..Self::new(project, dir, form, &ports)
        })
    }

    pub fn ports(&self) -> &DemoPorts {
        &self.ports
    }

    pub fn form(&self) -> DemoForm {
        self.form
    }

    pub fn set_envoy_pid(&mut self, pid: u32) {
        self.envoy_pid = Some(pid);
    }

    /// The demo's Envoy, if that process is there.
    pub fn live_pid(&self) -> Option<u32> {
        let pid = self.envoy_pid?;
        let text = pid.to_string();
        process::output(&mut process::command("kill", ["-0", &text])).ok()?;
        Some(pid)
    }

    pub fn set_killed(&mut self, killed: BTreeSet<String>) {
        self.killed = killed;
    }

    pub fn killed(&self) -> &BTreeSet<String> {
        &self.killed
    }

    /// The hosts with their health.
    pub fn hosts(&self, project: &Project) -> Result<Vec<DemoHost>> {
        self.topology(project)?.hosts()
    }

    /// Writes Envoy's own configuration and returns its path.
    pub fn write_envoy_config(&self, project: &Project) -> Result<PathBuf> {
        let source = self.form.bootstrap(project);
        let file = self.dir.join("envoy.yaml");
        files::write_atomically(&file, self.template.fill(&files::read(&source)?))?;
        Ok(file)
    }

    /// Writes what Envoy watches: the endpoints, and for the Wasm filter its configuration.
    pub fn write(&mut self, project: &Project) -> Result<()> {
        self.version += 1;
        let topology = self.topology(project)?;
        for (cluster, content) in topology.endpoint_files(self.version)? {
            files::write_atomically(&self.dir.join(format!("eds-{cluster}.json")), content)?;
        }
        if self.form == DemoForm::Wasm {
            self.write_filter_config(project, &topology)?;
        }
        self.save()
    }

    fn write_filter_config(&self, project: &Project, topology: &DemoTopology) -> Result<()> {
        let source = project.demo_config().join("ecds.json");
        let mut ecds: Value = serde_json::from_str(&self.template.fill(&files::read(&source)?))
            .with_context(|| format!("{}", source.display()))?;
        ecds["version_info"] = self.version.to_string().into();
        let plugin = &mut ecds["resources"][0]["typed_config"]["config"];
        plugin["configuration"]["value"] = topology.filter_config().into();
        files::write_atomically(
            &self.dir.join("ecds.json"),
            serde_json::to_string_pretty(&ecds)?,
        )
    }

    /// Forgets the demo, so that a later `demo kill` reports that none runs.
    pub fn forget(&self) {
        std::fs::remove_file(self.dir.join("demo.json")).ok();
    }

    /// Saves ports, process and failed hosts.
    pub fn save(&self) -> Result<()> {
        let saved = json!({
            "envoy_pid": self.envoy_pid,
            "form": self.form.name(),
            "ports": {
                "page": self.ports.page, "service": self.ports.service,
                "hosts": self.ports.hosts, "admin": self.ports.admin,
            },
            "version": self.version,
            "killed": self.killed,
        });
        files::write_atomically(
            &self.dir.join("demo.json"),
            serde_json::to_string_pretty(&saved)?,
        )
    }

    fn topology(&self, project: &Project) -> Result<DemoTopology> {
        let source = project.demo_config().join("filter.json");
        let text = self.template.fill(&files::read(&source)?);
        let mut topology =
            DemoTopology::parse(&text).with_context(|| format!("{}", source.display()))?;
        topology.set_killed(&self.killed)?;
        Ok(topology)
    }
}

/// The files with these ports, and with this folder of state files.
fn template(project: &Project, ports: &DemoPorts, state: &Path) -> DemoTemplate {
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
            ("target/spillgate/www", place(&project.www())),
            ("target/spillgate/docs", place(&project.docs())),
            (
                "target/spillgate/spillgate.wasm",
                place(&project.filter_wasm()),
            ),
        ],
    )
}
