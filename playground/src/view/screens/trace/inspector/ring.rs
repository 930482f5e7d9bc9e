//! The ring of `RING_HASH`: arcs of hosts, and the position of the request.

use spillgate_core::{pick::Ring, snapshot::HostRef};

use super::table::{TableShare, shares};

/// The number of entries shown before and after that of the request.
const NEAR: usize = 5;

/// The maximum number of drawn arcs.
const MOST_ARCS: usize = 2_000;

/// The number of 64-bit hashes.
const ALL: f64 = 18_446_744_073_709_551_616.0;

/// A ring around the hash of a request.
#[derive(Debug, Clone, PartialEq)]
pub struct RingView {
    /// The number of entries.
    pub entries: usize,
    /// The position of the hash on the circle, from 0 to 1.
    pub position: f64,
    /// The entry of the request with the entries around it, in ring order.
    pub near: Vec<NearEntry>,
    /// The arcs of the selected host.
    pub arcs: Vec<RingArc>,
    /// The hosts of the ring.
    pub hosts: Vec<TableShare>,
}

/// An entry near the request.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NearEntry {
    /// Its host.
    pub host: HostRef,
    /// Its hash: the end of its arc.
    pub hash: u64,
    /// The percentage of all hashes on its arc.
    pub percent: f64,
    /// Whether the request is on its arc.
    pub is_of_request: bool,
}

/// An arc on the circle, in turns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RingArc {
    /// Its start.
    pub from: f64,
    /// Its length.
    pub length: f64,
}

impl RingView {
    pub(super) fn new(
        ring: &Ring,
        hash: u64,
        any: HostRef,
        inspected: Option<HostRef>,
    ) -> Option<Self> {
        let entries = ring.entries();
        let at = ring.entry_at(hash)?;
        let lengths: Vec<(usize, f64)> = ring
            .arcs()
            .map(|(host, arc)| (host, arc as f64 / ALL))
            .collect();
        let first = (at + entries.len()).checked_sub(NEAR.min(entries.len() / 2))?;
        let count = entries.len().min(2 * NEAR + 1);
        let near = (first..first + count).filter_map(|index| {
            let index = index.checked_rem(entries.len())?;
            let entry = entries.get(index)?;
            Some(NearEntry {
                host: HostRef {
                    host: entry.host,
                    ..any
                },
                hash: entry.hash,
                percent: lengths.get(index)?.1 * 100.0,
                is_of_request: index == at,
            })
        });
        let own = inspected.filter(|host| HostRef { host: 0, ..*host } == any);
        let arcs = entries.iter().zip(&lengths).filter_map(|(entry, arc)| {
            let (host, length) = *arc;
            (Some(host) == own.map(|own| own.host) && length > 0.0).then(|| RingArc {
                from: entry.hash as f64 / ALL - length,
                length,
            })
        });
        Some(Self {
            entries: entries.len(),
            position: hash as f64 / ALL,
            near: near.collect(),
            arcs: arcs.take(MOST_ARCS).collect(),
            hosts: shares(
                any,
                lengths.iter().map(|&(host, length)| (host, length * 100.0)),
            ),
        })
    }
}
