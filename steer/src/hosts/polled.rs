//! One polled cluster: its open calls, and the responses to them.

use alloc::{borrow::ToOwned, format, string::String, vec::Vec};
use core::time::Duration;

use spillgate_config::{
    Diagnostic,
    clusters::{Published, Reported, read_reported},
    envoy::cut_assignments,
    filter::Poll,
};

use super::{
    clock::{LastEvent, LogPause, Now, nanoseconds},
    failures::PollFailures,
    publisher::{Metadata, PolledHosts, Publisher},
    shared::Versions,
};
use crate::{
    metrics::PollCounters,
    port::{AdminResponse, CallId, HealthPort},
};

/// The longest time until a response. The main thread of a large Envoy can be busy for seconds.
const TIMEOUT: Duration = Duration::from_secs(10);

/// A polled cluster, with its open calls.
pub(super) struct PolledCluster {
    /// The cluster that reaches the admin interface.
    admin: String,
    cluster: String,
    publisher: Publisher,
    /// The last response to any poller.
    last_response: LastEvent,
    /// The last query that returned the metadata to any poller.
    last_metadata: LastEvent,
    /// How often the metadata are polled: nanoseconds.
    metadata_interval: u64,
    /// Whether the metadata are polled, as far as this poller knows.
    polls_metadata: bool,
    /// The query for metadata that contained the cluster; `None` before the first.
    listed_by: Option<Query>,
    /// Whether a response to the present queries for metadata contained the cluster.
    has_metadata: bool,
    calls: Vec<OpenCall>,
    /// Failed polls of hosts.
    failures: PollFailures,
    /// Failed polls of metadata.
    metadata_failures: PollFailures,
    unknown_values: LogPause,
}

/// A call without a response.
struct OpenCall {
    id: CallId,
    query: Query,
    /// The versions that were announced when it was sent.
    announced: Versions,
    /// When it was sent: higher than all these versions.
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
    /// A cluster without open calls.
    pub(super) fn new(port: &impl HealthPort, poll: &Poll, cluster: &str) -> Self {
        Self {
            admin: poll.cluster.clone(),
            cluster: cluster.to_owned(),
            publisher: Publisher::new(port, &poll.cluster, cluster),
            last_response: LastEvent::default(),
            last_metadata: LastEvent::default(),
            metadata_interval: nanoseconds(poll.metadata_interval.unwrap_or(poll.interval)),
            polls_metadata: poll.metadata_interval.is_some(),
            listed_by: None,
            has_metadata: false,
            calls: Vec::new(),
            failures: PollFailures::default(),
            metadata_failures: PollFailures::default(),
            unknown_values: LogPause::default(),
        }
    }

    /// When the admin last responded to any poller.
    pub(super) fn polled_at(&mut self, port: &impl HealthPort, now: Now) -> Option<u64> {
        let stamp = self.publisher.announced(port).polled_at;
        (stamp > 0).then(|| self.last_response.observe(stamp, now))
    }

    /// Whether a poller has just read the metadata of the present hosts.
    pub(super) fn has_new_metadata(&mut self, port: &impl HealthPort, now: Now) -> bool {
        let announced = self.publisher.announced(port);
        if announced.metadata_at == 0 || announced.described != announced.hosts {
            return false;
        }
        let at = self.last_metadata.observe(announced.metadata_at, now);
        now.at.saturating_sub(at) < self.metadata_interval / 4 * 3
    }

    /// Whether the metadata are polled: by configuration, or because a worker needs them.
    pub(super) fn needs_metadata(&mut self, port: &impl HealthPort) -> bool {
        self.polls_metadata = self.polls_metadata || self.publisher.state().wants_metadata(port);
        self.polls_metadata
    }

    /// Shows the workers that this plugin polls for all of them, at this interval in nanoseconds.
    pub(super) fn sign(&self, port: &impl HealthPort, now: Now, interval: u64) {
        self.publisher.state().sign(port, now, interval);
    }

    /// Sends the queries for metadata. Until one of them has returned the cluster, there are two.
    /// Returns whether the environment accepted the calls.
    pub(super) fn send_for_metadata(
        &mut self,
        port: &impl HealthPort,
        now: Now,
        counters: &mut PollCounters,
    ) -> bool {
        let mut accepted = true;
        for query in [Query::DynamicEndpoints, Query::StaticEndpoints] {
            if self.listed_by.is_none_or(|listed_by| listed_by == query) {
                accepted &= self.send(port, now, query, counters);
            }
        }
        accepted
    }

    /// Sends a query, unless the same one is still open. Returns whether the environment accepted
    /// the call.
    pub(super) fn send(
        &mut self,
        port: &impl HealthPort,
        now: Now,
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
                let announced = self.publisher.announced(port);
                self.calls.push(OpenCall {
                    id,
                    query,
                    announced,
                    sent_at: announced.next(now),
                });
                true
            }
            None => {
                let why = "unknown admin cluster, or it has no host";
                self.fail(port, now, query, why, counters);
                false
            }
        }
    }

    /// Handles a response. Returns whether the call is one of this cluster's.
    pub(super) fn on_response(
        &mut self,
        port: &impl HealthPort,
        now: Now,
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
            Some(b"200") => self.publish(port, now, &call, &response.body, counters),
            Some(other) => Err(format!("status {}", String::from_utf8_lossy(other))),
        };
        match outcome {
            Err(why) => self.fail(port, now, call.query, &why, counters),
            Ok(Response::Known) => {
                let what = self.name_of(call.query);
                self.failures_of(call.query).succeeded(&what);
                self.read_changed_metadata(port, now, counters);
            }
            Ok(Response::Elsewhere) => {}
        }
        true
    }

    /// Reads the metadata at once if they may be those of other hosts. After a failure, the next
    /// response with hosts tries again.
    fn read_changed_metadata(
        &mut self,
        port: &impl HealthPort,
        now: Now,
        counters: &mut PollCounters,
    ) {
        let announced = self.publisher.announced(port);
        let is_open = self.calls.iter().any(|open| open.query.is_for_metadata());
        let are_of_others = announced.described != announced.hosts && !is_open;
        if are_of_others && self.publisher.state().wants_metadata(port) {
            self.send_for_metadata(port, now, counters);
        }
    }

    fn publish(
        &mut self,
        port: &impl HealthPort,
        now: Now,
        call: &OpenCall,
        body: &[u8],
        counters: &mut PollCounters,
    ) -> Result<Response, String> {
        // If another poller has published since the query was sent, this response may be older.
        let announced = self.publisher.announced(port);
        let text = core::str::from_utf8(body).map_err(|_| "response is not UTF-8".to_owned())?;
        match call.query {
            Query::Hosts => {
                if announced.polled_at == call.announced.polled_at {
                    let hosts = self.hosts(port, now, text, counters)?;
                    self.publisher.publish_hosts(port, now, hosts)?;
                }
                Ok(Response::Known)
            }
            Query::DynamicEndpoints | Query::StaticEndpoints => {
                self.publish_metadata(port, now, text, call)
            }
        }
    }

    fn publish_metadata(
        &mut self,
        port: &impl HealthPort,
        now: Now,
        text: &str,
        &OpenCall { query, sent_at, .. }: &OpenCall,
    ) -> Result<Response, String> {
        let assignments = cut_assignments(text).map_err(|faults| first(&faults, "/config_dump"))?;
        let mut assignments = assignments.into_iter();
        let Some((_, json)) = assignments.find(|(name, _)| *name == self.cluster) else {
            // Each of the two queries returns only clusters of its own kind.
            self.listed_by = self.listed_by.filter(|listed_by| *listed_by != query);
            let is_last = !self.calls.iter().any(|open| open.query.is_for_metadata());
            return match is_last && !self.has_metadata {
                true => Err("/config_dump omits the endpoints of the cluster".to_owned()),
                false => Ok(Response::Elsewhere),
            };
        };
        (self.has_metadata, self.listed_by) = (true, Some(query));
        if self.publisher.announced(port).metadata_at <= sent_at {
            let metadata = Metadata {
                json,
                sent_at,
                interval: self.metadata_interval,
            };
            self.publisher.publish_metadata(port, now, metadata)?;
        }
        Ok(Response::Known)
    }

    /// The reported hosts. Unknown flags and lines, which a newer Envoy may print, are counted.
    fn hosts(
        &mut self,
        port: &impl HealthPort,
        now: Now,
        text: &str,
        counters: &mut PollCounters,
    ) -> Result<PolledHosts, String> {
        let Reported { clusters, unknown } =
            read_reported(text).map_err(|faults| first(&faults, "/clusters"))?;
        if let Some(unknown) = unknown {
            counters.unknown_values.add(port);
            if self.unknown_values.may_log(now) {
                let unknown = unknown.render("/clusters");
                log::warn!("spillgate: poll of {}: {unknown}", self.cluster);
            }
        }
        let mut clusters = clusters.iter();
        let cluster = clusters.find(|cluster| cluster.name == self.cluster);
        let cluster = cluster.ok_or("response omits the cluster")?;
        let totals = cluster.hosts.iter().filter(|_| self.polls_metadata);
        Ok(PolledHosts {
            totals: totals.map(|host| host.totals).collect(),
            published: Published::of(&cluster.hosts),
        })
    }

    /// Counts a failed poll, and keeps the last known state.
    fn fail(
        &mut self,
        port: &impl HealthPort,
        now: Now,
        query: Query,
        why: &str,
        counters: &mut PollCounters,
    ) {
        counters.failed.add(port);
        if query.is_for_metadata() {
            counters.metadata_failed.add(port);
        }
        let what = self.name_of(query);
        self.failures_of(query).failed(now, &what, why);
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
