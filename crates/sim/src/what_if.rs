//! The effects of a loss: before, after, and the margins to worse effects.

use alloc::{sync::Arc, vec, vec::Vec};

use spillgate_core::{
    shares::Distribution,
    snapshot::{HostRef, Snapshot},
};

use crate::{LoadState, Onset, Overload, Scene, adjust::kept_host, onsets, overload};

/// The effects of a loss on a cluster.
#[derive(Debug, Clone)]
pub struct WhatIf {
    /// The lost hosts, in configuration order.
    pub lost: Vec<HostRef>,
    /// The swept hosts that are usable, in configuration order.
    pub swept: Vec<HostRef>,
    /// All clusters without the lost hosts.
    pub snapshot: Snapshot,
    /// The loads before. The states have the same rows ([`LoadState::align`]).
    pub before: LoadState,
    /// The loads after.
    pub after: LoadState,
    /// The shares of the hosts before.
    pub shares_before: Distribution,
    /// The shares of the hosts after.
    pub shares_after: Distribution,
    /// The loads after losing 0, 1, 2, ... of the swept hosts, in the order of
    /// [`Scene::loss_order`]. Lost hosts that are not swept are lost in every entry.
    pub sweep: Arc<[LoadState]>,
    /// The first loss of the sweep with each effect.
    pub onsets: Vec<Onset>,
    /// The smallest number of further lost hosts, of the swept ones, that puts a priority with load
    /// into panic mode; 0 if one is already, `None` if none ever is.
    pub panic_margin: Option<usize>,
    /// The host whose share grows most; `None` if no surviving host had a share.
    pub overload: Option<Overload>,
}

/// What a loss is compared with.
struct Baseline {
    state: LoadState,
    /// The shares, by the hosts of the configuration after a change.
    shares: Distribution,
    snapshot: Snapshot,
}

impl Scene {
    /// Evaluates the loss of `lost`, and a sweep over `swept`.
    #[must_use]
    pub fn what_if(&self, lost: &[HostRef], swept: &[HostRef]) -> WhatIf {
        let lost = self.in_order(lost);
        let swept = self.first_lost(swept, swept.len());
        self.evaluate(lost, swept, self.baseline())
    }

    /// As [`Scene::what_if`], in comparison with the same cluster before a change of its configuration:
    /// its states and shares before are those of `before`.
    #[must_use]
    pub fn what_if_since(&self, before: &Self, lost: &[HostRef], swept: &[HostRef]) -> WhatIf {
        let lost = self.in_order(lost);
        let swept = self.first_lost(swept, swept.len());
        let mut baseline = before.baseline();
        for share in &mut baseline.shares.shares {
            if let Some(host) = kept_host(before.snapshot(), self.snapshot(), share.host_ref()) {
                share.host = host.host;
            }
        }
        self.evaluate(lost, swept, baseline)
    }

    fn evaluate(&self, lost: Vec<HostRef>, swept: Vec<HostRef>, baseline: Baseline) -> WhatIf {
        let sweep: Arc<[LoadState]> = self.sweep(&without(&lost, &swept), &swept).collect();
        self.answer(lost, swept, sweep, baseline)
    }

    fn baseline(&self) -> Baseline {
        Baseline {
            state: self.load_state(self.snapshot()),
            shares: self.shares(self.snapshot()),
            snapshot: self.snapshot().clone(),
        }
    }

    /// Evaluates another loss with the same swept hosts. Reuses the sweep, which is most of the
    /// work, if the lost hosts outside of it are the same.
    #[must_use]
    pub fn what_if_again(&self, answer: &WhatIf, lost: &[HostRef]) -> WhatIf {
        let lost = self.in_order(lost);
        if without(&lost, &answer.swept) != without(&answer.lost, &answer.swept) {
            return self.what_if(&lost, &answer.swept);
        }
        self.answer(
            lost,
            answer.swept.clone(),
            Arc::clone(&answer.sweep),
            Baseline {
                shares: answer.shares_before.clone(),
                state: self.load_state(self.snapshot()),
                snapshot: self.snapshot().clone(),
            },
        )
    }

    fn answer(
        &self,
        lost: Vec<HostRef>,
        swept: Vec<HostRef>,
        sweep: Arc<[LoadState]>,
        baseline: Baseline,
    ) -> WhatIf {
        let snapshot = self.without(&lost);
        let shares_after = self.shares(&snapshot);
        let panics = |state: &LoadState| state.panicking() > 0;
        // In the usual case the lost hosts are the first of the sweep, which already has the answer.
        let panic_margin = if self.first_lost(&swept, lost.len()) == lost {
            // The further losses are the rest of the sweep.
            sweep.iter().skip(lost.len()).position(panics)
        } else {
            let further = without(&swept, &lost);
            self.sweep(&lost, &further).position(|state| panics(&state))
        };
        let mut before = baseline.state;
        let mut after = self.load_state(&snapshot);
        let mut sweep = sweep;
        if self.is_composite() {
            let mut all = vec![before, after];
            all.extend(sweep.iter().cloned());
            LoadState::align(&mut all);
            let mut all = all.into_iter();
            before = all.next().unwrap_or_default();
            after = all.next().unwrap_or_default();
            sweep = all.collect();
            count_idle(&mut before, &baseline.snapshot);
            count_idle(&mut after, &snapshot);
        }
        WhatIf {
            onsets: onsets(&sweep),
            panic_margin,
            overload: overload(&baseline.shares, &shares_after, &lost),
            before,
            after,
            lost,
            swept,
            snapshot,
            shares_before: baseline.shares,
            shares_after,
            sweep,
        }
    }
}

/// Counts the hosts of priorities without load, whose members do not serve.
fn count_idle(state: &mut LoadState, snapshot: &Snapshot) {
    for row in &mut state.priorities {
        let plain = snapshot.plain(row.at.cluster);
        let counted = plain.and_then(|plain| plain.whole.priorities.get(row.at.priority));
        if let Some(counted) = counted.filter(|_| row.load() == 0) {
            row.health = counted.health;
        }
    }
}

/// The hosts that are not in `others`; both lists are sorted.
fn without(hosts: &[HostRef], others: &[HostRef]) -> Vec<HostRef> {
    let stays = |host: &&HostRef| others.binary_search(host).is_err();
    hosts.iter().filter(stays).copied().collect()
}
