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
    SteeredAlternative, SteeredOutcome,
    alternative::ListedAlternative,
    headers::OwnedHeaders,
    later::{LaterHosts, NextCluster},
    output::EvaluatedOutput,
    plugin::EvaluationPlugin,
    retry::decision_for,
};
use crate::{status::UNAVAILABLE, unknown::NEXT_CLUSTER_UNKNOWN};

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
    /// The hosts of later attempts, if they go to another cluster.
    pub(super) later: LaterHosts,
    /// How many attempts stay in the first cluster, if this is a later one.
    pub(super) left_after: Option<usize>,
    /// The first host of a deterministic choice, and that of the next cluster.
    pub(super) delivered: Option<(Option<String>, Option<String>)>,
    /// The possible outcomes, if the filter chooses at random.
    pub(super) alternatives: Vec<ListedAlternative>,
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

/// One of the results of a request in a filter.
#[derive(Debug)]
pub enum DrawnResult {
    /// The filter decides.
    Decision(DrawnDecision),
    /// It does not: it passes the request through, or responds itself.
    Undecided(SteeredOutcome),
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
    /// The requests that the filter forwards to this host: one, or for a retry that leaves its step at
    /// random one for each place where the hosts of the next step can begin.
    fn choosing(&self, choice: &SteeringChoice<'_>, share: &Share) -> Vec<ListedAlternative> {
        if self.left_after.is_some() {
            return self.leaving(choice, share);
        }
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

    /// The requests whose first attempt goes to this host, for an attempt in the next cluster: one for each
    /// host where its hosts can begin.
    fn leaving(&self, choice: &SteeringChoice<'_>, share: &Share) -> Vec<ListedAlternative> {
        let decision = decision_for(choice, share);
        let part = share.share / 100.0;
        match self.later.of(choice.snapshot, share.owner, self.hashes) {
            NextCluster::None => vec![self.writing(choice, decision, share.share)],
            NextCluster::Decision(next) => {
                vec![self.writing_both(choice, decision, *next, share.share)]
            }
            NextCluster::Random(next, shares) => {
                let next_choice = SteeringChoice {
                    decision: next,
                    ..*choice
                };
                let total: f64 = shares.iter().map(|next| next.share).sum();
                let each = shares.iter().map(|next| {
                    let part = share.share * next.share / total;
                    self.writing_both(choice, decision, decision_for(&next_choice, next), part)
                });
                each.collect()
            }
            NextCluster::NotModeled => vec![ListedAlternative {
                alternative: SteeredAlternative {
                    part,
                    outcome: SteeredOutcome::Unknown(NEXT_CLUSTER_UNKNOWN),
                },
                first: address_of(choice.snapshot, &decision),
                next: None,
            }],
        }
    }

    /// The request of a decision with this share of all, in percent.
    fn writing(
        &self,
        choice: &SteeringChoice<'_>,
        decision: Decision,
        share: f64,
    ) -> ListedAlternative {
        let next = decision
            .host_ref()
            .and_then(|host| self.later.decision(host.cluster));
        self.written(choice, &decision, next, share)
    }

    /// The same with this decision for later attempts.
    fn writing_both(
        &self,
        choice: &SteeringChoice<'_>,
        decision: Decision,
        next: Decision,
        share: f64,
    ) -> ListedAlternative {
        self.written(choice, &decision, Some(&next), share)
    }

    fn written(
        &self,
        choice: &SteeringChoice<'_>,
        decision: &Decision,
        next: Option<&Decision>,
        share: f64,
    ) -> ListedAlternative {
        let mut made = self.request.clone();
        let choice = SteeringChoice {
            decision,
            next,
            // The first attempt uses the first candidate only.
            most_hosts: if self.retries { choice.most_hosts } else { 1 },
            ..*choice
        };
        let delivered = self.output.deliver(&choice, self.left_after, &mut made);
        let outcome = match delivered {
            Steered::NoHost => SteeredOutcome::Respond(UNAVAILABLE),
            Steered::Done(_) | Steered::Failed => SteeredOutcome::Forward(made.0),
        };
        ListedAlternative {
            alternative: SteeredAlternative {
                part: share / 100.0,
                outcome,
            },
            first: address_of(choice.snapshot, decision),
            next: next.and_then(|next| address_of(choice.snapshot, next)),
        }
    }
}

/// Keeps one host of each cluster, with the share of all its hosts.
fn one_of_each(shares: &mut Vec<Share>) {
    shares.dedup_by(|next, first| {
        let same = next.owner == first.owner;
        first.share += if same { next.share } else { 0.0 };
        same
    });
}

/// The address of the host of a decision.
fn address_of(snapshot: &Snapshot, decision: &Decision) -> Option<String> {
    Some(decision.endpoint(snapshot)?.address.clone())
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
        if self.left_after.is_some() && self.later.is_empty() {
            self.later = LaterHosts::weighed(snapshot, request);
        }
    }

    fn following(&mut self, owner: ClusterId, next: &Decision) {
        self.later.add(owner, *next);
    }

    fn steer(&mut self, choice: &SteeringChoice<'_>) -> Steered {
        let kept = choice.decision.reason == Reason::Session;
        self.by_session |= kept;
        let shares = self.shares.take().filter(|_| !kept);
        let spreads = self.first.is_some() && !self.hashes && choice.decision.next_step.is_some();
        let random = shares.filter(|found| match found.shares.as_slice() {
            [] => false,
            [_] => found.no_host > 0.0 || spreads,
            _ => true,
        });
        let host = choice.decision.host_ref();
        let owner = host.map(|host| host.cluster);
        let later = match (self.left_after, owner) {
            (Some(_), Some(owner)) => self.later.of(choice.snapshot, owner, self.hashes),
            _ => NextCluster::None,
        };
        let is_open = matches!(later, NextCluster::Random(..) | NextCluster::NotModeled);
        let Some(random) = random else {
            if let (true, Some(host)) = (is_open, host) {
                let only = Share {
                    owner: host.cluster,
                    priority: host.priority,
                    host: host.host,
                    share: 100.0,
                };
                self.alternatives = self.leaving(choice, &only);
                return Steered::Done(None);
            }
            // A cluster of a weighted split is evaluated without the others, which can be the next one.
            let known = owner.and_then(|owner| self.later.decision(owner)).copied();
            let next = choice.next.or(known.as_ref());
            let of = |decision: &Decision| address_of(choice.snapshot, decision);
            self.delivered = Some((of(choice.decision), next.and_then(of)));
            let choice = SteeringChoice { next, ..*choice };
            return self
                .output
                .deliver(&choice, self.left_after, &mut self.request);
        };
        let mut shares = random.shares;
        if self.left_after.is_some() && self.first.is_none() {
            // Only the hosts of the next cluster matter.
            one_of_each(&mut shares);
        }
        if choice.output.mode == OutputMode::SubsetHeaders {
            // Envoy chooses the host, so all hosts of a cluster give the same request.
            one_of_each(&mut shares);
        }
        let chosen = shares.iter().flat_map(|share| self.choosing(choice, share));
        let mut alternatives: Vec<ListedAlternative> = chosen.collect();
        if random.no_host > 0.0 {
            let refused = SteeredAlternative {
                part: random.no_host / 100.0,
                outcome: SteeredOutcome::Respond(UNAVAILABLE),
            };
            alternatives.push(refused.into());
        }
        self.alternatives = alternatives;
        Steered::Done(None)
    }
}
