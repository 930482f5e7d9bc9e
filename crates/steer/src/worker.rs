//! The state that a worker keeps between requests.

use alloc::vec::Vec;

use spillgate_config::filter::ActiveRequests;
use spillgate_core::{
    affinity::SessionShares,
    decide::{self, BalancerState, ClusterChoice, Decision, HostStats, Request},
    draw::{Draw, SplitMix64},
    route::Headers,
    snapshot::{ClusterId, HostRef, Snapshot},
    trace::Step,
};

use crate::{
    hosts::Active,
    metrics::{DecisionCounters, NotFollowedCounters, SessionCounters},
    port::{Plugin, TokenOutcome},
    session::{GuardedSession, RequestSession, SessionPolicy, SessionQuery, TokenMemory},
    settings::Settings,
};

/// The state of one worker, under the configuration that serves.
pub(crate) struct Worker {
    state: BalancerState,
    draws: SplitMix64,
    /// Active requests.
    pub(crate) active: Active,
    /// Counters of decisions under this configuration.
    pub(crate) decisions: DecisionCounters,
    /// Counters of sessions under this configuration.
    pub(crate) sessions: SessionCounters,
    /// Decisions without effect under this configuration.
    pub(crate) not_followed: NotFollowedCounters,
    /// How often hosts were added or removed.
    pub(crate) generation: u32,
    /// The recent session decisions of each host.
    shares: SessionShares,
    /// The recently used tokens.
    pub(crate) tokens: TokenMemory,
}

impl Worker {
    /// A new worker.
    pub(crate) fn new(plugin: &impl Plugin, snapshot: &Snapshot, source: ActiveRequests) -> Self {
        let mut draws = seeded(plugin);
        Self {
            state: BalancerState::new(snapshot, &mut draws),
            draws,
            active: Active::new(snapshot, source),
            decisions: DecisionCounters::default(),
            sessions: SessionCounters::default(),
            not_followed: NotFollowedCounters::default(),
            generation: 0,
            shares: SessionShares::default(),
            tokens: TokenMemory::default(),
        }
    }

    /// Continues under a new configuration: clusters in both keep their state. The counters are
    /// defined again, because cluster ids have changed; the host environment adds them up by name.
    pub(crate) fn reconfigure(&mut self, old: &Snapshot, new: &Snapshot, source: ActiveRequests) {
        self.active.source = source;
        self.regroup(old, new);
        self.decisions = DecisionCounters::default();
        self.sessions = SessionCounters::default();
    }

    /// Continues after hosts were added or removed.
    pub(crate) fn regroup(&mut self, old: &Snapshot, new: &Snapshot) {
        self.carry_over(old, new);
        let active = core::mem::take(&mut self.active);
        self.active = active.carried_over(old, new);
        self.generation = self.generation.wrapping_add(1);
        self.not_followed.dismiss();
        self.shares.clear();
    }

    /// Continues after a change of health.
    pub(crate) fn carry_over(&mut self, old: &Snapshot, new: &Snapshot) {
        let state = core::mem::take(&mut self.state);
        self.state = state.carried_over(old, new, &mut self.draws);
    }

    /// A random number.
    pub(crate) fn draw(&mut self) -> u64 {
        self.draws.draw()
    }

    /// Reads the session of a request.
    pub(crate) fn read_session<H: Headers>(
        &mut self,
        policy: &SessionPolicy,
        query: &SessionQuery<'_, H>,
    ) -> (RequestSession, TokenOutcome) {
        policy.read(query, &mut self.tokens, || self.draws.draw())
    }

    /// The configured target cluster of a request. `key` is the key of its session, if it also
    /// chooses clusters.
    pub(crate) fn target<H: Headers>(
        &mut self,
        settings: &Settings,
        headers: &H,
        key: Option<u64>,
    ) -> Option<ClusterId> {
        let hash = || match (key, settings.cluster_choice) {
            (Some(key), _) => Some(key),
            (None, ClusterChoice::Random) => None,
            (None, ClusterChoice::Hash) => settings.hash(headers),
        };
        settings.targets.of(headers, hash, || self.draws.draw())
    }

    /// Decides the host of a first attempt. The proxy itself retries on the other hosts of the
    /// list. `guarded` is the session, if hosts have a limit of sessions.
    pub(crate) fn decide<H: Headers>(
        &mut self,
        snapshot: &Snapshot,
        request: &Request<'_, H>,
        guarded: Option<GuardedSession>,
        steps: &mut Option<Vec<Step>>,
        observe: &mut dyn FnMut(&Request<'_, H>),
    ) -> Decision {
        if let Some(guarded) = guarded {
            self.shares.advance(guarded.max_share, guarded.now);
        }
        let hosts = Hosts {
            snapshot,
            active: &self.active,
            shares: &self.shares,
            max_share: guarded.map(|guarded| guarded.max_share),
        };
        let request = Request {
            hosts: &hosts,
            ..*request
        };
        observe(&request);
        let session = guarded.and_then(|guarded| guarded.session);
        let leaves = |host| session.is_some_and(|session| hosts.shares.leaves(host, session));
        decide::decide_leaving(
            snapshot,
            &mut self.state,
            &request,
            &mut self.draws,
            steps,
            leaves,
        )
    }

    /// Decides the host of a later attempt, in another cluster. The positions of policies do not move,
    /// because most requests have no such attempt: a policy with positions chooses at random.
    pub(crate) fn decide_later<H: Headers>(
        &mut self,
        snapshot: &Snapshot,
        request: &Request<'_, H>,
        guarded: Option<GuardedSession>,
    ) -> Decision {
        // The second decision must leave no trace in the positions.
        let state = core::mem::take(&mut self.state);
        let decision = self.decide(snapshot, request, guarded, &mut None, &mut |_| {});
        self.state = state;
        decision
    }

    /// Counts a decision about a session.
    pub(crate) fn count_session(
        &mut self,
        plugin: &impl Plugin,
        policy: &SessionPolicy,
        decision: &Decision,
    ) {
        self.sessions.decided(plugin, decision);
        if let (Some(_), Some(host)) = (policy.max_share(), decision.host_ref()) {
            self.shares.count(host);
        }
    }
}

/// A random number generator, seeded once: a host call for each number would cost a microsecond.
///
/// If the environment has no random bytes, the wall clock is the seed. That suffices to spread load, but
/// not for secrets.
fn seeded(plugin: &impl Plugin) -> SplitMix64 {
    let mut seed = [0; 8];
    if plugin.random(&mut seed) {
        SplitMix64::new(u64::from_le_bytes(seed))
    } else {
        // Without entropy the workers may choose alike, which is no error.
        SplitMix64::new(plugin.wall_clock())
    }
}

/// What a worker knows about the load of hosts.
struct Hosts<'a> {
    snapshot: &'a Snapshot,
    active: &'a Active,
    shares: &'a SessionShares,
    max_share: Option<u32>,
}

impl HostStats for Hosts<'_> {
    fn active(&self, host: HostRef) -> u32 {
        self.active.of_host(self.snapshot, host)
    }

    fn cluster_active(&self, cluster: ClusterId) -> u32 {
        self.active.of_cluster(self.snapshot, cluster)
    }

    fn is_hot(&self, host: HostRef) -> bool {
        self.max_share
            .is_some_and(|percent| self.shares.exceeds(host, percent))
    }
}
