//! The numbers that a choice follows from: residues, table entries, turns and active requests.
//!
//! They are for sentences. A step has them in addition to its figures, so that a reader can repeat the
//! choice.

use alloc::vec::Vec;

use crate::snapshot::HostRef;

/// The origin of a number that chooses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberSource {
    /// The request hash.
    RequestHash,
    /// The session key.
    SessionKey,
    /// A random number.
    Random,
}

/// The numbers that choose a locality.
#[derive(Debug, Clone, PartialEq)]
pub enum LocalityNumbers {
    /// No number takes part.
    None,
    /// A turn of the schedule of localities.
    Turn {
        /// The effective weight of the chosen locality.
        weight: f64,
        /// The sum of all effective weights.
        total: f64,
    },
    /// Zone-aware routing.
    Zone(ZoneNumbers),
}

/// The numbers of zone-aware routing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ZoneNumbers {
    /// The share of the local zone in the local cluster, whose hosts are the callers, in ten-thousandths.
    pub callers: u64,
    /// The share of the local zone in the healthy hosts, in ten-thousandths.
    pub hosts: u64,
    /// The percentage of requests with zone-aware routing (`routing_enabled`).
    pub enabled: u32,
    /// The random number modulo 100 that is compared with it; `None` if no number decides.
    pub enabled_roll: Option<u64>,
    /// The share of the requests that stays in the local zone, in ten-thousandths, and the random
    /// number modulo 10,000; `None` if no number decides.
    pub local: Option<(u64, u64)>,
    /// The choice among the other zones, if a number makes it.
    pub other: Option<OtherZone>,
}

/// The choice of another zone than the local one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OtherZone {
    /// The random number modulo [`OtherZone::whole`].
    pub roll: u64,
    /// The residual capacity of all zones in ten-thousandths; the number of zones if none has any.
    pub whole: u64,
    /// The first number of the chosen zone.
    pub from: u64,
    /// The end of its numbers, exclusive.
    pub to: u64,
    /// Whether residual capacity counts; otherwise each zone has one number.
    pub by_capacity: bool,
}

/// The numbers that choose a host.
#[derive(Debug, Clone, PartialEq)]
pub enum HostNumbers {
    /// No number takes part, or another draw has replaced a host with too many sessions.
    None,
    /// The first ring entry at or after the hash, then `further` entries on.
    Ring {
        /// The hash.
        hash: u64,
        /// The index of the first entry at or after the hash, around the ring.
        entry: usize,
        /// The hash of that entry.
        entry_hash: u64,
        /// The number of entries.
        entries: usize,
        /// The number of entries that a repeated choice moves on.
        further: u32,
        /// The host of the ring, if bounded load passes it over.
        overloaded: Option<OverloadedHost>,
    },
    /// The slot of a Maglev table.
    Maglev {
        /// The slot.
        slot: u64,
        /// The number of slots.
        slots: u64,
        /// Whether a repeated choice has changed the hash.
        is_changed: bool,
        /// The host of the slot, if bounded load passes it over.
        overloaded: Option<OverloadedHost>,
    },
    /// The rank of a host in rendezvous hashing, from 0.
    Rank {
        /// The number of higher scores.
        rank: u32,
        /// The host with that score, if bounded load passes it over.
        overloaded: Option<OverloadedHost>,
    },
    /// A random number modulo the number of hosts: the place in the host list, from 0.
    Residue(u64),
    /// The round-robin counter modulo the number of hosts: the place in the host list, from 0.
    Counter(u64),
    /// A turn of the schedule of hosts.
    Turn {
        /// The weight with which the host gets its next turn.
        weight: f64,
        /// The sum of these weights of all hosts.
        total: f64,
    },
    /// The fewest active requests of random hosts, in the order of their draws.
    FewestOfSome(Vec<(HostRef, u32)>),
    /// The fewest active requests of all hosts.
    FewestOfAll {
        /// The number of active requests of the host.
        active: u32,
        /// The number of hosts with as many, including the chosen one.
        equal: usize,
    },
}

/// A host that bounded load passes over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OverloadedHost {
    /// The host.
    pub host: HostRef,
    /// Its active requests.
    pub active: u32,
    /// The active requests that it may have.
    pub slots: u32,
}
