//! What a worker keeps between requests.

use crate::active::Active;
use crate::counters::{Decisions, Sessions};
use crate::entropy;
use crate::plugin::Plugin;
use crate::route::Routes;
use crate::sessions::Affinity;
use spillgate_core::affinity::SessionShares;
use spillgate_core::decide::{self, ClusterChoice, Decision, HostStats, Request, State};
use spillgate_core::draw::{Draw, SplitMix64};
use spillgate_core::model::Metadata;
use spillgate_core::route::Headers;
use spillgate_core::snapshot::{ClusterId, HostRef, Snapshot};
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
    /// What became of sessions under it.
    pub(crate) sessions: Sessions,
    /// How many sessions each host got of late.
    shares: SessionShares,
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
            sessions: Sessions::default(),
            shares: SessionShares::default(),
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
        self.sessions = Sessions::default();
        self.shares.clear();
    }

    /// Goes on after hosts came or went.
    pub(crate) fn regrouped(&mut self, old: &Snapshot, new: &Snapshot) {
        self.carry_over(old, new);
        let active = std::mem::take(&mut self.active);
        self.active = active.regrouped(old, new);
        self.shares.clear();
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

    /// The cluster that a request is balanced over. `key` is its session's, where that decides.
    pub(crate) fn target<H: Headers>(
        &mut self,
        plugin: &Plugin,
        headers: &H,
        key: Option<u64>,
    ) -> Option<ClusterId> {
        let hash = || match (key, plugin.cluster_choice) {
            (Some(key), _) => Some(key),
            (None, ClusterChoice::Random) => None,
            (None, ClusterChoice::Hash) => plugin.hash(headers),
        };
        plugin.targets.of(headers, hash, || self.draws.draw())
    }

    /// Decides where a first attempt goes, and counts it. Retries are Envoy's: it walks the list.
    pub(crate) fn decide<H: Headers>(
        &mut self,
        plugin: &Plugin,
        snapshot: &Snapshot,
        (cluster, criteria): (ClusterId, &Metadata),
        (headers, sessions): (&H, Option<decide::Sessions<'_>>),
        steps: &mut Option<Vec<Step>>,
    ) -> Decision {
        let affinity = plugin.affinity.as_ref();
        let hosts = Hosts {
            active: &self.active,
            shares: &self.shares,
            max_share: affinity.and_then(Affinity::max_share),
        };
        let request = Request {
            hash_policies: &plugin.hash_policies,
            criteria,
            cluster_choice: plugin.cluster_choice,
            hosts: &hosts,
            sessions,
            ..Request::new(cluster, headers)
        };
        let (state, draws) = (&mut self.state, &mut self.draws);
        let decision = decide::decide(snapshot, state, &request, draws, steps);
        self.counters.decided(snapshot, &decision);
        decision
    }

    /// Counts a decision about a session, at a time in seconds.
    pub(crate) fn session_decided(&mut self, plugin: &Plugin, decision: &Decision, now: u64) {
        self.sessions.decided(decision);
        let affinity = plugin.affinity.as_ref();
        if let (Some(_), Some(host)) = (affinity.and_then(Affinity::max_share), decision.host_ref())
        {
            self.shares.count(host, now.saturating_mul(1_000));
        }
    }
}

/// What a worker knows of hosts.
struct Hosts<'a> {
    active: &'a Active,
    shares: &'a SessionShares,
    max_share: Option<u32>,
}

impl HostStats for Hosts<'_> {
    fn active(&self, host: HostRef) -> u32 {
        self.active.active(host)
    }

    fn cluster_active(&self, cluster: ClusterId) -> u32 {
        self.active.cluster_active(cluster)
    }

    fn is_hot(&self, host: HostRef) -> bool {
        self.max_share
            .is_some_and(|percent| self.shares.exceeds(host, percent))
    }
}
