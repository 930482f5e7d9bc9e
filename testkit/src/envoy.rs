//! One Envoy process, from its start to its end.

use std::fs::{self, File};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::Value;

use crate::{Client, eventually};

/// From start to readiness; a fraction of a second on an idle machine.
const START_LIMIT: Duration = Duration::from_secs(60);

/// Lines of the log in an error.
const LOG_END: usize = 12;

/// What an Envoy is started with.
#[derive(Debug, Clone, Copy)]
pub struct EnvoyStart<'a> {
    /// Its binary.
    pub program: &'a Path,
    /// Arguments beyond those that every Envoy gets.
    pub arguments: &'a [&'a str],
    /// Its configuration file.
    pub config: &'a Path,
    /// Where its output goes.
    pub log: &'a Path,
    /// Where its admin listens.
    pub admin: SocketAddr,
    /// The folder that it runs in; the present one without.
    pub folder: Option<&'a Path>,
    /// The node id of the configuration, where it tells this process from others.
    pub node: Option<&'a str>,
}

/// An Envoy that ends with this value, also when a test fails on the way.
#[derive(Debug)]
pub struct EnvoyProcess {
    child: Child,
    admin: SocketAddr,
    log: PathBuf,
}

impl EnvoyProcess {
    /// Starts Envoy and waits until it is ready to serve.
    ///
    /// # Errors
    /// When it does not start, refuses the configuration or is not ready within a minute; the end
    /// of its log is part of the message.
    pub fn start(with: EnvoyStart<'_>) -> Result<Self> {
        let output = File::create(with.log)
            .with_context(|| format!("cannot write {}", with.log.display()))?;
        let mut command = Command::new(with.program);
        command
            .arg("--config-path")
            .arg(with.config)
            // Without hot restart there is no shared memory and hence no base id to collide.
            .args(["--disable-hot-restart", "--skip-deprecated-logs"])
            .args(["--log-level", "warning"])
            .args(with.arguments)
            .stdin(Stdio::null())
            .stdout(output.try_clone()?)
            .stderr(output);
        if let Some(folder) = with.folder {
            command.current_dir(folder);
        }
        let child = command
            .spawn()
            .with_context(|| format!("cannot start {}", with.program.display()))?;
        let mut envoy = Self {
            child,
            admin: with.admin,
            log: with.log.to_path_buf(),
        };
        let ready = eventually("readiness of Envoy", START_LIMIT, || {
            envoy.is_ready(with.node)
        });
        ready.with_context(|| envoy.log_end())?;
        Ok(envoy)
    }

    /// Its process id.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Where its admin listens.
    #[must_use]
    pub const fn admin_address(&self) -> SocketAddr {
        self.admin
    }

    /// An error with the end of the log if the process has ended by itself.
    ///
    /// # Errors
    /// That, and when its state is unknown.
    pub fn check_alive(&mut self) -> Result<()> {
        if let Some(status) = self.child.try_wait()? {
            bail!("Envoy ended ({status}):\n{}", self.log_end());
        }
        Ok(())
    }

    /// Everything that it has logged.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub fn log(&self) -> Result<String> {
        let bytes = fs::read(&self.log).context("cannot read the log of Envoy")?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The last lines of the log.
    #[must_use]
    pub fn log_end(&self) -> String {
        let text = self.log().unwrap_or_default();
        let lines: Vec<&str> = text.lines().collect();
        let from = lines.len().saturating_sub(LOG_END);
        lines.get(from..).unwrap_or_default().join("\n")
    }

    /// GET from the admin.
    ///
    /// # Errors
    /// When it does not answer with 200.
    pub fn get(&self, path: &str) -> Result<String> {
        let response = Client::new(self.admin).get(path, &[])?;
        ensure!(
            response.status == 200,
            "the admin answers {path} with {}",
            response.status
        );
        Ok(response.text())
    }

    /// Whether this process, and not another one at its port, serves.
    fn is_ready(&mut self, node: Option<&str>) -> Result<Option<()>> {
        self.check_alive()?;
        // The admin does not answer before it listens.
        let Ok(info) = self.get("/server_info") else {
            return Ok(None);
        };
        let info: Value = serde_json::from_str(&info)?;
        let id = info.pointer("/node/id").and_then(Value::as_str);
        ensure!(
            node.is_none() || id == node,
            "another Envoy answers at the admin port {}",
            self.admin.port()
        );
        Ok((info.get("state").and_then(Value::as_str) == Some("LIVE")).then_some(()))
    }
}

impl Drop for EnvoyProcess {
    fn drop(&mut self) {
        // There is nothing that it would have to finish.
        self.child.kill().ok();
        self.child.wait().ok();
    }
}
