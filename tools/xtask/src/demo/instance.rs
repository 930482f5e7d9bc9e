//! One started demo: its state files and its Envoy.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use spillgate_testkit::{Client, EnvoyProcess, EnvoyStart, HotRestart, MODULES_FOLDER};

use super::state::DemoState;
use super::{DemoForm, DemoPorts};
use crate::project::Project;
use crate::{files, interrupt};

/// How long the filter may take to be compiled and configured.
const FILTER_LIMIT: Duration = Duration::from_secs(30);

/// Its Envoy ends when it is dropped.
pub struct DemoInstance {
    pub state: DemoState,
    pub server: EnvoyProcess,
}

impl DemoInstance {
    /// Writes the files, starts Envoy and waits until the service answers through the filter.
    pub fn start(
        project: &Project,
        envoy: &Path,
        form: DemoForm,
        ports: &DemoPorts,
        dir: &Path,
    ) -> Result<Self> {
        if let Some(pid) = DemoState::load(project, dir)
            .ok()
            .and_then(|state| state.live_pid())
        {
            bail!(
                "a demo is already running (process {pid}); stop it, or choose another folder with --state"
            );
        }
        files::fresh_dir(dir)?;
        let mut state = DemoState::new(project, dir, form, ports);
        state.write(project)?;
        let config = state.write_envoy_config(project)?;
        let modules = project.out().display().to_string();
        let server = EnvoyProcess::start(EnvoyStart {
            program: envoy,
            // The second only repeats that file_server is marked as work in progress.
            arguments: &["--concurrency", "2", "--component-log-level", "misc:error"],
            config: &config,
            log: &dir.join("envoy.log"),
            admin: ports.admin(),
            folder: None,
            node: None,
            restart: HotRestart::Disabled,
            variables: &[(MODULES_FOLDER, &modules)],
        })?;
        state.set_envoy_pid(server.process.id());
        state.save()?;
        let mut instance = Self { state, server };
        instance.wait_for_service()?;
        Ok(instance)
    }

    fn wait_for_service(&mut self) -> Result<()> {
        let service = self.state.ports().service();
        let mut status = 0;
        let ready = self.server.process.wait_until_ready(FILTER_LIMIT, || {
            interrupt::check()?;
            status = Client::new(service).get("/", &[])?.status;
            Ok((status == 200).then_some(()))
        });
        ready.with_context(|| format!("the service answers {status}, expected 200"))
    }
}

impl Drop for DemoInstance {
    fn drop(&mut self) {
        self.state.forget();
    }
}
