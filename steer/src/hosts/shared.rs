//! The state of hosts that pollers publish and workers read: shared data, in four pieces per
//! cluster.
//!
//! The first piece holds the versions of the others, so that a worker reads only 56 bytes if
//! nothing has changed.

use alloc::{format, string::String, vec::Vec};

use spillgate_config::clusters::Published;

use crate::port::HealthPort;

/// The keys of a cluster's state, as one admin interface reports it.
pub(super) struct SharedHostState {
    versions: String,
    hosts: String,
    /// Active requests, as [`Published`] encodes them.
    pub(super) active: String,
    /// The metadata of endpoints, as JSON.
    pub(super) assignment: String,
}

/// The published version of each piece: when it last changed, in nanoseconds since the Unix epoch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Versions {
    /// The hosts: addresses, priorities, weights, localities.
    pub(super) hosts: u64,
    /// Their health.
    pub(super) health: u64,
    /// Their active requests.
    pub(super) active: u64,
    /// The metadata of their endpoints; 0 if it is not polled.
    pub(super) assignment: u64,
    /// When the admin last responded: nanoseconds since the Unix epoch.
    pub(super) polled_at: u64,
    /// When the last query that returned the metadata was sent: nanoseconds since the Unix epoch; 0
    /// before the first.
    pub(super) metadata_at: u64,
    /// How often the metadata are polled: nanoseconds.
    pub(super) metadata_interval: u64,
}

/// Hosts and their health, with the versions of both.
pub(super) struct PublishedHosts {
    bytes: Vec<u8>,
    split: usize,
}

/// The outcome of storing a piece; an error is the reason in words.
type Stored = Result<(), &'static str>;

/// The length of the header in bytes: two versions, and the length of the hosts.
const HEAD: usize = 24;

impl SharedHostState {
    /// The state of a cluster.
    pub(super) fn of(admin: &str, cluster: &str) -> Self {
        let key = |piece: &str| format!("spillgate.{piece}.{admin}/{cluster}");
        Self {
            versions: key("versions"),
            hosts: key("hosts"),
            active: key("active"),
            assignment: key("assignment"),
        }
    }

    pub(super) fn versions(&self, port: &impl HealthPort) -> Option<Versions> {
        let bytes = port.shared(&self.versions)?;
        let (numbers, _) = bytes.as_chunks();
        let mut numbers = numbers.iter().map(|number| u64::from_le_bytes(*number));
        Some(Versions {
            hosts: numbers.next()?,
            health: numbers.next()?,
            active: numbers.next()?,
            assignment: numbers.next()?,
            polled_at: numbers.next()?,
            metadata_at: numbers.next()?,
            metadata_interval: numbers.next()?,
        })
    }

    pub(super) fn hosts(&self, port: &impl HealthPort) -> Option<PublishedHosts> {
        PublishedHosts::read(port.shared(&self.hosts)?)
    }

    /// Announces versions, after their pieces are stored.
    ///
    /// # Errors
    /// If the environment refuses to store shared data. The same applies to every piece.
    pub(super) fn announce(&self, port: &impl HealthPort, versions: Versions) -> Stored {
        let Versions {
            hosts,
            health,
            active,
            assignment,
            polled_at,
            metadata_at,
            metadata_interval,
        } = versions;
        let numbers = [
            hosts,
            health,
            active,
            assignment,
            polled_at,
            metadata_at,
            metadata_interval,
        ];
        let bytes: Vec<u8> = numbers.iter().flat_map(|n| n.to_le_bytes()).collect();
        store(port, &self.versions, &bytes)
    }

    /// Stores hosts and their health.
    pub(super) fn store_hosts(
        &self,
        port: &impl HealthPort,
        versions: Versions,
        published: &Published,
    ) -> Stored {
        let Published { hosts, health, .. } = published;
        let mut bytes = Vec::with_capacity(HEAD + hosts.len() + health.len());
        bytes.extend(versions.hosts.to_le_bytes());
        bytes.extend(versions.health.to_le_bytes());
        bytes.extend((hosts.len() as u64).to_le_bytes());
        bytes.extend(hosts);
        bytes.extend(health);
        store(port, &self.hosts, &bytes)
    }
}

/// Stores a piece.
pub(super) fn store(port: &impl HealthPort, key: &str, value: &[u8]) -> Stored {
    match port.share(key, value) {
        true => Ok(()),
        false => Err("cannot write shared data"),
    }
}

impl PublishedHosts {
    fn read(bytes: Vec<u8>) -> Option<Self> {
        let (head, rest) = bytes.split_at_checked(HEAD)?;
        let (numbers, _) = head.as_chunks();
        let length = u64::from_le_bytes(*numbers.get(2)?);
        let length = usize::try_from(length)
            .ok()
            .filter(|length| *length <= rest.len())?;
        Some(Self {
            split: HEAD + length,
            bytes,
        })
    }

    /// The versions of the hosts and of their health.
    pub(super) fn versions(&self) -> (u64, u64) {
        let (numbers, _) = self.bytes.as_chunks();
        let number = |at: usize| numbers.get(at).map_or(0, |n| u64::from_le_bytes(*n));
        (number(0), number(1))
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
