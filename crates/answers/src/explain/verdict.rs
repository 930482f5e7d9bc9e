//! The answer about one request: one decision, and every possible outcome.

use crate::{
    limits::Reached,
    pick::{Answerer, OwnReply, PickOutcome, PickOutput},
};
use spillgate_core::{
    decide::{Decision, Reason},
    draw::{Draw as _, SplitMix64},
    model::Endpoint,
    route::{Headers, ReceivedRequest},
    trace::{RequestChanger, Step},
};

use super::{
    changes::header_changes, grpc_call::GrpcCall, grpc_hash::GrpcHash, routing::AskedRequest,
    success::SuccessStory,
};

/// The reason if Envoy does not use the choice of the filter.
pub(super) const NOT_USED: &str = "choice_not_used";

/// The status of a request that reaches a host.
pub(super) const OK: u16 = 200;

/// The result for one request.
#[derive(Debug, Default)]
pub struct RequestVerdict<'s> {
    /// The seed of random choices.
    pub seed: u64,
    /// The status of the response; `None` if it is unknown.
    pub status: Option<u16>,
    /// The reason, if there is no decision.
    pub reason: &'static str,
    /// The cluster of the request, if a route selects one.
    pub cluster: Option<String>,
    /// The id of the matched route.
    pub route: Option<usize>,
    /// The decision of the engine, if a cluster was reached.
    pub decision: Option<Decision>,
    /// The hosts to try, the chosen one first.
    pub candidates: Vec<&'s Endpoint>,
    /// The steps of the decision, in order.
    pub steps: Vec<Step>,
    /// The host that the request itself names (`ORIGINAL_DST`).
    pub named: Option<String>,
    /// All possible hosts, with their shares in percent.
    pub outcomes: Vec<PickOutcome>,
    /// The share of requests without a host, in percent.
    pub no_host: f64,
    /// The responses to these requests.
    pub replies: Vec<OwnReply>,
    /// The answer to `--failed`.
    pub success: Option<SuccessStory>,
    /// Whether the outcomes are unknown.
    pub is_unknown: bool,
    /// The cluster whose hosts are not known, if the request can reach it.
    pub unknown_hosts: Option<String>,
    /// Why they are not known.
    pub why_unknown: &'static str,
    /// The routes and clusters that the request can reach.
    pub reached: Reached,
    /// The hash of the request for gRPC clients.
    pub grpc_hash: GrpcHash,
    /// The clusters and sessions of gRPC clients.
    pub grpc_calls: Vec<GrpcCall>,
}

impl RequestVerdict<'_> {
    /// Takes over all possible outcomes.
    pub(super) fn answer(&mut self, asked: &AskedRequest<'_>, mut answerer: Answerer<'_>) {
        self.take_over(answerer.answer(asked.request));
        self.reached = answerer.reached().clone();
    }

    /// Adds the headers that the connection manager changes.
    pub(super) fn changed<H: Headers>(
        &mut self,
        asked: &AskedRequest<'_>,
        sent: &H,
        received: &ReceivedRequest<'_, H>,
    ) {
        let reads = asked.routes.read_headers();
        let by = RequestChanger::ConnectionManager;
        let changes = header_changes(sent, &received.headers, by, &reads);
        self.steps.extend(changes);
    }

    /// The request ends without a host.
    pub(super) fn ends(&mut self, status: u16, reason: &'static str) {
        self.status = Some(status);
        self.reason = reason;
    }

    /// Envoy does not use the filter's choice: the result is one of the possible outcomes.
    pub(super) fn overrule(&mut self, reason: &'static str, seed: u64) {
        self.decision = None;
        self.candidates.clear();
        self.reason = reason;
        let number = SplitMix64::new(seed).draw();
        let mut rest = number as f64 / 2_f64.powi(64) * 100.0;
        let drawn = self.outcomes.iter().find(|outcome| {
            rest -= outcome.share;
            rest < 0.0
        });
        match drawn.or(self.outcomes.last().filter(|_| self.replies.is_empty())) {
            Some(outcome) => {
                self.named = Some(outcome.endpoint.clone());
                self.status = Some(OK);
            }
            None => self.status = self.replies.first().map(|reply| reply.status),
        }
    }

    /// Whether Envoy does not use the choice of the filter.
    #[must_use]
    pub fn is_overruled(&self) -> bool {
        self.reason == NOT_USED
    }

    /// Takes over the possible outcomes.
    pub(super) fn take_over(&mut self, answer: PickOutput) {
        self.no_host = 100.0;
        match answer {
            PickOutput::Determined { outcome, .. } => {
                self.outcomes = vec![outcome];
                self.no_host = 0.0;
            }
            PickOutput::Random {
                distribution,
                no_host,
                replies,
                ..
            } => {
                self.outcomes = distribution;
                self.no_host = no_host;
                self.replies = replies;
            }
            PickOutput::NoHost { replies, .. } => self.replies = replies,
            PickOutput::Unknown { cluster, why, .. } => {
                self.is_unknown = true;
                self.why_unknown = why;
                self.unknown_hosts = cluster;
                self.no_host = 0.0;
            }
        }
    }

    /// Whether the same request can have another result.
    #[must_use]
    pub fn is_random(&self) -> bool {
        self.outcomes.len() + self.replies.len() > 1
    }

    /// The reason of the result, as in the JSON key `reason`.
    #[must_use]
    pub fn reason(&self) -> &'static str {
        match &self.decision {
            Some(decision) if decision.reason == Reason::PassThrough && self.named.is_none() => {
                Reason::NoHost.name()
            }
            Some(decision) => decision.reason.name(),
            None => self.reason,
        }
    }
}
