//! One polled cluster, and what the responses say about it.

use alloc::{borrow::ToOwned, string::String};

use super::{
    clock::{LastEvent, Now},
    publisher::{Metadata, PolledHosts, Publisher},
    query::Query,
    shared::Versions,
};
use crate::port::HealthPort;

/// A polled cluster.
pub(super) struct PolledCluster {
    pub(super) name: String,
    publisher: Publisher,
    /// The last response to any poller.
    last_response: LastEvent,
    /// The last query that returned the metadata to any poller.
    last_metadata: LastEvent,
    /// Whether the metadata are polled, as far as this poller knows.
    polls_metadata: bool,
    /// The query for metadata that contained the cluster; `None` before the first.
    listed_by: Option<Query>,
    /// Whether a response to the present queries for metadata contained the cluster.
    has_metadata: bool,
    /// How many queries for metadata have no response.
    open_for_metadata: usize,
}

/// A cluster of a call, when the call was sent.
pub(super) struct Asked {
    /// The place of the cluster.
    pub(super) cluster: usize,
    /// The versions that were announced.
    announced: Versions,
    /// When the call was sent: higher than all these versions.
    sent_at: u64,
}

impl PolledCluster {
    /// A cluster before its first poll.
    pub(super) fn new(port: &impl HealthPort, admin: &str, cluster: &str, metadata: bool) -> Self {
        Self {
            name: cluster.to_owned(),
            publisher: Publisher::new(port, admin, cluster),
            last_response: LastEvent::default(),
            last_metadata: LastEvent::default(),
            polls_metadata: metadata,
            listed_by: None,
            has_metadata: false,
            open_for_metadata: 0,
        }
    }

    /// When the admin last responded to any poller.
    pub(super) fn polled_at(&mut self, port: &impl HealthPort, now: Now) -> Option<u64> {
        let stamp = self.publisher.announced(port).polled_at;
        (stamp > 0).then(|| self.last_response.observe(stamp, now))
    }

    /// When a poller read the metadata of the present hosts; `None` if they are those of others.
    pub(super) fn metadata_at(&mut self, port: &impl HealthPort, now: Now) -> Option<u64> {
        let announced = self.publisher.announced(port);
        let is_known = announced.metadata_at > 0 && announced.described == announced.hosts;
        is_known.then(|| self.last_metadata.observe(announced.metadata_at, now))
    }

    /// Whether a worker needs the metadata, which are not polled yet. From now on they are.
    pub(super) fn begins_metadata(&mut self, port: &impl HealthPort) -> bool {
        let begins = !self.polls_metadata && self.publisher.state().wants_metadata(port);
        self.polls_metadata |= begins;
        begins
    }

    /// Shows the workers that this plugin polls for all of them, at this interval in nanoseconds.
    pub(super) fn sign(&self, port: &impl HealthPort, now: Now, interval: u64) {
        self.publisher.state().sign(port, now, interval);
    }

    /// Whether a query may contain the cluster. Until one of the two queries for metadata has
    /// returned it, both may.
    pub(super) fn may_be_in(&self, query: Query) -> bool {
        !query.is_for_metadata() || self.listed_by.is_none_or(|listed_by| listed_by == query)
    }

    /// Records that a call was sent, which has the cluster at that place.
    pub(super) fn ask(
        &mut self,
        port: &impl HealthPort,
        now: Now,
        query: Query,
        cluster: usize,
    ) -> Asked {
        if query.is_for_metadata() {
            self.has_metadata &= self.open_for_metadata > 0;
            self.open_for_metadata += 1;
        }
        let announced = self.publisher.announced(port);
        Asked {
            cluster,
            announced,
            sent_at: announced.next(now),
        }
    }

    /// Records that a call has ended.
    pub(super) const fn end(&mut self, query: Query) {
        if query.is_for_metadata() {
            self.open_for_metadata = self.open_for_metadata.saturating_sub(1);
        }
    }

    /// Whether the metadata may be those of other hosts, and no query for them is open.
    pub(super) fn needs_new_metadata(&self, port: &impl HealthPort) -> bool {
        let announced = self.publisher.announced(port);
        self.open_for_metadata == 0
            && announced.described != announced.hosts
            && self.publisher.state().wants_metadata(port)
    }

    /// Whether counters of hosts are read.
    pub(super) const fn counts(&self) -> bool {
        self.polls_metadata
    }

    /// Publishes the reported hosts.
    ///
    /// # Errors
    /// If shared data cannot be written.
    pub(super) fn publish(
        &mut self,
        port: &impl HealthPort,
        now: Now,
        asked: &Asked,
        hosts: PolledHosts,
    ) -> Result<(), &'static str> {
        // If another poller has published since the query was sent, this response may be older.
        if self.publisher.announced(port).polled_at != asked.announced.polled_at {
            return Ok(());
        }
        self.publisher.publish_hosts(port, now, hosts)
    }

    /// Publishes metadata, which are polled at this interval in nanoseconds.
    ///
    /// # Errors
    /// If shared data cannot be written.
    pub(super) fn publish_metadata(
        &mut self,
        port: &impl HealthPort,
        now: Now,
        query: Query,
        asked: &Asked,
        (json, interval): (String, u64),
    ) -> Result<(), &'static str> {
        (self.has_metadata, self.listed_by) = (true, Some(query));
        // Another poller has published the answer to a later query.
        if self.publisher.announced(port).metadata_at > asked.sent_at {
            return Ok(());
        }
        let metadata = Metadata {
            json,
            sent_at: asked.sent_at,
            interval,
        };
        self.publisher.publish_metadata(port, now, metadata)
    }

    /// Records that a response for metadata omits the cluster: each of the two queries returns only
    /// clusters of its own kind. Returns whether no other one has it.
    pub(super) fn omit_metadata(&mut self, query: Query) -> bool {
        self.listed_by = self.listed_by.filter(|listed_by| *listed_by != query);
        self.open_for_metadata == 0 && !self.has_metadata
    }
}
