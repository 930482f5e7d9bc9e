//! What a worker keeps between requests.

use crate::counters::Counters;
use crate::entropy;
use crate::plugin::Plugin;
use spillgate_core::decide::{Decision, Request, State, decide};
use spillgate_core::draw::SplitMix64;
use spillgate_core::route::Headers;
use spillgate_core::snapshot::{ClusterId, Snapshot};
use spillgate_core::trace::Step;

/// Turns, draws and counters of one worker, for the configuration that serves.
pub(crate) struct Worker {
    state: State,
    draws: SplitMix64,
    /// What was counted under this configuration.
    pub(crate) counters: Counters,
}

impl Worker {
    /// A worker that begins.
    pub(crate) fn new(snapshot: &Snapshot) -> Self {
        let mut draws = entropy::seeded_draws();
        Self {
            state: State::new(snapshot, &mut draws),
            draws,
            counters: Counters::default(),
        }
    }

    /// Goes on under a new snapshot: clusters that are in both keep their turns. The counters start
    /// over, because the numbers of clusters mean something else now; the host adds them up by name.
    pub(crate) fn carry_over(&mut self, old: &Snapshot, new: &Snapshot) {
        let state = std::mem::take(&mut self.state);
        self.state = state.carried_over(old, new, &mut self.draws);
        self.counters = Counters::default();
    }

    /// Decides where a first attempt goes, and counts it. Retries are Envoy's: it walks the list.
    pub(crate) fn decide<H: Headers>(
        &mut self,
        plugin: &Plugin,
        cluster: ClusterId,
        headers: &H,
        steps: &mut Option<Vec<Step>>,
    ) -> Decision {
        let request = Request {
            hash_policies: &plugin.hash_policies,
            ..Request::new(cluster, headers)
        };
        let decision = decide(
            &plugin.snapshot,
            &mut self.state,
            &request,
            &mut self.draws,
            steps,
        );
        self.counters.decision(&plugin.snapshot, &decision);
        decision
    }
}
