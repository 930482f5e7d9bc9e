//! One request in an evaluated filter, and all requests that the filter can forward for it.

use std::rc::Rc;

use spillgate_config::filter::OutputMode;
use spillgate_core::{
    decide::{BalancerState, Decision, Reason, Request, decide},
    draw::SplitMix64,
    route::{Headers, request_hash},
    shares::{Distribution, Share},
    snapshot::{ClusterId, Snapshot},
    trace::Step,
};
use spillgate_steer::{
    RouteSettings,
    port::{LocalResponse, RouteEnd, Side, Steered, SteeringChoice, Stream},
};

use super::{
    SteeredAlternative, SteeredOutcome, headers::OwnedHeaders, output::EvaluatedOutput,
    plugin::EvaluationPlugin, retry::decision_for,
};
use crate::status::UNAVAILABLE;

/// A request in the filter. It never gets a response.
#[derive(Debug)]
pub(super) struct EvaluatedStream {
    /// The clock and the seed.
    pub(super) plugin: EvaluationPlugin,
    /// The request headers, which the filter changes.
    pub(super) request: OwnedHeaders,
    /// Where the matched route leads.
    pub(super) route_end: RouteEnd,
    /// The metadata of the matched route.
    pub(super) route: Rc<RouteSettings>,
    /// The hosts that the filter can choose at random; `None` for a deterministic choice.
    pub(super) shares: Option<Distribution>,
    /// The decision for later attempts by the cluster of the first one, if they go to another cluster.
    pub(super) next: Vec<(ClusterId, Decision)>,
    /// The possible outcomes, if the filter chooses at random.
    pub(super) alternatives: Vec<SteeredAlternative>,
    /// The status of a local response.
    pub(super) status: Option<u16>,
    /// Whether the host or the key of a session decides.
    pub(super) by_session: bool,
    /// Whether the request is a retry, which uses a further host of the list.
    pub(super) retries: bool,
    /// The host of the first attempt, if this is a retry and it is known.
    pub(super) first: Option<String>,
    /// Whether the request hash determines the further hosts of the list.
    pub(super) hashes: bool,
    /// How the choices reach Envoy.
    pub(super) output: EvaluatedOutput,
    /// Whether to draw one decision too.
    pub(super) draws: bool,
    /// The drawn decision and its steps.
    pub(super) drawn: Option<DrawnDecision>,
}

/// One decision of a filter, with the steps that lead to it.
#[derive(Debug)]
pub struct DrawnDecision {
    /// The clusters that the filter balances, with the hosts of its Envoy.
    pub snapshot: Snapshot,
    /// The decision.
    pub decision: Decision,
    /// Its steps.
    pub steps: Vec<Step>,
}

impl EvaluatedStream {
    /// The decision for later attempts, if the first one goes to a host of `owner`.
    fn next_of(&self, owner: ClusterId) -> Option<&Decision> {
        let mut next = self.next.iter();
        next.find_map(|(of, next)| (*of == owner).then_some(next))
    }

    /// The requests that the filter forwards to this host: one, or for a retry that leaves its step at
    /// random one for each place where the hosts of the next step can begin.
    fn choosing(&self, choice: &SteeringChoice<'_>, share: &Share) -> Vec<SteeredAlternative> {
        let decision = decision_for(choice, share);
        let address = decision.endpoint(choice.snapshot).map(|host| &host.address);
        // No other list begins with the host of the first attempt.
        let is_first = self.first.is_some() && address == self.first.as_ref();
        let places = if is_first && !self.hashes {
            decision.next_step_hosts(choice.snapshot) as u64
        } else {
            0
        };
        if places == 0 {
            return vec![self.writing(choice, decision, share.share)];
        }
        let at = |hash| Decision { hash, ..decision };
        let part = share.share / places as f64;
        (0..places)
            .map(|place| self.writing(choice, at(place), part))
            .collect()
    }

    /// The request of a decision with this share of all, in percent.
    fn writing(
        &self,
        choice: &SteeringChoice<'_>,
        decision: Decision,
        share: f64,
    ) -> SteeredAlternative {
        let mut made = self.request.clone();
        let choice = SteeringChoice {
            decision: &decision,
            next: decision
                .host_ref()
                .and_then(|host| self.next_of(host.cluster)),
            // The first attempt uses the first candidate only.
            most_hosts: if self.retries { choice.most_hosts } else { 1 },
            ..*choice
        };
        let outcome = match self.output.deliver(&choice, &mut made) {
            Steered::NoHost => SteeredOutcome::Respond(UNAVAILABLE),
            Steered::Done(_) | Steered::Failed => SteeredOutcome::Forward(made.0),
        };
        SteeredAlternative {
            part: share / 100.0,
            outcome,
        }
    }
}

impl Stream for EvaluatedStream {
    type Headers = OwnedHeaders;
    type Plugin = EvaluationPlugin;
    const WEIGHS_ALTERNATIVES: bool = true;

    fn plugin(&self) -> &EvaluationPlugin {
        &self.plugin
    }

    fn request_headers(&mut self) -> OwnedHeaders {
        self.request.clone()
    }

    fn header(&mut self, _: Side, name: &str) -> Option<Vec<u8>> {
        self.request.first(name).map(<[u8]>::to_vec)
    }

    fn header_values(&mut self, _: Side, name: &str) -> Vec<Vec<u8>> {
        self.request.values(name).map(<[u8]>::to_vec).collect()
    }

    fn set_header(&mut self, _: Side, name: &str, value: &str) -> bool {
        self.request.set(name, value)
    }

    fn add_header(&mut self, _: Side, name: &str, value: &[u8]) -> bool {
        let value = String::from_utf8_lossy(value).into_owned();
        self.request.0.push((name.to_owned(), value));
        true
    }

    fn remove_header(&mut self, _: Side, name: &str) -> bool {
        self.request.remove(name);
        true
    }

    fn respond(&mut self, response: &LocalResponse<'_>) -> bool {
        self.status = u16::try_from(response.status).ok();
        true
    }

    fn route(&mut self) -> Rc<RouteSettings> {
        self.route.clone()
    }

    fn upstream_address(&mut self) -> Option<Vec<u8>> {
        None
    }

    fn pass_to(&mut self, header: &str, cluster: &str) -> bool {
        self.output.pass_to(&mut self.request, header, cluster)
    }

    fn route_end(&mut self, _: &str, _: &str) -> RouteEnd {
        self.route_end
    }

    fn store_for_logs(&mut self, _: &str, _: &str) -> bool {
        true
    }

    fn deciding<H: Headers>(&mut self, snapshot: &Snapshot, request: &Request<'_, H>) {
        if self.draws {
            let mut draw = SplitMix64::new(self.plugin.seed);
            let mut steps = Vec::new();
            let mut state = BalancerState::new(snapshot, &mut draw);
            let decision = decide(snapshot, &mut state, request, &mut draw, &mut steps);
            self.drawn = Some(DrawnDecision {
                snapshot: snapshot.clone(),
                decision,
                steps,
            });
        }
        let hash = request_hash(request.hash_policies, request.headers, &request.connection);
        self.hashes = hash.is_some();
        self.by_session = request
            .sessions
            .as_ref()
            .is_some_and(|sessions| sessions.key.is_some());
        if !self.by_session {
            self.shares = Some(snapshot.distribution_of(request, None));
        }
    }

    fn following(&mut self, owner: ClusterId, next: &Decision) {
        self.next.push((owner, *next));
    }

    fn steer(&mut self, choice: &SteeringChoice<'_>) -> Steered {
        let kept = choice.decision.reason == Reason::Session;
        let shares = self.shares.take().filter(|_| !kept);
        let spreads = self.first.is_some() && !self.hashes && choice.decision.next_step.is_some();
        let random = shares.filter(|found| match found.shares.as_slice() {
            [] => false,
            [_] => found.no_host > 0.0 || spreads,
            _ => true,
        });
        let Some(random) = random else {
            return self.output.deliver(choice, &mut self.request);
        };
        let mut shares = random.shares;
        if choice.output.mode == OutputMode::SubsetHeaders {
            // Envoy chooses the host, so all hosts of a cluster give the same request.
            shares.dedup_by(|next, first| {
                let same = next.owner == first.owner;
                first.share += if same { next.share } else { 0.0 };
                same
            });
        }
        let chosen = shares.iter().flat_map(|share| self.choosing(choice, share));
        let mut alternatives: Vec<SteeredAlternative> = chosen.collect();
        if random.no_host > 0.0 {
            alternatives.push(SteeredAlternative {
                part: random.no_host / 100.0,
                outcome: SteeredOutcome::Respond(UNAVAILABLE),
            });
        }
        self.alternatives = alternatives;
        Steered::Done(None)
    }
}
