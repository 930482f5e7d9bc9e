//! The hash table of the chosen priority.

use spillgate_core::{
    decide::{Decision, Reason},
    snapshot::{HashTable, HostRef, TableKind},
};

use super::{MaglevView, RingView, set_of};
use crate::view::screens::trace::TraceStage;

/// The table that served a decision.
pub(super) struct ServedTable<'a> {
    table: &'a HashTable,
    /// The hash of the request.
    hash: u64,
    /// A host of the priority.
    any: HostRef,
}

impl<'a> ServedTable<'a> {
    /// `None` if the policy has no hash table, or a session chose the host.
    pub(super) fn new(stage: &'a TraceStage, decision: &Decision) -> Option<Self> {
        let priority = decision.priority?;
        let plain = stage.snapshot.plain(priority.owner)?;
        let set = plain.set(set_of(decision))?;
        let table = set.priorities.get(priority.number)?.table.as_ref()?;
        Some(Self {
            table,
            hash: decision.hash,
            any: HostRef {
                cluster: priority.owner,
                priority: priority.number,
                host: 0,
            },
        })
        .filter(|_| decision.reason != Reason::Session)
    }

    pub(super) fn ring(&self, inspected: Option<HostRef>) -> Option<RingView> {
        match &self.table.kind {
            TableKind::Ring(ring) => RingView::new(ring, self.hash, self.any, inspected),
            TableKind::Maglev(_) | TableKind::Rendezvous(_) => None,
        }
    }

    pub(super) fn maglev(&self) -> Option<MaglevView> {
        match &self.table.kind {
            TableKind::Maglev(table) => MaglevView::new(table, self.hash, self.any),
            TableKind::Ring(_) | TableKind::Rendezvous(_) => None,
        }
    }
}
