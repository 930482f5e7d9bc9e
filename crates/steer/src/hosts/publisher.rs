//! Publication of one cluster's state. Several pollers may publish at the same time.
//!
//! A version is the monotonic time of its creation, and higher than all versions before. A write
//! replaces only the revision that the poller has read. The poller that loses drops its response:
//! the other one is as recent. It also drops a response if another poller has published since the
//! query was sent. An announcement keeps the highest version of each piece. So versions never go
//! back, and no data are lost between a write and its announcement. A poller starts from the
//! published data, so neither a new .wasm nor a second poller causes an update by itself.
//!
//! Hosts and health are stored before their versions are announced. If the host environment refuses
//! one of these writes, nothing is announced, because a worker would take an announced version
//! without its data as read; the next poll publishes again.

use alloc::{string::String, vec::Vec};

use spillgate_config::clusters::{HostTotals, Published};

use super::{
    clock::Now,
    labels::LastChange,
    shared::{SharedHostState, StoreError, Versions},
};
use crate::port::HealthPort;

/// Publishes the state of a cluster.
///
/// It starts from the published data, so that an equal response is not published again. It
/// announces a version only after its piece is stored, because a worker would take an announced
/// version without its data as read.
pub(super) struct Publisher {
    state: SharedHostState,
    /// The last known published data: empty before the first publication.
    published: Published,
    assignment: String,
    /// The versions of this data.
    versions: Versions,
    last_change: LastChange,
    /// Whether the data is that of the pieces. After a failure it may not be.
    is_complete: bool,
}

/// The hosts of a response.
pub(super) struct PolledHosts {
    pub(super) published: Published,
    /// Their counters, if metadata are polled.
    pub(super) totals: Vec<HostTotals>,
    /// Whether metadata are polled.
    pub(super) is_described: bool,
}

/// The metadata of a cluster's endpoints, as `/config_dump` reports it.
pub(super) struct Metadata {
    pub(super) json: String,
    /// When the query was sent.
    pub(super) sent_at: u64,
    /// How often the metadata are polled: nanoseconds.
    pub(super) interval: u64,
}

impl Publisher {
    pub(super) fn new(port: &impl HealthPort, admin: &str, cluster: &str) -> Self {
        let state = SharedHostState::of(admin, cluster);
        state.prepare(port);
        Self {
            state,
            published: Published::default(),
            assignment: String::new(),
            versions: Versions::default(),
            last_change: LastChange::default(),
            is_complete: false,
        }
    }

    pub(super) const fn state(&self) -> &SharedHostState {
        &self.state
    }

    /// The announced versions; zeros before the first publication.
    pub(super) fn announced(&self, port: &impl HealthPort) -> Versions {
        self.state.versions(port).unwrap_or_default()
    }

    /// Publishes hosts with their health and active requests, as far as they have changed.
    ///
    /// # Errors
    /// If the environment refuses to write shared data.
    pub(super) fn publish_hosts(
        &mut self,
        port: &impl HealthPort,
        now: Now,
        hosts: PolledHosts,
    ) -> Result<(), &'static str> {
        let version = self.catch_up(port).next(now);
        let outcome = self.store_hosts(port, now, version, hosts);
        self.finish(outcome)
    }

    fn store_hosts(
        &mut self,
        port: &impl HealthPort,
        now: Now,
        version: u64,
        PolledHosts {
            published: hosts,
            totals,
            is_described,
        }: PolledHosts,
    ) -> Result<(), StoreError> {
        let before = self.versions;
        let mut versions = before;
        // Version 0 is published by no one, so even an empty list is published once.
        let is_other = before.hosts == 0 || hosts.hosts != self.published.hosts;
        let new_hosts = is_other || self.last_change.shows_restart(before.hosts, &totals);
        if new_hosts {
            versions.hosts = version;
            let change = &mut self.last_change;
            if is_described {
                change.replace(before, version, [&self.published, &hosts]);
            } else {
                change.adopt(version);
            }
            versions.described = change.described(versions, &self.assignment, &hosts);
        }
        if new_hosts || hosts.health != self.published.health {
            versions.health = version;
            self.state
                .store_hosts(port, before.health, versions, &hosts)?;
        }
        if before.active == 0 || hosts.active != self.published.active {
            versions.active = version;
            let active = &self.state.active;
            active.store(port, before.active, version, &hosts.active)?;
        }
        // Strictly higher, even within one tick of a coarse clock, so that other pollers notice this
        // publication.
        versions.polled_at = now.at.max(before.polled_at.saturating_add(1));
        // Last: an announced version always has its data.
        self.state.announce(port, versions)?;
        (self.versions, self.published) = (versions, hosts);
        self.last_change.count(versions.hosts, totals);
        Ok(())
    }

    /// Publishes the metadata of endpoints, if it has changed, and when it was read.
    ///
    /// # Errors
    /// If the environment refuses to write shared data.
    pub(super) fn publish_metadata(
        &mut self,
        port: &impl HealthPort,
        now: Now,
        metadata: Metadata,
    ) -> Result<(), &'static str> {
        let version = self.catch_up(port).next(now);
        let outcome = self.store_metadata(port, version, metadata);
        self.finish(outcome)
    }

    fn store_metadata(
        &mut self,
        port: &impl HealthPort,
        version: u64,
        metadata: Metadata,
    ) -> Result<(), StoreError> {
        let before = self.versions;
        let Metadata {
            json,
            sent_at,
            interval,
        } = metadata;
        let mut versions = Versions {
            metadata_at: before.metadata_at.max(sent_at),
            metadata_interval: interval,
            ..before
        };
        if json != self.assignment || before.assignment == 0 {
            versions.assignment = version;
            let assignment = &self.state.assignment;
            assignment.store(port, before.assignment, version, json.as_bytes())?;
        }
        let (last_change, hosts) = (&self.last_change, &self.published);
        versions.described = last_change.described(versions, &json, hosts);
        self.state.announce(port, versions)?;
        (self.versions, self.assignment) = (versions, json);
        Ok(())
    }

    /// If another poller publishes at the same time, its response is as recent as this one, so
    /// this one is not needed.
    fn finish(&mut self, outcome: Result<(), StoreError>) -> Result<(), &'static str> {
        match outcome {
            Ok(()) => Ok(()),
            Err(error) => {
                self.is_complete = false;
                match error {
                    StoreError::Conflict => Ok(()),
                    StoreError::Refused => Err("cannot write shared data"),
                }
            }
        }
    }

    /// Adopts the data that other pollers have published, or stored without announcing it. Returns
    /// the highest version of each piece.
    fn catch_up(&mut self, port: &impl HealthPort) -> Versions {
        let announced = self.announced(port);
        let known = self.versions;
        let is_new = |announced: u64, known: u64| !self.is_complete || announced != known;
        let new_hosts = is_new(announced.health, known.health);
        let new_active = is_new(announced.active, known.active);
        let new_assignment = is_new(announced.assignment, known.assignment);
        if new_hosts {
            let hosts = self.state.hosts(port);
            (self.versions.hosts, self.versions.health) =
                hosts.as_ref().map_or((0, 0), |hosts| hosts.versions());
            if self.versions.hosts != known.hosts {
                self.last_change.adopt(self.versions.hosts);
            }
            let hosts = hosts.map(|hosts| (hosts.hosts().to_vec(), hosts.health().to_vec()));
            (self.published.hosts, self.published.health) = hosts.unwrap_or_default();
        }
        if new_active {
            let active = self.state.active.read(port);
            (self.versions.active, self.published.active) = active.unwrap_or_default();
        }
        if new_assignment {
            let assignment = self.state.assignment.read(port);
            let (version, json): (u64, Vec<u8>) = assignment.unwrap_or_default();
            self.versions.assignment = version;
            // Another text than any response, so the next response is published.
            self.assignment = String::from_utf8(json).unwrap_or_else(|_| String::new());
        }
        self.versions.polled_at = announced.polled_at;
        self.versions.metadata_at = announced.metadata_at;
        self.versions.described = announced.described;
        self.is_complete = true;
        self.versions.highest(announced)
    }
}
