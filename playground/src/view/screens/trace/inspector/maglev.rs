//! The Maglev table: the slots around that of the request.

use spillgate_core::{pick::MaglevTable, snapshot::HostRef};

use super::table::{TableShare, shares};

/// The number of slots shown before and after that of the request.
const NEAR: usize = 7;

/// A Maglev table around the slot of a request.
#[derive(Debug, Clone, PartialEq)]
pub struct MaglevView {
    /// The number of slots.
    pub size: usize,
    /// The slot of the request.
    pub slot: usize,
    /// The slot with those around it.
    pub near: Vec<NearSlot>,
    /// The hosts of the table.
    pub hosts: Vec<TableShare>,
}

/// A slot near that of the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NearSlot {
    /// Its number.
    pub slot: usize,
    /// Its host.
    pub host: HostRef,
}

impl MaglevView {
    pub(super) fn new(table: &MaglevTable, hash: u64, any: HostRef) -> Option<Self> {
        let slots = table.slots();
        let slot = table.slot_of(hash)?;
        let of = |host: u32| HostRef {
            host: host as usize,
            ..any
        };
        let first = slot.saturating_sub(NEAR);
        let near = slots.iter().enumerate().skip(first).take(2 * NEAR + 1);
        let each = 100.0 / slots.len() as f64;
        Some(Self {
            size: slots.len(),
            slot,
            near: near
                .map(|(slot, &host)| NearSlot {
                    slot,
                    host: of(host),
                })
                .collect(),
            hosts: shares(any, slots.iter().map(|&host| (host as usize, each))),
        })
    }
}
