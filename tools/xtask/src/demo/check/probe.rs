//! What the checks share: the address of the demo, and requests to it.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};

use super::super::{DemoForm, state::DemoState};
use crate::project::Project;
use crate::{interrupt, process};
use spillgate_testkit::{Client, HttpResponse, demo::DemoHost, eventually};

/// How long a change of the state files may take to be seen by every worker.
const FOLLOW_LIMIT: Duration = Duration::from_secs(15);

/// Enough users that each of ten hosts is met: missing one has a chance below 1 in 10^8.
pub const USERS: usize = 200;

/// A running demo that answers requests.
pub struct Probe<'a> {
    project: &'a Project,
    dir: &'a Path,
    pub service: SocketAddr,
    pub page: SocketAddr,
    pub admin: SocketAddr,
    pub form: DemoForm,
    hosts: Vec<DemoHost>,
    /// The host of each user before any host failed.
    original: BTreeMap<String, String>,
}

impl<'a> Probe<'a> {
    pub fn new(project: &'a Project, state: &DemoState, dir: &'a Path) -> Result<Self> {
        let ports = state.ports();
        let mut probe = Self {
            project,
            dir,
            service: ports.service(),
            page: ports.page(),
            admin: ports.admin(),
            form: state.form(),
            hosts: state.hosts(project)?,
            original: BTreeMap::new(),
        };
        probe.original = probe.sample(USERS)?;
        Ok(probe)
    }

    /// The hosts that answered [`USERS`] users before any host failed.
    pub fn original(&self) -> &BTreeMap<String, String> {
        &self.original
    }

    /// The addresses of a cluster's hosts, in configuration order.
    pub fn hosts_of(&self, cluster: &str) -> Vec<&str> {
        let of_it = self.hosts.iter().filter(|host| host.cluster == cluster);
        of_it.map(|host| host.address.as_str()).collect()
    }

    /// The cluster that owns a host.
    pub fn cluster_of(&self, address: &str) -> Result<&str> {
        let found = self.hosts.iter().find(|host| host.address == address);
        let host = found.with_context(|| format!("unknown host {address}"))?;
        Ok(&host.cluster)
    }

    /// One request of the user `key`, with further headers, that must be answered 200.
    pub fn ask(&self, key: &str, more: &[(&str, &str)]) -> Result<HttpResponse> {
        interrupt::check()?;
        let mut headers = vec![("x-user", key)];
        headers.extend_from_slice(more);
        let answer = Client::new(self.service).send("GET", "/", &headers, b"")?;
        ensure!(
            answer.status == 200,
            "user {key}: status {}, expected 200",
            answer.status
        );
        Ok(answer)
    }

    /// The host that answers `key`.
    pub fn served_by(&self, key: &str) -> Result<String> {
        let answer = self.ask(key, &[])?;
        let host = answer
            .header("x-served-by")
            .context("no x-served-by in the answer")?;
        Ok(host.to_owned())
    }

    /// The hosts that answer `count` different users.
    pub fn sample(&self, count: usize) -> Result<BTreeMap<String, String>> {
        let keys = (0..count).map(|i| format!("user-{i}"));
        keys.map(|key| Ok((key.clone(), self.served_by(&key)?)))
            .collect()
    }

    /// `cargo xtask demo VERB HOST...` on this demo, in a process of its own as a user runs it.
    pub fn change(&self, verb: &str, hosts: &[&str]) -> Result<()> {
        let mut command = Command::new(process::this_program()?);
        command
            .current_dir(&self.project.root)
            .args(["demo", verb])
            .args(hosts)
            .arg("--state")
            .arg(self.dir);
        process::output(&mut command).map(drop)
    }

    /// Waits until `holds` is true, at most [`FOLLOW_LIMIT`]; `what` names the condition.
    pub fn wait_until(&self, what: &str, mut holds: impl FnMut() -> Result<bool>) -> Result<()> {
        eventually(what, FOLLOW_LIMIT, || Ok(holds()?.then_some(())))
    }
}
