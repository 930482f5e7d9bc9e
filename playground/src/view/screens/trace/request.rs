//! The request as the engine sees it.

use spillgate_core::{
    decide::{
        BalancerState, Decision, HostStats, OverrideResolution, Request, decide_with_override,
    },
    draw::{Draw as _, SplitMix64},
    model::Metadata,
    route::{Connection, HashPolicy, HashSource, HeaderList, field_value},
    shares::Distribution,
    trace::{NumberedSteps, Step},
};

use spillgate_codec::import::RouteAnswer;

use super::{ActiveByHost, TraceInput, TraceStage, fields, session::RequestedSession};

/// The header that the hash policy of the request hashes.
const KEY_HEADER: &str = "x-key";

/// The filter state with the hash of a routed request.
const ROUTED_HASH: &str = "hash";

type RequestHeaders<'a> = HeaderList<'a, &'static str, String>;

/// A request to the shown cluster.
#[derive(Debug, Clone)]
pub struct TraceRequest {
    headers: Vec<(&'static str, String)>,
    hash_policies: Vec<HashPolicy>,
    session: RequestedSession,
    /// The hash that the routes have made, by the name of a filter state.
    routed_hash: Option<(&'static str, u64)>,
    /// Whether the routes use the first random number of the worker.
    skips_number: bool,
    /// The subset criteria.
    pub criteria: Metadata,
    /// The active requests of the hosts.
    pub active: ActiveByHost,
    /// The seed of random choices.
    pub seed: u64,
}

impl TraceRequest {
    /// The request that the user describes. A key is the value of a header, which a hash policy hashes as
    /// `RouteAction.hash_policy` does.
    #[must_use]
    pub fn new(stage: &TraceStage, input: &TraceInput) -> Self {
        let source = HashSource::Header {
            name: KEY_HEADER.into(),
            rewrite: None,
        };
        let policy = HashPolicy {
            source,
            terminal: false,
        };
        let key = field_value(&input.key);
        let key = (!key.is_empty()).then(|| (KEY_HEADER, key.to_owned()));
        Self {
            headers: key.into_iter().collect(),
            hash_policies: vec![policy],
            session: RequestedSession::new(stage, input),
            routed_hash: None,
            skips_number: false,
            criteria: fields::criteria(&stage.fields, &input.criteria),
            active: ActiveByHost::read(stage, &input.active),
            seed: input.seed.into(),
        }
    }

    /// The same request after the routes: with their hash and criteria.
    #[must_use]
    pub fn routed(self, answer: &RouteAnswer) -> Self {
        let key = ROUTED_HASH.into();
        Self {
            headers: Vec::new(),
            hash_policies: vec![HashPolicy {
                source: HashSource::FilterState { key },
                terminal: false,
            }],
            routed_hash: answer.hash.map(|hash| (ROUTED_HASH, hash)),
            skips_number: answer.uses_number,
            criteria: answer.criteria.clone(),
            ..self
        }
    }

    /// Calls `then` with the engine's form of the request.
    pub(super) fn with<R>(
        &self,
        stage: &TraceStage,
        hosts: &dyn HostStats,
        then: impl FnOnce(&Request<'_, RequestHeaders<'_>>) -> R,
    ) -> R {
        let headers = HeaderList(&self.headers);
        then(&Request {
            hash_policies: &self.hash_policies,
            connection: Connection {
                filter_state: self.routed_hash.as_slice(),
                ..Connection::default()
            },
            criteria: &self.criteria,
            hosts,
            sessions: self.session.affinity(),
            ..Request::new(stage.cluster, &headers)
        })
    }

    /// The first state of the worker, and the random numbers for its decisions, as in `spillgate explain`.
    #[must_use]
    pub fn worker(&self, stage: &TraceStage) -> (BalancerState, SplitMix64) {
        let mut draw = SplitMix64::new(self.seed);
        let state = BalancerState::new(&stage.snapshot, &mut draw);
        if self.skips_number {
            let _ = draw.draw();
        }
        (state, draw)
    }

    /// Decides once. The second value is the status if a strict session refuses the request.
    pub(super) fn decide(
        &self,
        stage: &TraceStage,
        hosts: &dyn HostStats,
        (state, draw): (&mut BalancerState, &mut SplitMix64),
        steps: &mut Option<Vec<Step>>,
    ) -> (Decision, Option<u16>) {
        let overrides = self.session.overrides();
        self.with(stage, hosts, |request| {
            let mut steps = steps.as_mut().map(NumberedSteps);
            decide_with_override(
                &stage.snapshot,
                state,
                request,
                &overrides,
                draw,
                &mut steps,
            )
        })
    }

    /// The exact shares of the hosts, without regard to the session.
    #[must_use]
    pub fn distribution(&self, stage: &TraceStage) -> Distribution {
        self.with(stage, &self.active, |request| {
            stage.snapshot.distribution_of(request, None)
        })
    }

    /// The same request with another session, or with none.
    pub(super) fn with_session(&self, session: RequestedSession) -> Self {
        Self {
            session,
            ..self.clone()
        }
    }

    /// The same request without a session and without a request hash.
    pub(super) fn anonymous(&self) -> Self {
        Self {
            headers: Vec::new(),
            routed_hash: None,
            ..self.with_session(RequestedSession::Without)
        }
    }

    /// Whether the session stays on its host, unless `drop_overloads` drops the request.
    pub(super) fn keeps_session(&self, stage: &TraceStage) -> bool {
        match &self.session {
            RequestedSession::Without => false,
            RequestedSession::Envoy(..) => self.with(stage, &self.active, |request| {
                let overrides = self.session.overrides();
                let resolution = overrides.resolve(&stage.snapshot, request);
                matches!(resolution, OverrideResolution::Host(_))
            }),
            RequestedSession::Spillgate(session) => {
                let (mut state, mut draw) = (BalancerState::default(), SplitMix64::new(self.seed));
                let worker = (&mut state, &mut draw);
                let (decision, _) = self.decide(stage, &self.active, worker, &mut None);
                session.is_some() && decision.moved.is_none()
            }
        }
    }
}
