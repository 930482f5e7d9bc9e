//! The whole answer: before, after, and how far it is to worse.

use alloc::vec::Vec;

use spillgate_core::snapshot::{Distribution, HostRef, Snapshot};

use crate::{Knee, Overload, Scene, State, knees, overload};

/// What a loss does to a cluster.
#[derive(Debug, Clone)]
pub struct WhatIf {
    /// The hosts that are lost, in configuration order.
    pub lost: Vec<HostRef>,
    /// The hosts whose loss is swept, in configuration order.
    pub swept: Vec<HostRef>,
    /// All clusters without the lost hosts.
    pub snapshot: Snapshot,
    /// What the cluster did before.
    pub before: State,
    /// What it does after.
    pub after: State,
    /// Where its requests went before.
    pub shares_before: Distribution,
    /// Where they go after.
    pub shares_after: Distribution,
    /// What it does without the last 0, 1, 2, ... swept hosts; lost hosts that are not swept are
    /// gone throughout.
    pub sweep: Vec<State>,
    /// Where effects begin in the sweep.
    pub knees: Vec<Knee>,
    /// How many more of the swept hosts must be lost, the last first, until a level with load
    /// panics; 0 where one does already, `None` where none ever does.
    pub panic_margin: Option<usize>,
    /// The host whose load grows most.
    pub overload: Option<Overload>,
}

impl Scene {
    /// What becomes of the cluster without these hosts, and when those of a selection go one by
    /// one.
    #[must_use]
    pub fn what_if(&self, lost: &[HostRef], swept: &[HostRef]) -> WhatIf {
        let (lost, swept) = (self.in_order(lost), self.in_order(swept));
        let without = |list: &[HostRef], others: &[HostRef]| -> Vec<HostRef> {
            let stays = |host: &&HostRef| others.binary_search(host).is_err();
            list.iter().filter(stays).copied().collect()
        };
        let snapshot = self.without(&lost);
        let (before, shares_before) = self.look(self.snapshot());
        let (after, shares_after) = self.look(&snapshot);
        let sweep: Vec<State> = self.sweep(&without(&lost, &swept), &swept).collect();
        let further = without(&swept, &lost);
        let panic_margin = self
            .sweep(&lost, &further)
            .position(|state| state.panicking() > 0);
        WhatIf {
            knees: knees(&sweep),
            panic_margin,
            overload: overload(&shares_before, &shares_after, &lost),
            lost,
            swept,
            snapshot,
            before,
            after,
            shares_before,
            shares_after,
            sweep,
        }
    }
}
