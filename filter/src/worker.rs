//! What a worker keeps between requests.

use crate::active::Active;
use crate::counters::Decisions;
use crate::entropy;
use crate::plugin::Plugin;
use crate::route::Routes;
use spillgate_core::decide::{ClusterChoice, Decision, Request, State, decide};
use spillgate_core::draw::{Draw, SplitMix64};
use spillgate_core::model::Metadata;
use spillgate_core::route::{Connection, Headers, request_hash};
use spillgate_core::snapshot::{ClusterId, Snapshot};
use spillgate_core::trace::Step;

/// Turns, draws, counts and counters of one worker, for what serves now.
pub(crate) struct Worker {
    state: State,
    draws: SplitMix64,
    /// Requests in flight.
    pub(crate) active: Active,
    /// Routes that were seen.
    pub(crate) routes: Routes,
    /// What was counted under this configuration.
    pub(crate) counters: Decisions,
}

impl Worker {
    /// A worker that begins.
    pub(crate) fn new(snapshot: &Snapshot, reported_active: bool) -> Self {
        let mut draws = entropy::seeded_draws();
        Self {
            state: State::new(snapshot, &mut draws),
            draws,
            active: Active::new(snapshot, reported_active),
            routes: Routes::default(),
            counters: Decisions::default(),
        }
    }

    /// Goes on under a new configuration: clusters that are in both keep their turns. The counters
    /// start over, because the numbers of clusters mean something else now; the host adds them up
    /// by name.
    pub(crate) fn reconfigured(&mut self, old: &Snapshot, new: &Snapshot, reported_active: bool) {
        self.carry_over(old, new);
        let active = std::mem::take(&mut self.active);
        self.active = active.carried_over(old, new, reported_active);
        self.counters = Decisions::default();
    }

    /// Goes on after hosts came or went.
    pub(crate) fn regrouped(&mut self, old: &Snapshot, new: &Snapshot) {
        self.carry_over(old, new);
        let active = std::mem::take(&mut self.active);
        self.active = active.regrouped(old, new);
    }

    /// Goes on after hosts have changed their health.
    pub(crate) fn carry_over(&mut self, old: &Snapshot, new: &Snapshot) {
        let state = std::mem::take(&mut self.state);
        self.state = state.carried_over(old, new, &mut self.draws);
    }

    /// A random number.
    pub(crate) fn draw(&mut self) -> u64 {
        self.draws.draw()
    }

    /// The cluster that a request is balanced over.
    pub(crate) fn target<H: Headers>(&mut self, plugin: &Plugin, headers: &H) -> Option<ClusterId> {
        let hash = || match plugin.cluster_choice {
            ClusterChoice::Random => None,
            ClusterChoice::Hash => {
                request_hash(&plugin.hash_policies, headers, &Connection::default())
            }
        };
        plugin.targets.of(headers, hash, || self.draws.draw())
    }

    /// Decides where a first attempt goes, and counts it. Retries are Envoy's: it walks the list.
    pub(crate) fn decide<H: Headers>(
        &mut self,
        plugin: &Plugin,
        snapshot: &Snapshot,
        (cluster, criteria): (ClusterId, &Metadata),
        headers: &H,
        steps: &mut Option<Vec<Step>>,
    ) -> Decision {
        let request = Request {
            hash_policies: &plugin.hash_policies,
            criteria,
            cluster_choice: plugin.cluster_choice,
            hosts: &self.active,
            ..Request::new(cluster, headers)
        };
        let decision = decide(snapshot, &mut self.state, &request, &mut self.draws, steps);
        self.counters.decided(snapshot, &decision);
        decision
    }
}
