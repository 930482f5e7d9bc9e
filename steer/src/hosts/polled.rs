//! One polled cluster: its last response, and the publication of changes.

use alloc::{borrow::ToOwned, format, string::String, vec::Vec};
use core::time::Duration;

use spillgate_config::{
    Diagnostic,
    clusters::{Published, read_text},
    envoy::cut_assignments,
    filter::Poll,
};

use super::{
    failures::PollFailures,
    poller::nanoseconds,
    shared::{SharedHostState, Versions, store},
};
use crate::{
    metrics::PollCounters,
    port::{AdminResponse, CallId, HealthPort},
};

/// The longest time until a response.
const TIMEOUT: Duration = Duration::from_secs(5);

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
    /// How often the metadata are polled: nanoseconds.
    metadata_interval: u64,
    /// Whether a response to the present queries for metadata contained the cluster.
    has_metadata: bool,
    calls: Vec<OpenCall>,
    /// Failed polls of hosts.
    failures: PollFailures,
    /// Failed polls of metadata.
    metadata_failures: PollFailures,
}

/// A call without a response.
struct OpenCall {
    id: CallId,
    query: Query,
    /// Nanoseconds since the Unix epoch.
    sent_at: u64,
}

/// What a response contributes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Response {
    /// The state of the cluster.
    Known,
    /// Nothing: the response to another query has it.
    Elsewhere,
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
    const fn is_for_metadata(self) -> bool {
        matches!(self, Self::DynamicEndpoints | Self::StaticEndpoints)
    }

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
    pub(super) fn new(port: &impl HealthPort, poll: &Poll, cluster: &str) -> Self {
        let mut polled = Self {
            admin: poll.cluster.clone(),
            cluster: cluster.to_owned(),
            state: SharedHostState::of(&poll.cluster, cluster),
            published: Published::default(),
            assignment: String::new(),
            versions: Versions::default(),
            metadata_interval: poll.metadata_interval.map_or(0, nanoseconds),
            has_metadata: false,
            calls: Vec::new(),
            failures: PollFailures::default(),
            metadata_failures: PollFailures::default(),
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

    /// Sends a query, unless the same one is still open. Returns whether the environment accepted
    /// the call.
    pub(super) fn send(
        &mut self,
        port: &impl HealthPort,
        query: Query,
        counters: &mut PollCounters,
    ) -> bool {
        if self.calls.iter().any(|open| open.query == query) {
            return true;
        }
        if !self.calls.iter().any(|open| open.query.is_for_metadata()) {
            self.has_metadata = false;
        }
        counters.sent.add(port);
        match port.get(&self.admin, &query.path(&self.cluster), TIMEOUT) {
            Some(id) => {
                let sent_at = port.now();
                self.calls.push(OpenCall { id, query, sent_at });
                true
            }
            None => {
                let why = "unknown admin cluster, or it has no host";
                self.fail(port, query, why, counters);
                false
            }
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
        let Some(at) = calls.position(|open| open.id == response.call) else {
            return false;
        };
        let call = self.calls.swap_remove(at);
        let outcome = match response.status.as_deref() {
            None => Err("no response, or more than 32 MiB".to_owned()),
            Some(b"200") => self.publish(port, &call, &response.body),
            Some(other) => Err(format!("status {}", String::from_utf8_lossy(other))),
        };
        match outcome {
            Err(why) => self.fail(port, call.query, &why, counters),
            Ok(Response::Known) => {
                let what = self.name_of(call.query);
                self.failures_of(call.query).succeeded(port, &what);
            }
            Ok(Response::Elsewhere) => {}
        }
        true
    }

    fn publish(
        &mut self,
        port: &impl HealthPort,
        call: &OpenCall,
        body: &[u8],
    ) -> Result<Response, String> {
        if let Some(announced) = self.state.versions(port)
            && announced != self.versions
        {
            // Another poller has published.
            self.catch_up(port);
        }
        let text = core::str::from_utf8(body).map_err(|_| "response is not UTF-8".to_owned())?;
        let now = port.now();
        // A version must differ from the last one, even if the clock jumps back.
        let version = now.max(self.versions.newest() + 1);
        match call.query {
            Query::Hosts => self.publish_hosts(port, text, version, now),
            Query::DynamicEndpoints | Query::StaticEndpoints => {
                self.publish_assignment(port, text, version, call.sent_at)
            }
        }
    }

    fn publish_hosts(
        &mut self,
        port: &impl HealthPort,
        text: &str,
        version: u64,
        now: u64,
    ) -> Result<Response, String> {
        let clusters = read_text(text).map_err(|faults| first(&faults, "/clusters"))?;
        let cluster = clusters.iter().find(|cluster| cluster.name == self.cluster);
        let cluster = cluster.ok_or("response omits the cluster")?;
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
        Ok(Response::Known)
    }

    fn publish_assignment(
        &mut self,
        port: &impl HealthPort,
        text: &str,
        version: u64,
        sent_at: u64,
    ) -> Result<Response, String> {
        let assignments = cut_assignments(text).map_err(|faults| first(&faults, "/config_dump"))?;
        let mut assignments = assignments.into_iter();
        let Some((_, json)) = assignments.find(|(name, _)| *name == self.cluster) else {
            // Each of the two queries returns only clusters of its own kind.
            let is_last = !self.calls.iter().any(|open| open.query.is_for_metadata());
            return match is_last && !self.has_metadata {
                true => Err("/config_dump omits the endpoints of the cluster".to_owned()),
                false => Ok(Response::Elsewhere),
            };
        };
        self.has_metadata = true;
        let mut versions = self.versions;
        if json != self.assignment || versions.assignment == 0 {
            versions.assignment = version;
            store(port, &self.state.assignment, json.as_bytes())?;
        }
        versions.metadata_at = versions.metadata_at.max(sent_at);
        versions.metadata_interval = self.metadata_interval;
        self.announce(port, versions)?;
        self.assignment = json;
        Ok(Response::Known)
    }

    /// Announces the versions of stored data: a worker must not see a version before its data.
    fn announce(&mut self, port: &impl HealthPort, versions: Versions) -> Result<(), String> {
        self.state.announce(port, versions)?;
        self.versions = versions;
        Ok(())
    }

    /// Counts a failed poll, and keeps the last known state.
    fn fail(
        &mut self,
        port: &impl HealthPort,
        query: Query,
        why: &str,
        counters: &mut PollCounters,
    ) {
        counters.failed.add(port);
        if query.is_for_metadata() {
            counters.metadata_failed.add(port);
        }
        let what = self.name_of(query);
        self.failures_of(query).failed(port, &what, why);
    }

    fn failures_of(&mut self, query: Query) -> &mut PollFailures {
        match query.is_for_metadata() {
            true => &mut self.metadata_failures,
            false => &mut self.failures,
        }
    }

    /// The polled state, and the cluster that reaches the admin.
    fn name_of(&self, query: Query) -> String {
        let of = if query.is_for_metadata() {
            "metadata of "
        } else {
            ""
        };
        format!("{of}{} through {}", self.cluster, self.admin)
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
            metadata_at: _,
            metadata_interval: _,
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
