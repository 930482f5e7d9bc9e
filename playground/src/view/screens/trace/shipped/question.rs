//! The requests for the filter, and the decisions of the model for the same requests.

use spillgate_core::{
    decide::{BalancerState, Decision},
    draw::{Draw as _, SplitMix64},
    model::{Endpoint, Metadata},
};
use spillgate_explain::{cluster_name, decision::decision_json};
use spillgate_scenario::{ShippedDecision, ShippedRequest, ShippedSession};

use super::limits::limits;
use crate::view::screens::trace::{
    ActiveByHost, REQUESTS, SessionKind, TraceInput, TraceMode, TraceRequest, TraceStage,
    session::RequestedSession,
};

/// The hosts of a list, as the filter has them by default; one with sessions, because the filter orders
/// further hosts of a session by its token key.
const CANDIDATES: usize = 3;
/// The response of the filter to a request without a host.
const NO_HOST: (u16, &str) = (503, "spillgate_no_host");

/// Requests that the filter and the model decide.
#[derive(Debug, Clone)]
pub struct ShippedQuestion {
    /// The requests, as the filter gets them.
    pub request: ShippedRequest,
    /// Their subset criteria.
    pub criteria: Metadata,
    /// What differs from the request of the screen, as sentences.
    pub limits: Vec<&'static str>,
    model: TraceRequest,
}

impl ShippedQuestion {
    /// The question about the request that the user describes.
    #[must_use]
    pub fn new(stage: &TraceStage, input: &TraceInput) -> Self {
        let described = TraceRequest::new(stage, input);
        let session = match input.session {
            SessionKind::Without | SessionKind::Envoy | SessionKind::EnvoyStrict => {
                ShippedSession::Without
            }
            SessionKind::Spillgate if input.session_host.is_empty() => ShippedSession::New,
            SessionKind::Spillgate => ShippedSession::Of {
                cluster: owner_at(stage, &input.session_host),
                address: input.session_host.clone(),
            },
        };
        let model = match input.session {
            SessionKind::Envoy | SessionKind::EnvoyStrict => {
                described.with_session(RequestedSession::Without)
            }
            SessionKind::Without | SessionKind::Spillgate => described,
        };
        Self {
            request: ShippedRequest {
                seed: input.seed.into(),
                count: match input.mode {
                    TraceMode::One => 1,
                    TraceMode::Many => REQUESTS,
                },
                key: input.key.clone(),
                trace: input.mode == TraceMode::One,
                session,
            },
            criteria: model.criteria.clone(),
            limits: limits(input),
            model,
        }
    }

    /// The decisions of the model, as the filter would pass them to Envoy.
    #[must_use]
    pub fn decisions(&self, stage: &TraceStage) -> Vec<ShippedDecision> {
        let (mut state, mut draw) = self.model.worker(stage);
        (0..self.request.count)
            .map(|_| self.decision(stage, &mut state, &mut draw))
            .collect()
    }

    fn decision(
        &self,
        stage: &TraceStage,
        state: &mut BalancerState,
        draw: &mut SplitMix64,
    ) -> ShippedDecision {
        if self.request.session == ShippedSession::New && self.request.key.is_empty() {
            // The number of the session, which the filter draws before it decides.
            let _ = draw.draw();
        }
        let mut steps = self.request.trace.then(Vec::new);
        let idle = ActiveByHost::default();
        let (decision, _) = self.model.decide(stage, &idle, (state, draw), &mut steps);
        let most = match self.request.session {
            ShippedSession::Without => CANDIDATES,
            ShippedSession::New | ShippedSession::Of { .. } => 1,
        };
        let hosts = decision.candidates(&stage.snapshot, most);
        let json =
            steps.map(|steps| decision_json(&stage.snapshot, &decision, &hosts, Some(&steps)));
        ShippedDecision {
            json: json.unwrap_or_default(),
            ..passed(stage, &decision, &hosts)
        }
    }
}

/// What the filter passes to Envoy.
fn passed(stage: &TraceStage, decision: &Decision, hosts: &[&Endpoint]) -> ShippedDecision {
    if hosts.is_empty() {
        let (status, details) = NO_HOST;
        return ShippedDecision {
            status: Some(status),
            details: details.into(),
            ..ShippedDecision::default()
        };
    }
    let addresses: Vec<&str> = hosts.iter().map(|host| host.address.as_str()).collect();
    let owner = decision.priority.map_or(decision.cluster, |at| at.owner);
    ShippedDecision {
        hosts: addresses.join(","),
        cluster: cluster_name(&stage.snapshot, owner).to_owned(),
        ..ShippedDecision::default()
    }
}

/// The name of the cluster with a host; that of the shown cluster for an unknown address.
fn owner_at(stage: &TraceStage, address: &str) -> String {
    let owner = stage.host_at(address).map(|host| host.cluster);
    cluster_name(&stage.snapshot, owner.unwrap_or(stage.cluster)).to_owned()
}
