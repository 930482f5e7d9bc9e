//! One started scenario.

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, ensure};
use spillgate_config::filter::FilterForm;
use spillgate_testkit::{ENVOY_START_LIMIT, MODULES_FOLDER, Process, envoy_command, log_end};

use super::folder::{EnvoyCommand, ScenarioFolder};
use super::ports::ScenarioPorts;
use super::secrets::{Secrets, VARIABLE};
use crate::{Client, Need, eventually, needed};

/// The longest that a command may take, in seconds.
const COMMAND_LIMIT: &str = "60";

/// Ends its Envoys when it is dropped.
#[derive(Debug)]
pub struct Running {
    folder: PathBuf,
    ports: ScenarioPorts,
    secrets: Secrets,
    envoys: Vec<Process>,
}

impl Running {
    /// Copies the scenario and the filter into `folder`, which must be empty, and waits until its
    /// Envoys serve there, one after the other.
    ///
    /// # Errors
    /// When `ENVOY` or the variable of the scenario's form of the filter is not set, or Envoy does
    /// not start; the end of its log is part of the message.
    pub fn start(scenario: &ScenarioFolder, folder: &Path, ports: ScenarioPorts) -> Result<Self> {
        let program = needed(Need::Envoy)?;
        let secrets = scenario.copy(folder, &ports)?;
        let (need, file) = match scenario.form() {
            FilterForm::Wasm => (Need::FilterWasm, "spillgate.wasm"),
            FilterForm::DynamicModule => (Need::Module, "libspillgate.so"),
        };
        fs::copy(needed(need)?, folder.join(file))?;
        let mut running = Self {
            folder: folder.to_path_buf(),
            ports,
            secrets,
            envoys: Vec::new(),
        };
        let commands = scenario.commands()?;
        for (command, bootstrap) in commands.iter().zip(scenario.bootstraps()?) {
            running.start_one(&program, command)?;
            let admin = admin(&running.ports.put_into(&bootstrap))?;
            let ready = format!("curl --silent --fail {admin}/ready");
            eventually("readiness of Envoy", ENVOY_START_LIMIT, || {
                running.check_alive()?;
                // A port is free until Envoy takes it, so the answer must be of this very process.
                let (answered, _) = running.shell(&ready)?;
                Ok(answered.then_some(()))
            })
            .with_context(|| running.log_end())?;
        }
        Ok(running)
    }

    /// Its log is next to its bootstrap: `envoy.log` next to `envoy.yaml`.
    fn start_one(&mut self, program: &Path, command: &EnvoyCommand) -> Result<()> {
        let log = Path::new(&command.config).with_extension("log");
        let name = format!("Envoy {}", self.envoys.len() + 1);
        let mut envoy = envoy_command(program);
        envoy
            .args(&command.arguments)
            .args(["--component-log-level", "wasm:info,dynamic_modules:info"])
            .env(MODULES_FOLDER, &self.folder)
            .current_dir(&self.folder);
        if let Some(keys) = self.secrets.variable() {
            envoy.env(VARIABLE, keys);
        }
        let envoy = Process::start(&name, &mut envoy, &self.folder.join(log))?;
        self.envoys.push(envoy);
        Ok(())
    }

    /// Runs a command in the scenario's folder: whether it succeeded, and the lines that it printed.
    ///
    /// # Errors
    /// When there is no shell.
    pub fn shell(&self, command: &str) -> Result<(bool, Vec<String>)> {
        let output = Command::new("timeout")
            .args(["--kill-after=5", COMMAND_LIMIT, "bash", "-c"])
            .arg(format!("exec 2>&1\n{}", self.ports.put_into(command)))
            .current_dir(&self.folder)
            .env("LC_ALL", "C")
            .stdin(Stdio::null())
            .output()
            .context("cannot start bash; the commands of a README need it, and curl")?;
        let text = self
            .secrets
            .take_out(&String::from_utf8_lossy(&output.stdout));
        let text = self.ports.take_out(&text);
        let lines = text.lines().map(|line| line.trim_end().to_owned());
        Ok((output.status.success(), lines.collect()))
    }

    /// An error with the end of the log when an Envoy has ended by itself.
    ///
    /// # Errors
    /// When one has.
    pub fn check_alive(&mut self) -> Result<()> {
        self.envoys.iter_mut().try_for_each(Process::check_alive)
    }

    /// A client of the listener that has this port in the scenario's files.
    ///
    /// # Errors
    /// When they name no such port.
    pub fn client(&self, given: u16) -> Result<Client> {
        let port = self
            .ports
            .used(given)
            .with_context(|| format!("the scenario has no port {given}"))?;
        Ok(Client::new(SocketAddr::from(([127, 0, 0, 1], port))))
    }

    /// All that its Envoys have logged.
    ///
    /// # Errors
    /// When a log cannot be read.
    pub fn log(&self) -> Result<String> {
        let mut all = String::new();
        for entry in fs::read_dir(&self.folder)? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "log") {
                all.push_str(&String::from_utf8_lossy(&fs::read(path)?));
            }
        }
        Ok(self.secrets.take_out(&all))
    }

    /// The last lines of the logs.
    #[must_use]
    pub fn log_end(&self) -> String {
        log_end(&self.log().unwrap_or_default())
    }

    /// The process ids of its Envoys.
    pub fn processes(&self) -> impl Iterator<Item = u32> {
        self.envoys.iter().map(Process::id)
    }
}

/// How curl reaches the admin of a bootstrap.
fn admin(bootstrap: &str) -> Result<String> {
    let at = bootstrap
        .find("\nadmin:")
        .context("the bootstrap has no admin")?;
    let line = bootstrap[at..]
        .lines()
        .find(|line| line.contains("address"))
        .context("the admin has no address")?;
    if let Some((_, path)) = line.split_once("pipe: {path: ") {
        let path = path.split(['}', ',']).next().unwrap_or_default();
        return Ok(format!("--unix-socket {path} http://admin"));
    }
    let port: String = line
        .split_once("port_value: ")
        .map(|(_, port)| port.chars().take_while(char::is_ascii_digit).collect())
        .unwrap_or_default();
    ensure!(
        !port.is_empty(),
        "the admin's address has neither pipe nor port"
    );
    Ok(format!("http://127.0.0.1:{port}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_admin_is_found_at_a_port_or_a_pipe() -> Result<()> {
        let port =
            "a: 1\nadmin:\n  address: {socket_address: {address: 127.0.0.1, port_value: 19901}}\n";
        assert_eq!(admin(port)?, "http://127.0.0.1:19901");
        let pipe = "a: 1\nadmin:\n  address: {pipe: {path: ./admin.sock}}\n";
        assert_eq!(admin(pipe)?, "--unix-socket ./admin.sock http://admin");
        assert!(admin("a: 1\n").is_err());
        Ok(())
    }
}
