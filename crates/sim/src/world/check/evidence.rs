//! The input of checks: a request, the answer, and the true state of hosts and tokens.

use alloc::{format, string::String, sync::Arc};

use spillgate_core::{
    decide::{BalancerState, Request, Sessions, decide},
    draw::SplitMix64,
    hash::mix,
    model::HealthStatus,
    route::HeaderList,
    trace::NoTrace,
};
use spillgate_steer::port::TokenOutcome;

use super::{
    super::{
        Gateway, GatewayAnswer, HostsUpdate, Millis, ReportedHost, SentRequest, TokenFacts,
        TrueHosts, WorldFallback, WorldScenario,
    },
    allowed::allowed,
};

/// The largest difference between the clocks of gateways at which a token is not refused as
/// `future`: seconds.
const CLOCKS_APART: u64 = 60;

/// A request, its answer, and the true state of hosts and tokens.
pub(crate) struct Evidence<'e> {
    pub(crate) scenario: &'e WorldScenario,
    pub(crate) true_hosts: &'e TrueHosts,
    pub(crate) gateways: &'e [Gateway],
    pub(crate) now: Millis,
    /// The gateway that answered, from 0.
    pub(crate) gateway: usize,
    pub(crate) client: usize,
    /// The hosts that the client's session has left.
    pub(crate) left: &'e [usize],
    pub(crate) sent: &'e SentRequest,
    pub(crate) answer: &'e GatewayAnswer,
    /// The answers of other gateways with the same knowledge.
    pub(crate) other_answers: &'e [(usize, GatewayAnswer)],
}

impl<'e> Evidence<'e> {
    pub(super) fn answering(&self) -> Option<&'e Gateway> {
        self.gateways.get(self.gateway)
    }

    /// The last update about a host's cluster that the answering gateway has.
    fn update(&self, host: usize) -> Option<&'e Arc<HostsUpdate>> {
        let configured = self.scenario.layout.hosts.get(host)?;
        self.answering()?.known.get(configured.cluster)
    }

    /// A host as the answering gateway knows it; `None` if it knows no such host.
    pub(super) fn report(&self, host: usize) -> Option<&'e ReportedHost> {
        self.update(host)?
            .hosts
            .iter()
            .find(|report| report.host == host)
    }

    /// The status of a host, as the answering gateway knows it.
    pub(super) fn status(&self, host: usize) -> Option<HealthStatus> {
        self.report(host)
            .map(|report| report.health.session_status())
    }

    /// Whether a host is in the clusters and the subset of the request, as the answering gateway
    /// knows them.
    pub(super) fn is_allowed(&self, host: usize) -> bool {
        let layout = &self.scenario.layout;
        let cluster = layout.hosts.get(host).map(|configured| configured.cluster);
        let cluster = cluster.filter(|cluster| layout.reachable.contains(cluster));
        let (Some(cluster), Some(update), Some(report)) =
            (cluster, self.update(host), self.report(host))
        else {
            return false;
        };
        let criteria = layout.criteria_of(self.client);
        allowed(layout, cluster, update, &report.metadata, criteria)
    }

    /// Whether a host may keep a session of this request.
    pub(super) fn may_keep(&self, host: usize) -> bool {
        let statuses = self.scenario.sessions.statuses;
        let state = self.status(host);
        state.is_some_and(|state| statuses.contains(state)) && self.is_allowed(host)
    }

    /// Whether new sessions also reach the priority of the chosen host. Tries up to 2,000 sessions.
    pub(super) fn serves_new_sessions(&self) -> bool {
        /// Misses a priority with one percent of the requests once in 500 million times.
        const MOST: u64 = 2_000;
        let decision = &self.answer.decision;
        let snapshot = self.answering().and_then(Gateway::snapshot);
        let (Some(snapshot), Some(host)) = (snapshot, decision.host_ref()) else {
            return false;
        };
        let rules = &self.scenario.sessions;
        let layout = &self.scenario.layout;
        let headers: HeaderList<'_, &str, &str> = HeaderList(&[]);
        let (mut state, mut draw) = (BalancerState::default(), SplitMix64::new(0));
        let mut others = (0..MOST).map(|other| {
            let request = Request {
                criteria: layout.criteria_of(self.client),
                sessions: Some(Sessions {
                    session: None,
                    statuses: rules.statuses,
                    clusters: &[],
                    on_lost: rules.on_lost,
                    key: (rules.fallback == WorldFallback::Rendezvous).then_some(mix(other)),
                }),
                ..Request::new(decision.cluster, &headers)
            };
            decide(snapshot, &mut state, &request, &mut draw, &mut NoTrace)
        });
        others.any(|other| {
            let priority = other.host_ref().map(|of| (of.cluster, of.priority));
            priority == Some((host.cluster, host.priority))
        })
    }

    /// Whether all hosts are in one priority of one cluster without subsets, so that new sessions
    /// reach each of them.
    pub(super) fn is_one_priority(&self) -> bool {
        let layout = &self.scenario.layout;
        let mut priorities = self.true_hosts.hosts.iter().map(|host| host.priority);
        let first = priorities.next();
        priorities.all(|priority| Some(priority) == first)
            && layout.clusters.len() == 1
            && layout.model.chain().is_empty()
            && layout.subsets(0).is_none()
    }

    /// Whether a host is healthy, as the answering gateway knows it.
    pub(super) fn is_healthy(&self, host: usize) -> bool {
        self.status(host) == Some(HealthStatus::Healthy)
    }

    /// The facts about the token, if a gateway issued it to a client with the same criteria, and it
    /// has neither expired nor been revoked at the answering gateway.
    pub(super) fn unexpired(&self) -> Option<&'e TokenFacts> {
        let clock = self.answering()?.clock(self.now);
        let facts = self.sent.facts.as_ref()?;
        let started = facts.issued <= clock + CLOCKS_APART;
        let max = self.scenario.sessions.life.max;
        let alive = clock < facts.expires
            && clock < facts.issued.saturating_add(max)
            && facts.epoch >= self.answering()?.epoch;
        let layout = &self.scenario.layout;
        let same = layout.criteria_of(facts.client) == layout.criteria_of(self.client);
        (started && alive && same).then_some(facts)
    }

    /// As [`Evidence::unexpired`], if the answering gateway has the key.
    pub(crate) fn valid(&self) -> Option<&'e TokenFacts> {
        self.unexpired().filter(|facts| self.has_key(facts.key))
    }

    /// Whether the answering gateway has a key.
    pub(super) fn has_key(&self, id: u8) -> bool {
        let mut keys = self.answering().into_iter().flat_map(|g| g.keys.keys());
        keys.any(|key| key.id() == id)
    }

    /// The outcome in words.
    pub(super) fn outcome(&self) -> String {
        let decision = &self.answer.decision;
        let reason = decision.reason.name();
        let host = self.name(self.answer.host);
        match (self.answer.token, decision.moved) {
            (TokenOutcome::Refused(refused), _) => format!("{host} ({reason}, token {refused})"),
            (_, Some(moved)) => format!("{host} ({reason}: {})", moved.name()),
            _ => format!("{host} ({reason})"),
        }
    }

    /// The address of a host.
    pub(super) fn name(&self, host: Option<usize>) -> &'e str {
        host.map_or("no host", |host| self.scenario.layout.address(host))
    }
}
