//! gRPC's own client, which `peer/peer.py` runs with a control plane and hosts of its own.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{ChildStdin, ChildStdout, Command};

use anyhow::{Context as _, Result, anyhow, bail, ensure};
use serde_json::{Value, json};
use spillgate_testkit::Process;

use crate::{Need, Workdir, needed};

/// A client that ends with this value.
#[derive(Debug)]
pub struct GrpcPeer {
    process: Process,
    commands: ChildStdin,
    answers: BufReader<ChildStdout>,
}

/// A request that was answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Called {
    /// The address of the host that answered.
    pub host: String,
    /// The cookie that the client was given.
    pub set_cookie: Option<String>,
}

/// The results of many requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CalledHosts {
    /// Answered requests by the address of their host.
    pub hosts: BTreeMap<String, u64>,
    /// Failed requests by their error.
    pub errors: BTreeMap<String, u64>,
}

impl GrpcPeer {
    /// Starts it. Its log is kept in `workdir`.
    ///
    /// # Errors
    /// When `SPILLGATE_GRPC_PACKAGES` is not set, or Python does not start.
    pub fn start(workdir: &Workdir) -> Result<Self> {
        let packages = needed(Need::GrpcPackages)?;
        let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("peer/peer.py");
        let mut command = Command::new("python3");
        command
            .arg(program)
            .arg(workdir.path())
            .env("PYTHONPATH", packages);
        let log = workdir.path().join("peer.log");
        let mut process = Process::start_piped("the gRPC client", &mut command, &log)?;
        let child = process.child();
        let commands = child.stdin.take().context("no standard input")?;
        let answers = child.stdout.take().context("no standard output")?;
        Ok(Self {
            process,
            commands,
            answers: BufReader::new(answers),
        })
    }

    /// Starts that many hosts and returns their addresses.
    ///
    /// # Errors
    /// When it has ended.
    pub fn hosts(&mut self, number: usize) -> Result<Vec<String>> {
        let answer = self.ask(&json!({"op": "hosts", "number": number}))?;
        Ok(serde_json::from_value(field(&answer, "hosts")?)?)
    }

    /// Starts a host at each of these addresses of 127.0.0.0/8.
    ///
    /// # Errors
    /// When it has ended, or an address is in use.
    pub fn hosts_at<'a>(&mut self, addresses: impl Iterator<Item = &'a str>) -> Result<()> {
        let addresses: Vec<&str> = addresses.collect();
        self.ask(&json!({"op": "hosts", "addresses": addresses}))
            .map(drop)
    }

    /// Gives the control plane these resources, and waits until the client has them.
    ///
    /// # Errors
    /// When the client refuses one of them.
    pub fn serve(&mut self, resources: &[Value]) -> Result<()> {
        let answer = self.ask(&json!({"op": "serve", "resources": resources}))?;
        let refused = field(&answer, "refused")?;
        ensure!(refused == json!([]), "gRPC refuses {refused}");
        Ok(())
    }

    /// Sends a request, with this `cookie` header if any. `Ok(Err(_))`: it failed.
    ///
    /// # Errors
    /// When it has ended.
    pub fn call(&mut self, cookie: Option<&str>) -> Result<Result<Called, String>> {
        let answer = self.ask(&json!({"op": "call", "cookie": cookie}))?;
        if let Some(error) = answer["error"].as_str() {
            return Ok(Err(error.into()));
        }
        Ok(Ok(Called {
            host: serde_json::from_value(field(&answer, "host")?)?,
            set_cookie: serde_json::from_value(field(&answer, "set_cookie")?)?,
        }))
    }

    /// Sends that many requests without a cookie, one after the other.
    ///
    /// # Errors
    /// When it has ended.
    pub fn calls(&mut self, number: u64) -> Result<CalledHosts> {
        let answer = self.ask(&json!({"op": "calls", "number": number}))?;
        Ok(CalledHosts {
            hosts: serde_json::from_value(field(&answer, "hosts")?)?,
            errors: serde_json::from_value(field(&answer, "errors")?)?,
        })
    }

    /// Ends a host.
    ///
    /// # Errors
    /// When there is no such host.
    pub fn stop(&mut self, host: usize) -> Result<()> {
        self.ask(&json!({"op": "stop", "host": host})).map(drop)
    }

    /// Starts a host again, on its port.
    ///
    /// # Errors
    /// When there is no such host, or its port was taken.
    pub fn restart(&mut self, host: usize) -> Result<()> {
        self.ask(&json!({"op": "start", "host": host})).map(drop)
    }

    fn ask(&mut self, command: &Value) -> Result<Value> {
        let mut line = String::new();
        let sent = writeln!(self.commands, "{command}");
        if sent.is_err() || self.answers.read_line(&mut line)? == 0 {
            let log = self.process.log_end();
            bail!("the gRPC client ended at {command}: {log}");
        }
        Ok(serde_json::from_str(&line)?)
    }
}

fn field(answer: &Value, name: &str) -> Result<Value> {
    let found = answer.get(name).cloned();
    found.ok_or_else(|| anyhow!("{answer} has no {name:?}"))
}
