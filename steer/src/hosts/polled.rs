//! One cluster that an admin interface is polled about: its last response, and what of it is
//! published.

use alloc::{borrow::ToOwned, format, string::String, vec::Vec};
use core::time::Duration;

use spillgate_config::{
    Diagnostic,
    clusters::{Published, read_text},
    envoy::cut_assignments,
};

use super::shared::{SharedHostState, Versions};
use crate::{
    metrics::PollCounters,
    port::{AdminResponse, CallId, HealthPort, LogLevel},
};

/// How long a response may take.
const TIMEOUT: Duration = Duration::from_secs(5);
/// The least time between two log messages about a cluster whose polls fail: nanoseconds.
const LOG_PAUSE: u64 = 60_000_000_000;

/// A cluster, and the open calls about it.
pub(super) struct PolledCluster {
    /// The cluster that reaches the admin interface.
    admin: String,
    cluster: String,
    state: SharedHostState,
    /// What is published; empty before the first response.
    published: Published,
    assignment: String,
    versions: Versions,
    /// The open calls, and the query of each.
    calls: Vec<(CallId, Query)>,
    /// Whether a failure was logged, and no recovery since then.
    failing: bool,
    /// When a failure was last logged: nanoseconds since the epoch.
    logged_at: u64,
}

/// The query of a call.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Query {
    /// `/clusters`.
    Hosts,
    /// A part of `/config_dump`: the endpoints from discovery.
    DynamicEndpoints,
    /// A part of `/config_dump`: the configured endpoints.
    StaticEndpoints,
}

impl Query {
    fn path(self, cluster: &str) -> String {
        let name = encoded(cluster);
        match self {
            Self::Hosts => format!("/clusters?filter=%5E{name}%24"),
            Self::DynamicEndpoints => format!(
                "/config_dump?include_eds&resource=dynamic_endpoint_configs&name_regex=%5E{name}%24"
            ),
            Self::StaticEndpoints => format!(
                "/config_dump?include_eds&resource=static_endpoint_configs&name_regex=%5E{name}%24"
            ),
        }
    }
}

impl PolledCluster {
    /// A cluster of which only the publications of an earlier poller are known.
    pub(super) fn new(port: &impl HealthPort, admin: &str, cluster: &str) -> Self {
        let mut polled = Self {
            admin: admin.to_owned(),
            cluster: cluster.to_owned(),
            state: SharedHostState::of(admin, cluster),
            published: Published::default(),
            assignment: String::new(),
            versions: Versions::default(),
            calls: Vec::new(),
            failing: false,
            logged_at: 0,
        };
        polled.catch_up(port);
        polled
    }

    /// Adopts what is published, so that an equal response is not published again.
    fn catch_up(&mut self, port: &impl HealthPort) {
        let Some(versions) = self.state.versions(port) else {
            return;
        };
        self.versions = versions;
        if let Some(hosts) = self.state.hosts(port) {
            (self.versions.hosts, self.versions.health) = hosts.versions();
            self.published.hosts = hosts.hosts().to_vec();
            self.published.health = hosts.health().to_vec();
        }
        self.published.active = self.state.active(port).unwrap_or_default();
        let assignment = self.state.assignment(port).unwrap_or_default();
        self.assignment = String::from_utf8(assignment).unwrap_or_default();
    }

    /// When the admin last responded to any poller: nanoseconds since the epoch.
    pub(super) fn polled_at(&self, port: &impl HealthPort) -> u64 {
        let versions = self.state.versions(port);
        versions.map_or(0, |versions| versions.polled_at)
    }

    /// Sends a query, unless the same one is still open.
    pub(super) fn send(
        &mut self,
        port: &impl HealthPort,
        query: Query,
        counters: &mut PollCounters,
    ) {
        if self.calls.iter().any(|(_, open)| *open == query) {
            return;
        }
        counters.sent(port);
        match port.get(&self.admin, &query.path(&self.cluster), TIMEOUT) {
            Some(call) => self.calls.push((call, query)),
            None => {
                let why = "Envoy has no such cluster, or it has no host";
                self.fail(port, why, counters);
            }
        }
    }

    /// Takes the response to a call. Whether it is one of this cluster's.
    pub(super) fn on_response(
        &mut self,
        port: &impl HealthPort,
        response: &AdminResponse,
        counters: &mut PollCounters,
    ) -> bool {
        let mut calls = self.calls.iter();
        let Some(at) = calls.position(|(open, _)| *open == response.call) else {
            return false;
        };
        let (_, query) = self.calls.swap_remove(at);
        let outcome = match response.status.as_deref() {
            None => Err(
                "no answer: the admin is unreachable, slow, or has more than 32 MiB to say"
                    .to_owned(),
            ),
            Some(b"200") => self.take(port, query, &response.body),
            Some(other) => Err(format!("status {}", String::from_utf8_lossy(other))),
        };
        match outcome {
            Err(why) => self.fail(port, &why, counters),
            Ok(()) if self.failing => {
                self.failing = false;
                let (admin, cluster) = (&self.admin, &self.cluster);
                let message = format!("spillgate: {admin} answers again about {cluster}");
                port.log(LogLevel::Info, &message);
            }
            Ok(()) => {}
        }
        true
    }

    fn take(&mut self, port: &impl HealthPort, query: Query, body: &[u8]) -> Result<(), String> {
        let text = core::str::from_utf8(body).map_err(|_| "the answer is no text".to_owned())?;
        let now = port.now();
        // A version must differ from the last one, whatever the clock says.
        let version = now.max(self.versions.newest() + 1);
        match query {
            Query::Hosts => self.take_hosts(port, text, version, now),
            Query::DynamicEndpoints | Query::StaticEndpoints => {
                self.take_assignment(port, text, version)
            }
        }
    }

    fn take_hosts(
        &mut self,
        port: &impl HealthPort,
        text: &str,
        version: u64,
        now: u64,
    ) -> Result<(), String> {
        let clusters = read_text(text).map_err(|faults| first(&faults, "/clusters"))?;
        let cluster = clusters.iter().find(|cluster| cluster.name == self.cluster);
        let cluster = cluster.ok_or("the answer is about other clusters")?;
        let announced = self.state.versions(port);
        if announced.is_some_and(|announced| announced != self.versions) {
            self.catch_up(port);
        }
        let published = Published::of(&cluster.hosts);
        let mut versions = self.versions;
        let new_hosts = published.hosts != self.published.hosts;
        if new_hosts || versions.hosts == 0 {
            versions.hosts = version;
        }
        if new_hosts || published.health != self.published.health || versions.health == 0 {
            versions.health = version;
            self.state.store_hosts(port, versions, &published)?;
        }
        if published.active != self.published.active {
            versions.active = version;
            self.state.store_active(port, &published.active)?;
        }
        versions.polled_at = now;
        self.announce(port, versions)?;
        self.published = published;
        Ok(())
    }

    fn take_assignment(
        &mut self,
        port: &impl HealthPort,
        text: &str,
        version: u64,
    ) -> Result<(), String> {
        let assignments = cut_assignments(text).map_err(|faults| first(&faults, "/config_dump"))?;
        // Each of the two queries finds the clusters of its kind alone.
        let mut assignments = assignments.into_iter();
        if let Some((_, json)) = assignments.find(|(name, _)| *name == self.cluster)
            && json != self.assignment
        {
            let versions = Versions {
                assignment: version,
                ..self.versions
            };
            self.state.store_assignment(port, &json)?;
            self.announce(port, versions)?;
            self.assignment = json;
        }
        Ok(())
    }

    /// Announces versions whose data is stored: a worker must not learn of one that it cannot read.
    fn announce(&mut self, port: &impl HealthPort, versions: Versions) -> Result<(), String> {
        self.state.announce(port, versions)?;
        self.versions = versions;
        Ok(())
    }

    /// Keeps the last known state. Logs the first failure, and a later one only after a pause.
    fn fail(&mut self, port: &impl HealthPort, why: &str, counters: &mut PollCounters) {
        counters.failed(port);
        let now = port.now();
        let pauses = self.logged_at > 0 && now < self.logged_at.saturating_add(LOG_PAUSE);
        if !self.failing && !pauses {
            self.failing = true;
            self.logged_at = now;
            let (admin, cluster) = (&self.admin, &self.cluster);
            port.log(
                LogLevel::Warn,
                &format!(
                    "spillgate: {admin} tells nothing about {cluster}, what was known stays: {why}"
                ),
            );
        }
    }
}

/// The first of several diagnostics, ready to print.
fn first(faults: &[Diagnostic], document: &str) -> String {
    let first = faults.first();
    first.map_or_else(String::new, |fault| fault.render(document))
}

impl Versions {
    fn newest(self) -> u64 {
        let Self {
            hosts,
            health,
            active,
            assignment,
            polled_at: _,
        } = self;
        hosts.max(health).max(active).max(assignment)
    }
}

/// A name as a regular expression that matches only this name, encoded for a URL query.
fn encoded(name: &str) -> String {
    let mut encoded = String::with_capacity(name.len());
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'~' => {
                encoded.push(char::from(byte));
            }
            // Bytes of letters beyond ASCII match themselves; other signs may be operators.
            0x80.. => encoded.push_str(&format!("%{byte:02X}")),
            _ => encoded.push_str(&format!("%5C%{byte:02X}")),
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::encoded;

    #[test]
    fn names_match_only_themselves() {
        assert_eq!(encoded("shop-1_a"), "shop-1_a");
        assert_eq!(encoded("a.b|c"), "a%5C%2Eb%5C%7Cc");
        assert_eq!(encoded("ö&"), "%C3%B6%5C%26");
    }
}
