//! One Envoy process, from start to stop.

use std::{
    fs::{self, File},
    net::SocketAddr,
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

use serde_json::Value;

use super::{client::PlainClient, folder::TemporaryFolder, interrupt};

/// The interval between two checks of a starting Envoy.
const PAUSE: Duration = Duration::from_millis(20);
/// The maximum number of checks: 30 s in total. An idle machine needs a fraction of a second.
const LOOKS: u32 = 1_500;
/// The number of log lines in an error.
const LAST_LINES: usize = 3;
/// The maximum length of such a line, because Envoy logs whole configurations.
const LONGEST_LINE: usize = 240;

/// A running Envoy. Dropping it stops the process and removes its files.
#[derive(Debug)]
pub struct LocalEnvoy {
    /// The process.
    child: Child,
    /// The folder with its configuration and log.
    folder: TemporaryFolder,
    /// The address of its admin interface, as soon as it is known.
    admin: Option<SocketAddr>,
}

/// What is started.
#[derive(Debug)]
pub struct EnvoyLaunch<'a> {
    /// The binary.
    pub program: &'a Path,
    /// The configuration as JSON.
    pub config: &'a str,
    /// Environment variables in addition to those of this process.
    pub variables: &'a [(String, String)],
}

impl LocalEnvoy {
    /// Starts Envoy with a configuration and waits until it is ready.
    pub fn start(launch: &EnvoyLaunch<'_>) -> Result<Self, String> {
        let folder = TemporaryFolder::new("envoy")?;
        let child = spawn(launch, folder.path()).map_err(|error| {
            let program = launch.program.display();
            format!("cannot start {program}: {error}")
        })?;
        let mut envoy = Self {
            child,
            folder,
            admin: None,
        };
        for _ in 0..LOOKS {
            interrupt::check()?;
            if envoy.is_ready()? {
                return Ok(envoy);
            }
            thread::sleep(PAUSE);
        }
        Err(format!(
            "Envoy is not ready after 30 s{}",
            envoy.last_log_lines()
        ))
    }

    /// The address of a listener.
    pub fn listener(&self, name: &str) -> Result<SocketAddr, String> {
        let text = self.ask("/listeners?format=json")?;
        let listeners: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
        let statuses = listeners.get("listener_statuses").and_then(Value::as_array);
        let found = statuses.into_iter().flatten().find_map(|status| {
            let named = status.get("name")?.as_str()? == name;
            let socket = status.pointer("/local_address/socket_address")?;
            let ip = socket.get("address")?.as_str()?.parse().ok()?;
            let port = u16::try_from(socket.get("port_value")?.as_u64()?).ok()?;
            named.then(|| SocketAddr::new(ip, port))
        });
        found.ok_or_else(|| format!("Envoy has no listener {name}{}", self.last_log_lines()))
    }

    /// The end of the log, for an error; empty without a log.
    pub fn last_log_lines(&self) -> String {
        let Ok(text) = fs::read(self.folder.path().join("log")) else {
            return String::new();
        };
        let text = String::from_utf8_lossy(&text);
        let mut lines: Vec<&str> = text.lines().rev().take(LAST_LINES).collect();
        lines.reverse();
        let cut = |line: &str| match line.char_indices().nth(LONGEST_LINE) {
            Some((end, _)) => format!("\n  | {}…", line.get(..end).unwrap_or_default()),
            None => format!("\n  | {line}"),
        };
        lines.into_iter().map(cut).collect()
    }

    /// Whether Envoy is ready; an error if it has ended.
    fn is_ready(&mut self) -> Result<bool, String> {
        if let Ok(Some(status)) = self.child.try_wait() {
            return Err(format!("Envoy ended ({status}){}", self.last_log_lines()));
        }
        if self.admin.is_none() {
            let text = fs::read_to_string(self.folder.path().join("admin"));
            self.admin = text.ok().and_then(|text| text.trim().parse().ok());
        }
        // The admin interface may not listen yet.
        Ok(self.ask("/ready").is_ok())
    }

    /// Sends a GET request to the admin interface.
    pub fn ask(&self, path: &str) -> Result<String, String> {
        let admin = self.admin.ok_or("Envoy has no admin interface yet")?;
        let answer = PlainClient::new(admin)
            .get(path)
            .map_err(|error| format!("admin interface: {error}"))?;
        if answer.status == 200 {
            Ok(String::from_utf8_lossy(&answer.body).into_owned())
        } else {
            Err(format!(
                "admin interface: {path} returned {}",
                answer.status
            ))
        }
    }
}

/// Starts the process with one worker and without hot restart.
fn spawn(launch: &EnvoyLaunch<'_>, folder: &Path) -> std::io::Result<Child> {
    let file = folder.join("envoy.json");
    fs::write(&file, launch.config)?;
    let log = File::create(folder.join("log"))?;
    // A path is relative to this process; a mere name is searched in PATH.
    let program = match launch.program.components().count() {
        0 | 1 => launch.program.to_owned(),
        _ => std::path::absolute(launch.program)?,
    };
    Command::new(program)
        .arg("--config-path")
        .arg(&file)
        .arg("--admin-address-path")
        .arg(folder.join("admin"))
        // Without hot restart there is no shared memory, so base ids cannot collide. One worker, as
        // in the recording, because each worker has its own round-robin position.
        .args(["--disable-hot-restart", "--concurrency", "1"])
        .args(["--log-level", "error", "--drain-time-s", "0"])
        .envs(launch.variables.iter().map(|(name, value)| (name, value)))
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(log.try_clone()?)
        .stderr(log)
        .spawn()
}

impl Drop for LocalEnvoy {
    fn drop(&mut self) {
        // Fails only if the process has already ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
