//! One Envoy process, from its start to its end.

use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Result, ensure};
use serde_json::Value;

use crate::{Client, Process};

/// From start to readiness; a fraction of a second on an idle machine.
pub const ENVOY_START_LIMIT: Duration = Duration::from_secs(60);

/// The variable with the folder in which Envoy finds dynamic modules.
pub const MODULES_FOLDER: &str = "ENVOY_DYNAMIC_MODULES_SEARCH_PATH";

/// The prefixes of statistics that a filter defines.
const CUSTOM_STATS: [&str; 2] = ["wasmcustom.", "dynamicmodulescustom."];

/// What an Envoy is started with.
#[derive(Debug, Clone, Copy)]
pub struct EnvoyStart<'a> {
    /// Its binary.
    pub program: &'a Path,
    /// Arguments in addition to those of every Envoy.
    pub arguments: &'a [&'a str],
    /// Its configuration file.
    pub config: &'a Path,
    /// The file for its output.
    pub log: &'a Path,
    /// The address of its admin.
    pub admin: SocketAddr,
    /// Its working directory; without one, that of this process.
    pub folder: Option<&'a Path>,
    /// The node id of the configuration, if it distinguishes this Envoy from others.
    pub node: Option<&'a str>,
    /// Environment variables in addition to those of this process.
    pub variables: &'a [(&'a str, &'a str)],
    /// Whether a later Envoy can take over from this one.
    pub restart: HotRestart,
}

/// Envoy's hot restart: a new process takes over the listeners of an old one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HotRestart {
    /// Without shared memory, and hence without a base id to collide.
    Disabled,
    /// One of several processes after each other.
    Epoch {
        /// `--base-id`, the same for all of them; no other process on this machine may use it.
        base_id: u32,
        /// `--restart-epoch`: 0 for the first.
        epoch: u32,
    },
}

/// An Envoy that ends with this value, also when a test fails.
#[derive(Debug)]
pub struct EnvoyProcess {
    /// The process and its log.
    pub process: Process,
    admin: SocketAddr,
}

/// A command for an Envoy, without its configuration.
#[must_use]
pub fn envoy_command(program: &Path) -> Command {
    let mut command = Command::new(program);
    command.args(["--log-level", "warning"]);
    add_restart(&mut command, HotRestart::Disabled);
    command
}

fn add_restart(command: &mut Command, restart: HotRestart) {
    match restart {
        HotRestart::Disabled => command.arg("--disable-hot-restart"),
        HotRestart::Epoch { base_id, epoch } => command.args([
            "--base-id",
            &base_id.to_string(),
            "--restart-epoch",
            &epoch.to_string(),
        ]),
    };
}

impl EnvoyProcess {
    /// Starts Envoy and waits until it is ready to serve.
    ///
    /// # Errors
    /// When it does not start, refuses the configuration or is not ready within a minute; the
    /// message contains the end of its log.
    pub fn start(with: EnvoyStart<'_>) -> Result<Self> {
        let mut command = Command::new(with.program);
        command.args(["--log-level", "warning"]);
        add_restart(&mut command, with.restart);
        command
            .arg("--config-path")
            .arg(with.config)
            .arg("--skip-deprecated-logs")
            .args(with.arguments)
            .envs(with.variables.iter().copied());
        if let Some(folder) = with.folder {
            command.current_dir(folder);
        }
        let mut envoy = Self {
            process: Process::start("Envoy", &mut command, with.log)?,
            admin: with.admin,
        };
        let admin = with.admin;
        envoy.process.wait_until_ready(ENVOY_START_LIMIT, || {
            is_ready(admin, with.node, with.restart)
        })?;
        Ok(envoy)
    }

    /// The address of its admin.
    #[must_use]
    pub const fn admin_address(&self) -> SocketAddr {
        self.admin
    }

    /// GET from the admin.
    ///
    /// # Errors
    /// When the answer is not 200.
    pub fn get(&self, path: &str) -> Result<String> {
        get(self.admin, path)
    }

    /// All counters and gauges whose names begin with `prefix`. Those of our filter begin with
    /// `spillgate.`; in `/stats` each form has a prefix of its own.
    ///
    /// # Errors
    /// When the admin does not answer.
    pub fn stats(&self, prefix: &str) -> Result<Vec<(String, u64)>> {
        let text = self.get("/stats")?;
        let of_line = |line: &str| {
            let (name, value) = line.split_once(": ")?;
            let own = CUSTOM_STATS
                .iter()
                .find_map(|prefix| name.strip_prefix(prefix));
            let name = own.unwrap_or(name);
            let value = value.parse().ok()?;
            name.starts_with(prefix).then(|| (name.to_owned(), value))
        };
        Ok(text.lines().filter_map(of_line).collect())
    }
}

fn get(admin: SocketAddr, path: &str) -> Result<String> {
    let response = Client::new(admin).get(path, &[])?;
    let status = response.status;
    ensure!(status == 200, "the admin answers {path} with {status}");
    Ok(response.text())
}

/// Whether this Envoy, and not another one at its port, serves.
fn is_ready(admin: SocketAddr, node: Option<&str>, restart: HotRestart) -> Result<Option<()>> {
    // The admin does not answer before it listens.
    let Ok(info) = get(admin, "/server_info") else {
        return Ok(None);
    };
    let info: Value = serde_json::from_str(&info)?;
    let id = info.pointer("/node/id").and_then(Value::as_str);
    ensure!(
        node.is_none() || id == node,
        "another Envoy answers at the admin port {}",
        admin.port()
    );
    // The process before answers at the same port until this one takes over.
    let answering = info.pointer("/command_line_options/restart_epoch");
    let own = match restart {
        HotRestart::Disabled => true,
        HotRestart::Epoch { epoch, .. } => {
            answering.and_then(Value::as_u64).unwrap_or(0) == u64::from(epoch)
        }
    };
    let live = info.get("state").and_then(Value::as_str) == Some("LIVE");
    Ok((own && live).then_some(()))
}
