//! One Envoy process.

use std::fs::{self, File};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::Value;

use crate::config::Bootstrap;
use crate::{Client, Need, Port, Workdir, eventually, needed};

/// From start to readiness; a fraction of a second on an idle machine.
const START_LIMIT: Duration = Duration::from_secs(60);

/// An Envoy that ends with this value.
#[derive(Debug)]
pub struct Envoy {
    child: Child,
    admin: Port,
    node: String,
    config: PathBuf,
    log: PathBuf,
}

/// Tells the Envoys of one test process apart.
static STARTED: AtomicU32 = AtomicU32::new(0);

impl Envoy {
    /// Starts Envoy with that configuration and waits until it is ready to serve.
    ///
    /// The configuration and the log are kept in `workdir`.
    ///
    /// # Errors
    /// When `ENVOY` is not set, when Envoy refuses the configuration, or when it is not ready in
    /// time; the end of its log is part of the message.
    pub fn start(workdir: &Workdir, bootstrap: &Bootstrap) -> Result<Self> {
        Self::start_with(workdir, |node, admin| bootstrap.to_json(node, admin))
    }

    /// Like [`Envoy::start`], with a configuration made for a node id and an admin port.
    ///
    /// # Errors
    /// As [`Envoy::start`], and when there is no such configuration.
    pub fn start_with(
        workdir: &Workdir,
        configuration: impl FnOnce(&str, u16) -> Result<String>,
    ) -> Result<Self> {
        let program = needed(Need::Envoy)?;
        let admin = Port::lease()?;
        let number = STARTED.fetch_add(1, Ordering::Relaxed);
        let node = format!("e2e-{}-{number}", std::process::id());
        let config = workdir.write(
            &format!("envoy-{number}.json"),
            &configuration(&node, admin.number())?,
        )?;
        let log = workdir.path().join(format!("envoy-{number}.log"));
        let output = File::create(&log)?;
        let child = Command::new(&program)
            .arg("--config-path")
            .arg(&config)
            // Without hot restart there is no shared memory and hence no base id to collide.
            .args(["--disable-hot-restart", "--concurrency", "1"])
            .args(["--log-level", "warning", "--skip-deprecated-logs"])
            .args(["--component-log-level", "wasm:info,misc:error"])
            .args(["--drain-time-s", "0"])
            .current_dir(workdir.path())
            .stdin(Stdio::null())
            .stdout(output.try_clone()?)
            .stderr(output)
            .spawn()
            .with_context(|| format!("cannot start {}", program.display()))?;
        let mut envoy = Self {
            child,
            admin,
            node,
            config,
            log,
        };
        eventually("readiness of Envoy", START_LIMIT, || envoy.is_ready())?;
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
        self.admin.local()
    }

    /// The configuration as Envoy reads it.
    #[must_use]
    pub fn config(&self) -> &Path {
        &self.config
    }

    /// All that was logged so far.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub fn log(&self) -> Result<String> {
        let bytes = fs::read(&self.log).context("the log of Envoy cannot be read")?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// GET from the admin.
    ///
    /// # Errors
    /// When it does not answer with 200.
    pub fn admin(&self, path: &str) -> Result<String> {
        let response = Client::new(self.admin.local()).get(path, &[])?;
        ensure!(
            response.status == 200,
            "the admin answers {path} with {}",
            response.status
        );
        Ok(response.text())
    }

    /// All counters and gauges whose names begin with `prefix`.
    ///
    /// # Errors
    /// When the admin does not answer.
    pub fn stats(&self, prefix: &str) -> Result<Vec<(String, u64)>> {
        let text = self.admin("/stats")?;
        let of_line = |line: &str| {
            let (name, value) = line.split_once(": ")?;
            let value = value.parse().ok()?;
            name.starts_with(prefix).then(|| (name.to_owned(), value))
        };
        Ok(text.lines().filter_map(of_line).collect())
    }

    /// A counter or gauge; 0 as long as Envoy does not have it.
    ///
    /// # Errors
    /// When the admin does not answer.
    pub fn stat(&self, name: &str) -> Result<u64> {
        let found = self.stats(name)?;
        let found = found.into_iter().find(|(have, _)| have == name);
        Ok(found.map_or(0, |(_, value)| value))
    }

    /// Whether this very process serves.
    fn is_ready(&mut self) -> Result<Option<()>> {
        if let Some(status) = self.child.try_wait()? {
            bail!("Envoy ended ({status}):\n{}", self.log_end());
        }
        // Before the admin listens there is nothing to ask.
        let Ok(info) = self.admin("/server_info") else {
            return Ok(None);
        };
        let info: Value = serde_json::from_str(&info)?;
        ensure!(
            info.pointer("/node/id").and_then(Value::as_str) == Some(&self.node),
            "another Envoy answers at the admin port {}",
            self.admin.number()
        );
        Ok((info.get("state").and_then(Value::as_str) == Some("LIVE")).then_some(()))
    }

    fn log_end(&self) -> String {
        let text = self.log().unwrap_or_default();
        let lines: Vec<&str> = text.lines().collect();
        let from = lines.len().saturating_sub(12);
        lines[from..].join("\n")
    }
}

impl Drop for Envoy {
    fn drop(&mut self) {
        // There is nothing that it would have to finish.
        self.child.kill().ok();
        self.child.wait().ok();
    }
}
