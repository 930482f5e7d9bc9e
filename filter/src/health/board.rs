//! Where pollers publish and workers look: shared data, in three pieces for each cluster.
//!
//! The first piece is short and tells what the others are about, so that a worker who finds it
//! unchanged has read forty bytes.

use crate::host;

/// What is known of a cluster, told by one admin.
pub(super) struct Board {
    versions: String,
    hosts: String,
    active: String,
    assignment: String,
}

/// Which edition of each piece is out. An edition is named by the time it was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Versions {
    /// Who the hosts are.
    pub(super) hosts: u64,
    /// How they are.
    pub(super) health: u64,
    /// Their requests in flight.
    pub(super) active: u64,
    /// Their endpoints' metadata; 0 where nobody asks for it.
    pub(super) assignment: u64,
    /// When the admin last answered: nanoseconds since the epoch.
    pub(super) polled_at: u64,
}

/// Hosts and their health, and which editions they are.
pub(super) struct Hosts {
    bytes: Vec<u8>,
    split: usize,
}

/// The two editions and the length of the first part.
const HEAD: usize = 24;

impl Board {
    /// The place of a cluster.
    pub(super) fn of(admin: &str, cluster: &str) -> Self {
        let key = |piece: &str| format!("spillgate.{piece}.{admin}/{cluster}");
        Self {
            versions: key("versions"),
            hosts: key("hosts"),
            active: key("active"),
            assignment: key("assignment"),
        }
    }

    pub(super) fn versions(&self) -> Option<Versions> {
        let bytes = host::shared_data(&self.versions)?;
        let (numbers, _) = bytes.as_chunks();
        let mut numbers = numbers.iter().map(|number| u64::from_le_bytes(*number));
        Some(Versions {
            hosts: numbers.next()?,
            health: numbers.next()?,
            active: numbers.next()?,
            assignment: numbers.next()?,
            polled_at: numbers.next()?,
        })
    }

    pub(super) fn hosts(&self) -> Option<Hosts> {
        Hosts::read(host::shared_data(&self.hosts)?)
    }

    pub(super) fn active(&self) -> Option<Vec<u8>> {
        host::shared_data(&self.active)
    }

    pub(super) fn assignment(&self) -> Option<Vec<u8>> {
        host::shared_data(&self.assignment)
    }

    /// Says which editions are out; last, when they are.
    pub(super) fn publish(&self, versions: Versions) -> bool {
        let Versions {
            hosts,
            health,
            active,
            assignment,
            polled_at,
        } = versions;
        let numbers = [hosts, health, active, assignment, polled_at];
        let bytes: Vec<u8> = numbers.iter().flat_map(|n| n.to_le_bytes()).collect();
        host::share(&self.versions, &bytes)
    }

    pub(super) fn publish_hosts(&self, versions: Versions, hosts: &[u8], health: &[u8]) -> bool {
        let mut bytes = Vec::with_capacity(HEAD + hosts.len() + health.len());
        bytes.extend(versions.hosts.to_le_bytes());
        bytes.extend(versions.health.to_le_bytes());
        bytes.extend((hosts.len() as u64).to_le_bytes());
        bytes.extend(hosts);
        bytes.extend(health);
        host::share(&self.hosts, &bytes)
    }

    pub(super) fn publish_active(&self, active: &[u8]) -> bool {
        host::share(&self.active, active)
    }

    pub(super) fn publish_assignment(&self, json: &str) -> bool {
        host::share(&self.assignment, json.as_bytes())
    }
}

impl Hosts {
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

    /// The editions: of who they are and of how they are.
    pub(super) fn versions(&self) -> (u64, u64) {
        let (numbers, _) = self.bytes.as_chunks();
        let number = |at: usize| numbers.get(at).map_or(0, |n| u64::from_le_bytes(*n));
        (number(0), number(1))
    }

    /// Who they are.
    pub(super) fn hosts(&self) -> &[u8] {
        self.bytes.get(HEAD..self.split).unwrap_or_default()
    }

    /// How they are.
    pub(super) fn health(&self) -> &[u8] {
        self.bytes.get(self.split..).unwrap_or_default()
    }
}
