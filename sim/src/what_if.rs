//! The whole answer: before, after, and how far it is to worse.

use alloc::{sync::Arc, vec::Vec};

use spillgate_core::{
    shares::Distribution,
    snapshot::{HostRef, Snapshot},
};

use crate::{Knee, LoadState, Overload, Scene, knees, overload};

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
    pub before: LoadState,
    /// What it does after.
    pub after: LoadState,
    /// Where its requests went before.
    pub shares_before: Distribution,
    /// Where they go after.
    pub shares_after: Distribution,
    /// What it does when 0, 1, 2, ... of the swept hosts are lost, in the order of
    /// [`Scene::loss_order`]; lost hosts that are not swept are lost throughout.
    pub sweep: Arc<[LoadState]>,
    /// Where effects begin in the sweep.
    pub knees: Vec<Knee>,
    /// How many more of the swept hosts must be lost until a priority with load is in panic mode; 0
    /// if one is already, `None` if none ever is.
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
        let sweep: Arc<[LoadState]> = self.sweep(&without(&lost, &swept), &swept).collect();
        self.answer(lost, swept, sweep)
    }

    /// The same answer for another loss. Where it loses the same hosts outside of the sweep, the
    /// sweep, which is most of the work, is not done again.
    #[must_use]
    pub fn instead(&self, answer: &WhatIf, lost: &[HostRef]) -> WhatIf {
        let lost = self.in_order(lost);
        if without(&lost, &answer.swept) != without(&answer.lost, &answer.swept) {
            return self.what_if(&lost, &answer.swept);
        }
        self.answer(lost, answer.swept.clone(), Arc::clone(&answer.sweep))
    }

    fn answer(&self, lost: Vec<HostRef>, swept: Vec<HostRef>, sweep: Arc<[LoadState]>) -> WhatIf {
        let snapshot = self.without(&lost);
        let shares_before = self.shares(self.snapshot());
        let shares_after = self.shares(&snapshot);
        let panics = |state: &LoadState| state.panicking() > 0;
        let panic_margin = if self.first_lost(&swept, lost.len()) == lost {
            // The further losses are the rest of the sweep.
            sweep.iter().skip(lost.len()).position(panics)
        } else {
            let further = without(&swept, &lost);
            self.sweep(&lost, &further).position(|state| panics(&state))
        };
        WhatIf {
            knees: knees(&sweep),
            panic_margin,
            overload: overload(&shares_before, &shares_after, &lost),
            before: self.look(self.snapshot()),
            after: self.look(&snapshot),
            lost,
            swept,
            snapshot,
            shares_before,
            shares_after,
            sweep,
        }
    }
}

/// Those of sorted hosts that are not among others, which are sorted too.
fn without(hosts: &[HostRef], others: &[HostRef]) -> Vec<HostRef> {
    let stays = |host: &&HostRef| others.binary_search(host).is_err();
    hosts.iter().filter(stays).copied().collect()
}
