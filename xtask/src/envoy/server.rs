//! One Envoy process.

use std::fs::File;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};

use crate::{files, http, interrupt, process};

/// From start to readiness; a fraction of a second on an idle machine.
const START_LIMIT: Duration = Duration::from_secs(60);
/// From the request to end to the end.
const STOP_LIMIT: Duration = Duration::from_secs(5);

/// An Envoy that ends when this value does, also when a check fails on the way.
pub struct Server {
    child: Child,
    log: PathBuf,
    admin: SocketAddr,
}

impl Server {
    /// Starts `program` with `config` and waits until its admin says that it is ready.
    pub fn start(program: &Path, config: &Path, log: &Path, admin: SocketAddr) -> Result<Self> {
        let to_log =
            File::create(log).with_context(|| format!("cannot write {}", log.display()))?;
        let mut command = process::command(program, ["--disable-hot-restart"]);
        command
            .args(["--concurrency", "2", "--log-level", "warning"])
            // These only repeat that file_server is marked as work in progress.
            .args([
                "--component-log-level",
                "misc:error",
                "--skip-deprecated-logs",
            ])
            .arg("--config-path")
            .arg(config)
            .stdin(Stdio::null())
            .stdout(to_log.try_clone()?)
            .stderr(to_log);
        let child = command
            .spawn()
            .with_context(|| format!("cannot start {}", program.display()))?;
        let mut server = Self {
            child,
            log: log.to_path_buf(),
            admin,
        };
        server.wait_until_ready()?;
        Ok(server)
    }

    /// The process id.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// An error with the end of the log when the process has ended by itself.
    pub fn check_alive(&mut self) -> Result<()> {
        if let Some(status) = self.child.try_wait()? {
            bail!("Envoy ended ({status}):\n{}", self.log_end());
        }
        Ok(())
    }

    /// The last lines of the log.
    pub fn log_end(&self) -> String {
        let text = files::read(&self.log).unwrap_or_default();
        let lines: Vec<&str> = text.lines().collect();
        let from = lines.len().saturating_sub(12);
        lines.get(from..).unwrap_or_default().join("\n")
    }

    fn wait_until_ready(&mut self) -> Result<()> {
        let deadline = Instant::now() + START_LIMIT;
        loop {
            interrupt::check()?;
            self.check_alive()?;
            if http::get(self.admin, "/ready").is_ok_and(|answer| answer.status == 200) {
                return Ok(());
            }
            if Instant::now() >= deadline {
                bail!(
                    "Envoy was not ready within {} s:\n{}",
                    START_LIMIT.as_secs(),
                    self.log_end()
                );
            }
            sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(Some(_))) {
            return;
        }
        let pid = self.child.id().to_string();
        process::output(&mut process::command("kill", ["-TERM", &pid])).ok();
        if !matches!(
            process::wait_within(&mut self.child, STOP_LIMIT),
            Ok(Some(_))
        ) {
            self.child.kill().ok();
            self.child.wait().ok();
        }
    }
}
