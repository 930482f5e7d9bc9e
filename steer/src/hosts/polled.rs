//! One polled cluster: its last response, and the publication of changes.

use alloc::{borrow::ToOwned, format, string::String, vec::Vec};
use core::time::Duration;

use spillgate_config::{
    Diagnostic,
    clusters::{Published, read_text},
    envoy::cut_assignments,
};

use super::shared::{SharedHostState, Versions, store};
use crate::{
    metrics::PollCounters,
    port::{AdminResponse, CallId, HealthPort, LogLevel},
};

/// The longest time until a response.
const TIMEOUT: Duration = Duration::from_secs(5);
/// The shortest time between two warnings about a cluster: nanoseconds.
const LOG_PAUSE: u64 = 60_000_000_000;

/// A polled cluster, with its open calls.
pub(super) struct PolledCluster {
    /// The cluster that reaches the admin interface.
    admin: String,
    cluster: String,
    state: SharedHostState,
    /// The published hosts; empty before the first response.
    published: Published,
    assignment: String,
    versions: Versions,
    /// The open calls, and the query of each.
    calls: Vec<(CallId, Query)>,
    /// Whether the last logged event was a failure.
    failing: bool,
    /// When a failure was last logged: nanoseconds since the Unix epoch.
    logged_at: u64,
}

/// The query of a call.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Query {
    /// `/clusters`.
    Hosts,
    /// The endpoints from EDS, in `/config_dump`.
    DynamicEndpoints,
    /// The configured endpoints, in `/config_dump`.
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
    /// A cluster with the state that an earlier poller published, if any.
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

    /// Adopts the published state, so that an equal response is not published again.
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
        self.published.active = port.shared(&self.state.active).unwrap_or_default();
        let assignment = port.shared(&self.state.assignment).unwrap_or_default();
        self.assignment = String::from_utf8(assignment).unwrap_or_default();
    }

    /// When the admin last responded to any poller: nanoseconds since the Unix epoch.
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
        counters.sent.add(port);
        match port.get(&self.admin, &query.path(&self.cluster), TIMEOUT) {
            Some(call) => self.calls.push((call, query)),
            None => self.fail(port, "unknown admin cluster, or it has no host", counters),
        }
    }

    /// Handles a response. Returns whether the call is one of this cluster's.
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
            None => Err("no response, or more than 32 MiB".to_owned()),
            Some(b"200") => self.publish(port, query, &response.body),
            Some(other) => Err(format!("status {}", String::from_utf8_lossy(other))),
        };
        match outcome {
            Err(why) => self.fail(port, &why, counters),
            Ok(()) if self.failing => {
                self.failing = false;
                let (admin, cluster) = (&self.admin, &self.cluster);
                let message =
                    format!("spillgate: poll of {cluster} through {admin} succeeded again");
                port.log(LogLevel::Info, &message);
            }
            Ok(()) => {}
        }
        true
    }

    fn publish(&mut self, port: &impl HealthPort, query: Query, body: &[u8]) -> Result<(), String> {
        let text = core::str::from_utf8(body).map_err(|_| "response is not UTF-8".to_owned())?;
        let now = port.now();
        // A version must differ from the last one, even if the clock jumps back.
        let version = now.max(self.versions.newest() + 1);
        match query {
            Query::Hosts => self.publish_hosts(port, text, version, now),
            Query::DynamicEndpoints | Query::StaticEndpoints => {
                self.publish_assignment(port, text, version)
            }
        }
    }

    fn publish_hosts(
        &mut self,
        port: &impl HealthPort,
        text: &str,
        version: u64,
        now: u64,
    ) -> Result<(), String> {
        let clusters = read_text(text).map_err(|faults| first(&faults, "/clusters"))?;
        let cluster = clusters.iter().find(|cluster| cluster.name == self.cluster);
        let cluster = cluster.ok_or("response omits the cluster")?;
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
            store(port, &self.state.active, &published.active)?;
        }
        versions.polled_at = now;
        self.announce(port, versions)?;
        self.published = published;
        Ok(())
    }

    fn publish_assignment(
        &mut self,
        port: &impl HealthPort,
        text: &str,
        version: u64,
    ) -> Result<(), String> {
        let assignments = cut_assignments(text).map_err(|faults| first(&faults, "/config_dump"))?;
        // Each of the two queries returns only clusters of its own kind.
        let mut assignments = assignments.into_iter();
        if let Some((_, json)) = assignments.find(|(name, _)| *name == self.cluster)
            && json != self.assignment
        {
            let versions = Versions {
                assignment: version,
                ..self.versions
            };
            store(port, &self.state.assignment, json.as_bytes())?;
            self.announce(port, versions)?;
            self.assignment = json;
        }
        Ok(())
    }

    /// Announces the versions of stored data: a worker must not see a version before its data.
    fn announce(&mut self, port: &impl HealthPort, versions: Versions) -> Result<(), String> {
        self.state.announce(port, versions)?;
        self.versions = versions;
        Ok(())
    }

    /// Counts a failed poll, and keeps the last known state. Logs the first failure in a row, at
    /// most once per [`LOG_PAUSE`].
    fn fail(&mut self, port: &impl HealthPort, why: &str, counters: &mut PollCounters) {
        counters.failed.add(port);
        let now = port.now();
        let pauses = self.logged_at > 0 && now < self.logged_at.saturating_add(LOG_PAUSE);
        if !self.failing && !pauses {
            self.failing = true;
            self.logged_at = now;
            let (admin, cluster) = (&self.admin, &self.cluster);
            port.log(
                LogLevel::Warn,
                &format!(
                    "spillgate: poll of {cluster} through {admin} failed; keeping last known state: {why}"
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
            // Bytes of non-ASCII characters match themselves; other ASCII may be an operator.
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
    fn an_encoded_name_matches_only_itself() {
        assert_eq!(encoded("shop-1_a"), "shop-1_a");
        assert_eq!(encoded("a.b|c"), "a%5C%2Eb%5C%7Cc");
        assert_eq!(encoded("ö&"), "%C3%B6%5C%26");
    }
}
