//! What the checks share: requests to the demo.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};

use super::super::{DemoChange, DemoHost, RunningDemo};
use crate::{Client, HttpResponse, eventually};

/// How long a change of the state files may take to be seen by every worker.
const FOLLOW_LIMIT: Duration = Duration::from_secs(15);

/// Enough users that each of ten hosts is met: missing one has a chance below 1 in 10^8.
pub(super) const USERS: usize = 200;

/// A running demo that answers requests.
pub(super) struct Probe<'a> {
    pub(super) demo: &'a mut RunningDemo,
    hosts: Vec<DemoHost>,
    /// The host of each user before any host failed.
    original: BTreeMap<String, String>,
}

impl<'a> Probe<'a> {
    pub(super) fn new(demo: &'a mut RunningDemo) -> Result<Self> {
        let mut probe = Self {
            hosts: demo.state.hosts()?,
            demo,
            original: BTreeMap::new(),
        };
        probe.original = probe.sample(USERS)?;
        Ok(probe)
    }

    /// A client of the playground's listener.
    pub(super) fn page(&self) -> Client {
        Client::new(self.demo.ports.page())
    }

    /// A client of the admin interface.
    pub(super) fn admin(&self) -> Client {
        Client::new(self.demo.ports.admin())
    }

    /// The hosts that answered [`USERS`] users before any host failed.
    pub(super) fn original(&self) -> &BTreeMap<String, String> {
        &self.original
    }

    /// The addresses of a cluster's hosts, in configuration order.
    pub(super) fn hosts_of(&self, cluster: &str) -> Vec<String> {
        let of_it = self.hosts.iter().filter(|host| host.cluster == cluster);
        of_it.map(|host| host.address.clone()).collect()
    }

    /// The cluster that owns a host.
    pub(super) fn cluster_of(&self, address: &str) -> Result<&str> {
        let found = self.hosts.iter().find(|host| host.address == address);
        let host = found.with_context(|| format!("unknown host {address}"))?;
        Ok(&host.cluster)
    }

    /// One request of the user `key`, with further headers, that must be answered 200.
    pub(super) fn ask(&self, key: &str, more: &[(&str, &str)]) -> Result<HttpResponse> {
        let mut headers = vec![("x-user", key)];
        headers.extend_from_slice(more);
        let answer = Client::new(self.demo.service()).send("GET", "/", &headers, b"")?;
        ensure!(
            answer.status == 200,
            "user {key}: status {}, expected 200",
            answer.status
        );
        Ok(answer)
    }

    /// The host that answers `key`.
    pub(super) fn served_by(&self, key: &str) -> Result<String> {
        let answer = self.ask(key, &[])?;
        let host = answer
            .header("x-served-by")
            .context("no x-served-by in the answer")?;
        Ok(host.to_owned())
    }

    /// The hosts that answer `count` different users.
    pub(super) fn sample(&self, count: usize) -> Result<BTreeMap<String, String>> {
        let keys = (0..count).map(|i| format!("user-{i}"));
        keys.map(|key| Ok((key.clone(), self.served_by(&key)?)))
            .collect()
    }

    /// Fails or restores hosts.
    pub(super) fn change(&mut self, change: DemoChange, hosts: &[impl AsRef<str>]) -> Result<()> {
        self.demo.state.apply(change, hosts)
    }

    /// Waits until `holds` is true, at most [`FOLLOW_LIMIT`]; `what` names the condition.
    pub(super) fn wait_until(
        &self,
        what: &str,
        mut holds: impl FnMut() -> Result<bool>,
    ) -> Result<()> {
        eventually(what, FOLLOW_LIMIT, || Ok(holds()?.then_some(())))
    }
}
