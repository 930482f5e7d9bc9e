//! What checks look at: a request, its answer, and how everything really is.

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
        Answer, Gateway, Ground, Issued, Millis, News, Report, Sent, WorldFallback, WorldScenario,
    },
    allowed::allowed,
};

/// How far the clocks of gateways may be apart before a token seems to come from the future, in
/// seconds (requirement R4).
const CLOCKS_APART: u64 = 60;

/// A request and what is known of it.
pub(in crate::world) struct Evidence<'e> {
    pub(in crate::world) scenario: &'e WorldScenario,
    pub(in crate::world) ground: &'e Ground,
    pub(in crate::world) gateways: &'e [Gateway],
    pub(in crate::world) now: Millis,
    /// The number of the gateway that answered.
    pub(in crate::world) gateway: usize,
    pub(in crate::world) client: usize,
    /// The hosts that the client's session has left before.
    pub(in crate::world) left: &'e [usize],
    pub(in crate::world) sent: &'e Sent,
    pub(in crate::world) answer: &'e Answer,
    /// What other gateways say that know the same.
    pub(in crate::world) others: &'e [(usize, Answer)],
}

impl<'e> Evidence<'e> {
    fn answering(&self) -> Option<&'e Gateway> {
        self.gateways.get(self.gateway)
    }

    /// What the answering gateway has heard of a host's cluster.
    fn news(&self, host: usize) -> Option<&'e Arc<News>> {
        let site = self.scenario.layout.sites.get(host)?;
        self.answering()?.heard.get(site.cluster)
    }

    /// What the answering gateway has heard of a host; `None` where it knows of no such host.
    pub(super) fn report(&self, host: usize) -> Option<&'e Report> {
        self.news(host)?
            .hosts
            .iter()
            .find(|report| report.host == host)
    }

    /// The state of a host, as the answering gateway knows it.
    pub(super) fn status(&self, host: usize) -> Option<HealthStatus> {
        self.report(host)
            .map(|report| report.health.session_status())
    }

    /// Whether a host is in the clusters and the subset of the request, as the answering gateway
    /// knows it.
    pub(super) fn is_allowed(&self, host: usize) -> bool {
        let layout = &self.scenario.layout;
        let site = layout.sites.get(host);
        let reached = site.filter(|site| layout.reachable.contains(&site.cluster));
        let (Some(site), Some(news), Some(report)) = (reached, self.news(host), self.report(host))
        else {
            return false;
        };
        let criteria = layout.criteria_of(self.client);
        allowed(layout, site.cluster, news, &report.metadata, criteria)
    }

    /// Whether a host may keep a session of this request.
    pub(super) fn may_keep(&self, host: usize) -> bool {
        let statuses = self.scenario.sessions.statuses;
        let state = self.status(host);
        state.is_some_and(|state| statuses.contains(state)) && self.is_allowed(host)
    }

    /// Whether requests of other sessions get to the priority of the host that was chosen, too: found
    /// out by asking for many, the more the less of them get there.
    pub(super) fn gets_others(&self) -> bool {
        /// A priority with one percent of all requests is missed once in 500 million times.
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

    /// What is true of the token, if a gateway issued it like this to a client with such criteria,
    /// and its time is not over by the clock of the one that answers.
    pub(super) fn in_time(&self) -> Option<&'e Issued> {
        let clock = self.answering()?.clock(self.now);
        let truth = self.sent.truth.as_ref()?;
        let begun = truth.began <= clock + CLOCKS_APART;
        let max = self.scenario.sessions.life.max;
        let lives = clock < truth.ends && clock < truth.began.saturating_add(max);
        let layout = &self.scenario.layout;
        let own = layout.criteria_of(truth.client) == layout.criteria_of(self.client);
        (begun && lives && own).then_some(truth)
    }

    /// As [`Evidence::in_time`], and the gateway has its key.
    pub(in crate::world) fn good(&self) -> Option<&'e Issued> {
        self.in_time().filter(|truth| self.has_key(truth.key))
    }

    /// Whether the answering gateway has a key.
    pub(super) fn has_key(&self, id: u8) -> bool {
        let mut keys = self.answering().into_iter().flat_map(|g| g.keys.keys());
        keys.any(|key| key.id() == id)
    }

    /// What came out, in words.
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
