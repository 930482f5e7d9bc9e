//! The decision: made by the engine, then passed to the proxy, access logs and traces.

use alloc::{boxed::Box, vec::Vec};

use spillgate_config::filter::TraceConfig;
use spillgate_core::{
    decide::{Reason, Request},
    snapshot::ClusterId,
};

use super::{Next, SteeredRequest, Steering, passed::PassedDecision, refuse::RefusalReason, trace};
use crate::{
    port::{Steered, SteeringChoice, Stream, TokenOutcome},
    session::{Hosts, RequestSession, SessionPolicy},
};

impl SteeredRequest {
    pub(super) fn decide<S: Stream>(
        &mut self,
        mut steering: Steering<'_, S>,
        request: Request<'_, S::Headers>,
        session: Option<(&SessionPolicy, RequestSession)>,
        token: TokenOutcome,
        trace: Option<&TraceConfig>,
    ) -> Next {
        let Steering {
            stream,
            serving,
            worker,
            ..
        } = &mut steering;
        let (settings, snapshot) = (&*serving.settings, &*serving.snapshot);
        let cluster = request.cluster;
        let logged = settings
            .access_log
            // Drawn before the decision: whether a decision is logged cannot depend on it.
            .filter(|log| worker.draw() % 1_000_000 < u64::from(log.millionths));
        let needs_steps =
            trace.is_some_and(|trace| trace.steps) || logged.is_some_and(|log| log.steps);
        let mut steps = needs_steps.then(Vec::new);
        let split = settings.targets.split();
        let others = if split.contains(&cluster) { split } else { &[] };
        let hosts = Hosts {
            snapshot,
            directory: &serving.directory,
        };
        let sessions = session.as_ref();
        let guarded = sessions.and_then(|(policy, session)| session.guarded(policy));
        let request = Request {
            sessions: sessions
                .map(|(policy, session)| session.sessions(policy, hosts, cluster, others)),
            ..request
        };
        let observe = &mut |request: &Request<'_, S::Headers>| stream.deciding(snapshot, request);
        let decision = worker.decide(snapshot, &request, guarded, &mut steps, observe);
        worker
            .decisions
            .decided(stream.plugin(), snapshot, &decision);
        let refusal = sessions.and_then(|(policy, _)| policy.refusal());
        let keeps_session = decision.reason == Reason::Session;
        // A session that must not move must not be retried on another host either.
        let only_host = refusal.is_some() && keeps_session;
        let owner = decision.host_ref().map(|host| host.cluster);
        let leaves = settings.output.attempts_per_cluster.is_some() && !only_host;
        let owner = owner.filter(|_| leaves);
        let next = owner.and_then(|owner| serving.next_cluster(worker, owner, &request, guarded));
        if S::WEIGHS_ALTERNATIVES && leaves {
            let is_split = settings.targets.split().contains(&cluster);
            // The key of a session determines the draw; otherwise a kept session can have any.
            let is_keyed = request
                .sessions
                .is_some_and(|sessions| sessions.key.is_some());
            let is_free = is_split && keeps_session && !is_keyed;
            for owner in serving.session_owners(cluster) {
                // The draw of a request whose first attempt goes there.
                let draws = |one: &ClusterId| {
                    is_free && Some(owner) == decision.host_ref().map(|host| host.cluster)
                        || snapshot.owners(*one).any(|own| own == owner)
                };
                let mut drawn: Vec<ClusterId> = settings.targets.drawn().filter(draws).collect();
                if !is_free {
                    drawn.truncate(1);
                }
                if !is_split || drawn.is_empty() {
                    drawn = Vec::from([cluster]);
                }
                for cluster in drawn {
                    let request = Request { cluster, ..request };
                    if let Some(next) = serving.next_cluster(worker, owner, &request, guarded) {
                        stream.following(owner, &next);
                    }
                }
            }
        }
        if let Some((policy, mut session)) = session {
            session.decided(&decision, next.as_ref());
            worker.count_session(stream.plugin(), policy, &decision);
            self.keep(session);
        }
        stream.decided(&decision, token);
        let host = decision.host_ref();
        self.active = host.and_then(|host| worker.active.begin(host));
        let kept = self
            .response
            .as_ref()
            .and_then(|response| response.session.as_ref());
        let spread = serving.spread(&decision, kept);
        if let Some(log) = logged {
            let steps = steps.as_deref().filter(|_| log.steps);
            let text = trace::json(serving, &decision, next.as_ref(), spread, steps);
            trace::store(*stream, &text);
        }
        if let (Some(trace), Some(response)) = (trace, &mut self.response) {
            let steps = steps.as_deref().filter(|_| trace.steps);
            response.trace = Some(trace::json(
                serving,
                &decision,
                next.as_ref(),
                spread,
                steps,
            ));
        }
        if let (Some(_), Some(_), None) = (refusal, decision.moved, decision.host)
            && let Some(response) = &mut self.response
            && let Some(session) = response.session.take()
        {
            return self.refuse_session(steering, session);
        }
        // Otherwise the decision is counted as one without a host already.
        let decided = decision.host.is_some();
        let choice = SteeringChoice {
            output: &settings.output,
            snapshot,
            decision: &decision,
            criteria: request.criteria,
            most_hosts: if only_host {
                1
            } else {
                settings.output.candidates
            },
            spread,
            next: next.as_ref(),
            // A session needs the host that responds anyway.
            is_watched: settings.sessions.is_some() || decided && worker.not_followed.watches(),
        };
        let steered = stream.steer(&choice);
        if let Steered::Done(Some(hosts)) = steered {
            if let Some(response) = &mut self.response {
                response.passed = Some(Box::new(PassedDecision {
                    hosts,
                    keeps_session,
                    generation: worker.generation,
                }));
            }
            return Next::Forward;
        }
        if keeps_session {
            worker.sessions.stayed(stream.plugin(), None);
        }
        match steered {
            Steered::Done(_) => Next::Forward,
            Steered::Failed => {
                steering.count(|counters| &mut counters.host_failures);
                Next::Forward
            }
            Steered::NoHost => {
                if decided {
                    steering.count(|counters| &mut counters.no_host);
                }
                self.refuse(&mut steering, RefusalReason::NoHost)
            }
        }
    }
}
