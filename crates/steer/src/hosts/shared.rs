//! The state of hosts that pollers publish and workers read: shared data, in four pieces per
//! cluster.
//!
//! The first piece holds the versions of the others, so that a worker reads only 64 bytes if
//! nothing has changed. Each other piece begins with its own version. A write replaces only the
//! expected version, so that several pollers cannot overwrite newer data. A fifth piece is the sign
//! of life of the poller of all workers.

use alloc::{format, string::String, vec::Vec};

use spillgate_config::clusters::Published;

use super::clock::Now;
use crate::port::{HealthPort, ShareOutcome, SharedValue};

/// The keys of a cluster's state, as one admin interface reports it.
pub(super) struct SharedHostState {
    versions: String,
    hosts: String,
    /// Active requests, as [`Published`] encodes them.
    pub(super) active: Piece,
    /// The metadata of endpoints, as JSON.
    pub(super) assignment: Piece,
    poller: String,
    /// Exists if a worker needs the metadata.
    wanted: String,
}

/// The key of a piece that begins with its version.
pub(super) struct Piece(String);

/// The published version of each piece. A version is the time at which it was made, if the
/// environment has a monotonic clock, and always higher than the versions before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Versions {
    /// The hosts: addresses, priorities, weights, localities.
    pub(super) hosts: u64,
    /// Their health; at least the version of the hosts.
    pub(super) health: u64,
    /// Their active requests.
    pub(super) active: u64,
    /// The metadata of their endpoints; 0 if it is not polled.
    pub(super) assignment: u64,
    /// When the admin last responded; differs after each response.
    pub(super) polled_at: u64,
    /// When the last query that returned the metadata was sent; higher than the version of the hosts
    /// that were known then. 0 before the first.
    pub(super) metadata_at: u64,
    /// How often the metadata are polled: nanoseconds.
    pub(super) metadata_interval: u64,
    /// The version of the hosts that the metadata describe; another one than that of the hosts if
    /// these have changed since the metadata were read.
    pub(super) described: u64,
}

/// Hosts and their health, with the versions of both.
pub(super) struct PublishedHosts {
    bytes: Vec<u8>,
    split: usize,
}

/// A sign of life of the poller of all workers.
#[derive(Clone, Copy)]
pub(super) struct PollerSign {
    /// When the last poll was due; differs for each poll.
    pub(super) stamp: u64,
    /// The poll interval in nanoseconds.
    pub(super) interval: u64,
}

/// Why a piece was not stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StoreError {
    /// Another poller has published in the meantime.
    Conflict,
    /// The environment refuses to write shared data.
    Refused,
}

type Stored = Result<(), StoreError>;

/// The length of the header of the hosts in bytes: two versions, and the length of the hosts.
const HEAD: usize = 24;
/// How often versions are announced again if another poller announces its own meanwhile.
const ANNOUNCEMENTS: usize = 8;

impl SharedHostState {
    /// The state of a cluster.
    pub(super) fn of(admin: &str, cluster: &str) -> Self {
        // The number distinguishes the format from those of other releases.
        let key = |piece: &str| format!("spillgate.3.{piece}.{admin}/{cluster}");
        Self {
            versions: key("versions"),
            hosts: key("hosts"),
            active: Piece(key("active")),
            assignment: Piece(key("assignment")),
            poller: key("poller"),
            wanted: key("wanted"),
        }
    }

    /// Creates the pieces that do not exist yet, without data: only an existing value has a
    /// revision that a write can replace.
    pub(super) fn prepare(&self, port: &impl HealthPort) {
        let Self {
            versions,
            hosts,
            active: Piece(active),
            assignment: Piece(assignment),
            poller: _,
            wanted: _,
        } = self;
        for key in [versions, hosts, active, assignment] {
            if port.shared(key).is_none() {
                let _ = port.share(key, &[], None);
            }
        }
    }

    pub(super) fn versions(&self, port: &impl HealthPort) -> Option<Versions> {
        Versions::read(&port.shared(&self.versions)?.bytes)
    }

    pub(super) fn hosts(&self, port: &impl HealthPort) -> Option<PublishedHosts> {
        PublishedHosts::read(port.shared(&self.hosts)?.bytes)
    }

    /// Announces versions, after their pieces are stored. Versions that other pollers have
    /// announced stay if they are higher.
    ///
    /// # Errors
    /// If the environment refuses to store shared data, or others announce all the time.
    pub(super) fn announce(&self, port: &impl HealthPort, versions: Versions) -> Stored {
        for _ in 0..ANNOUNCEMENTS {
            let present = port.shared(&self.versions).unwrap_or_default();
            let announced = Versions::read(&present.bytes).unwrap_or_default();
            let bytes = versions.highest(announced).bytes();
            match store(port, &self.versions, &bytes, present.revision) {
                Err(StoreError::Conflict) => {}
                stored => return stored,
            }
        }
        Err(StoreError::Conflict)
    }

    /// Stores hosts and their health in place of the health of version `before`.
    ///
    /// # Errors
    /// If another version is stored, or the environment refuses.
    pub(super) fn store_hosts(
        &self,
        port: &impl HealthPort,
        before: u64,
        versions: Versions,
        published: &Published,
    ) -> Stored {
        let SharedValue { bytes, revision } = port.shared(&self.hosts).unwrap_or_default();
        if PublishedHosts::read(bytes).map_or(0, |hosts| hosts.versions().1) != before {
            return Err(StoreError::Conflict);
        }
        let Published { hosts, health, .. } = published;
        let mut bytes = Vec::with_capacity(HEAD + hosts.len() + health.len());
        bytes.extend(versions.hosts.to_le_bytes());
        bytes.extend(versions.health.to_le_bytes());
        bytes.extend((hosts.len() as u64).to_le_bytes());
        bytes.extend(hosts);
        bytes.extend(health);
        store(port, &self.hosts, &bytes, revision)
    }

    /// Lets a poller without a setting of its own poll the metadata of the cluster.
    pub(super) fn want_metadata(&self, port: &impl HealthPort) {
        if !self.wants_metadata(port) {
            let _ = port.share(&self.wanted, &[1], None);
        }
    }

    /// Whether a worker needs the metadata.
    pub(super) fn wants_metadata(&self, port: &impl HealthPort) -> bool {
        port.shared(&self.wanted).is_some()
    }

    /// The last sign of life of the poller of all workers.
    pub(super) fn poller(&self, port: &impl HealthPort) -> Option<PollerSign> {
        let bytes = port.shared(&self.poller)?.bytes;
        let [stamp, interval] = numbers(&bytes)?;
        Some(PollerSign { stamp, interval })
    }

    /// Gives a sign of life: this plugin polls for all workers, at this interval in nanoseconds. If
    /// that fails, workers poll by themselves.
    pub(super) fn sign(&self, port: &impl HealthPort, now: Now, interval: u64) {
        // Workers compare stamps, so two signs must differ even if the clock did not advance.
        let before = self.poller(port).map_or(0, |sign| sign.stamp);
        let stamp = now.at.max(before.saturating_add(1));
        let bytes = [stamp.to_le_bytes(), interval.to_le_bytes()].concat();
        let _ = port.share(&self.poller, &bytes, None);
    }
}

impl Piece {
    /// The version of the piece, and its data.
    pub(super) fn read(&self, port: &impl HealthPort) -> Option<(u64, Vec<u8>)> {
        let mut bytes = port.shared(&self.0)?.bytes;
        let version = version(&bytes)?;
        bytes.drain(..size_of::<u64>());
        Some((version, bytes))
    }

    /// Stores data in place of the version `before`.
    ///
    /// # Errors
    /// If another version is stored, or the environment refuses.
    pub(super) fn store(
        &self,
        port: &impl HealthPort,
        before: u64,
        after: u64,
        data: &[u8],
    ) -> Stored {
        let SharedValue { bytes, revision } = port.shared(&self.0).unwrap_or_default();
        if version(&bytes).unwrap_or(0) != before {
            return Err(StoreError::Conflict);
        }
        let bytes = [&after.to_le_bytes(), data].concat();
        store(port, &self.0, &bytes, revision)
    }
}

impl Versions {
    /// The fields, in their order in shared data.
    const fn fields(&mut self) -> [&mut u64; 8] {
        [
            &mut self.hosts,
            &mut self.health,
            &mut self.active,
            &mut self.assignment,
            &mut self.polled_at,
            &mut self.metadata_at,
            &mut self.metadata_interval,
            &mut self.described,
        ]
    }

    fn numbers(mut self) -> [u64; 8] {
        self.fields().map(|field| *field)
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        let mut versions = Self::default();
        let found: [u64; 8] = numbers(bytes)?;
        for (field, number) in versions.fields().into_iter().zip(found) {
            *field = number;
        }
        Some(versions)
    }

    fn bytes(self) -> Vec<u8> {
        let numbers = self.numbers();
        numbers.iter().flat_map(|n| n.to_le_bytes()).collect()
    }

    /// The higher version of each piece.
    pub(super) fn highest(mut self, other: Self) -> Self {
        for (field, other) in self.fields().into_iter().zip(other.numbers()) {
            *field = other.max(*field);
        }
        self
    }

    /// A version higher than all others.
    pub(super) fn next(self, now: Now) -> u64 {
        let times = Self {
            metadata_interval: 0,
            ..self
        };
        let newest = times.numbers().into_iter().max().unwrap_or(0);
        now.at.max(newest.saturating_add(1))
    }
}

impl PublishedHosts {
    fn read(bytes: Vec<u8>) -> Option<Self> {
        let [_, _, length] = numbers(&bytes)?;
        let rest = bytes.len().checked_sub(HEAD)?;
        let length = usize::try_from(length)
            .ok()
            .filter(|length| *length <= rest)?;
        Some(Self {
            split: HEAD + length,
            bytes,
        })
    }

    /// The versions of the hosts and of their health.
    pub(super) fn versions(&self) -> (u64, u64) {
        let [hosts, health] = numbers(&self.bytes).unwrap_or_default();
        (hosts, health)
    }

    /// The hosts.
    pub(super) fn hosts(&self) -> &[u8] {
        self.bytes.get(HEAD..self.split).unwrap_or_default()
    }

    /// Their health.
    pub(super) fn health(&self) -> &[u8] {
        self.bytes.get(self.split..).unwrap_or_default()
    }
}

/// The first numbers of a piece.
fn numbers<const N: usize>(bytes: &[u8]) -> Option<[u64; N]> {
    let (numbers, _) = bytes.as_chunks();
    let mut found = [0; N];
    for (at, number) in found.iter_mut().enumerate() {
        *number = u64::from_le_bytes(*numbers.get(at)?);
    }
    Some(found)
}

fn version(bytes: &[u8]) -> Option<u64> {
    numbers(bytes).map(|[version]| version)
}

/// Stores a value in place of that revision; 0 if the key does not exist.
fn store(port: &impl HealthPort, key: &str, value: &[u8], revision: u32) -> Stored {
    // Without a value there is no revision to replace: two pollers would overwrite each other.
    let (value, revision, stored) = match revision {
        0 => (&[][..], None, Err(StoreError::Conflict)),
        revision => (value, Some(revision), Ok(())),
    };
    match port.share(key, value, revision) {
        ShareOutcome::Stored => stored,
        ShareOutcome::Conflict => Err(StoreError::Conflict),
        ShareOutcome::Refused => Err(StoreError::Refused),
    }
}
