//! One started demo: its folder and its Envoy.

use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};

use super::{DemoChange, DemoFiles, DemoForm, DemoPorts, DemoState};
use crate::{Client, EnvoyProcess, EnvoyStart, HotRestart, MODULES_FOLDER, Port, fresh_dir};

/// How long the filter may take to be compiled and configured.
const FILTER_LIMIT: Duration = Duration::from_secs(30);

/// Its hosts are at 127.0.1.1 to 127.0.1.10, and at 127.0.2.1 to 127.0.2.5. Its Envoy ends when it is dropped.
#[derive(Debug)]
pub struct RunningDemo {
    /// What the filter is.
    pub form: DemoForm,
    /// Where it listens.
    pub ports: DemoPorts,
    /// Its hosts.
    pub state: DemoState,
    /// Its process.
    pub envoy: EnvoyProcess,
    /// Of its ports, if it chose them.
    leases: Vec<Port>,
}

impl RunningDemo {
    /// Writes the folder, starts Envoy and waits until the service answers through the filter.
    ///
    /// # Errors
    /// When a demo runs there already, or this one does not start.
    pub fn start(files: &DemoFiles, form: DemoForm, ports: &DemoPorts, dir: &Path) -> Result<Self> {
        let live = DemoState::load(dir).ok().and_then(|state| state.live_pid());
        if let Some(pid) = live {
            bail!(
                "a demo is already running (process {pid}); stop it, or choose another folder with --state"
            );
        }
        fresh_dir(dir)?;
        let (state, config) = DemoState::create(files, form, ports, dir)?;
        let modules = files.module.parent().context("a module has a folder")?;
        let envoy = EnvoyProcess::start(EnvoyStart {
            program: &files.envoy,
            // The second only repeats that file_server is marked as work in progress.
            arguments: &["--concurrency", "2", "--component-log-level", "misc:error"],
            config: &config,
            log: &dir.join("envoy.log"),
            admin: ports.admin(),
            folder: None,
            node: None,
            restart: HotRestart::Disabled,
            variables: &[(MODULES_FOLDER, &modules.display().to_string())],
        })?;
        let mut demo = Self {
            form,
            ports: *ports,
            state,
            envoy,
            leases: Vec::new(),
        };
        demo.state.set_envoy_pid(demo.envoy.process.id())?;
        let mut status = 0;
        let ready = demo.envoy.process.wait_until_ready(FILTER_LIMIT, || {
            status = Client::new(ports.service()).get("/", &[])?.status;
            Ok((status == 200).then_some(()))
        });
        ready.with_context(|| format!("the service answers {status}, expected 200"))?;
        Ok(demo)
    }

    /// A demo at free ports.
    ///
    /// # Errors
    /// When it does not start.
    pub fn on_free_ports(files: &DemoFiles, form: DemoForm, dir: &Path) -> Result<Self> {
        let (ports, leases) = DemoPorts::free()?;
        let mut demo = Self::start(files, form, &ports, dir)?;
        demo.leases = leases;
        Ok(demo)
    }

    /// The address of the playground.
    #[must_use]
    pub fn origin(&self) -> String {
        format!("http://{}/", self.ports.page())
    }

    /// The listener with the filter.
    #[must_use]
    pub fn service(&self) -> SocketAddr {
        self.ports.service()
    }

    /// Fails exactly these hosts, given by their IP addresses.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn fail(&mut self, ips: &[&str]) -> Result<()> {
        self.state.apply(DemoChange::Only, ips)
    }

    /// Changes the weight of a host in Envoy and in the filter.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn set_weight(&mut self, ip: &str, weight: u32) -> Result<()> {
        let host = format!("{ip}:{}", self.ports.hosts);
        self.state.set_weight(&host, weight)
    }

    /// Sends requests of as many users, each of which must be served.
    ///
    /// # Errors
    /// When one is not.
    pub fn send(&self, users: std::ops::Range<u32>) -> Result<()> {
        let mut client = Client::new(self.service());
        for user in users {
            let response = client.get("/", &[("x-user", &user.to_string())])?;
            ensure!(response.status == 200, "user {user}: {}", response.status);
        }
        Ok(())
    }
}

impl Drop for RunningDemo {
    fn drop(&mut self) {
        self.state.forget();
    }
}
