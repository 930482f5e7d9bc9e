//! One request: strips internal headers, passes the decision to the proxy, and issues the session
//! token with the response.

mod decide;
mod next_cluster;
mod passed;
mod refuse;
mod response;
mod strip;
mod target;
mod trace;

use spillgate_config::filter::UnknownHostsPolicy;
use spillgate_core::{decide::Request, model::Metadata, route::Headers as _, snapshot::ClusterId};

use self::{refuse::RefusalReason, response::PendingResponse};
use crate::{
    RouteSettings, Serving,
    hosts::{ActiveRequest, Freshness},
    metrics::{Counter, DecisionCounters},
    port::{Plugin, Stream, TokenOutcome},
    session::{Hosts, RequestSession, SessionPolicy, SessionQuery},
    worker::Worker,
};

/// One request, from its headers to the end of its response.
pub struct SteeredRequest {
    /// The configuration with its hosts, until the request headers arrive.
    serving: Option<Serving>,
    /// Counts as active until the request ends.
    active: Option<ActiveRequest>,
    /// What the response needs, once the request headers have arrived.
    response: Option<PendingResponse>,
}

/// What the proxy does next with a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// Forwards the request.
    Forward,
    /// Nothing: a local response was sent.
    Responded,
}

/// The request, the configuration that serves it, and the state of the worker.
struct Steering<'a, S: Stream> {
    stream: &'a mut S,
    serving: &'a Serving,
    worker: &'a mut Worker,
    /// Whether the client sent headers that were stripped.
    is_changed: bool,
}

impl SteeredRequest {
    /// A request under the configuration that serves, if there is one.
    #[must_use]
    pub const fn new(serving: Option<Serving>) -> Self {
        Self {
            serving,
            active: None,
            response: None,
        }
    }

    /// Handles the request headers: decides, and passes the decision to the proxy.
    pub fn on_request_headers<S: Stream>(&mut self, stream: &mut S) -> Next {
        let Some(serving) = self.serving.take() else {
            // Envoy forwards no request before it has a configuration; other proxies may.
            strip::default_headers(stream);
            return Next::Forward;
        };
        self.response = Some(PendingResponse::new(&serving));
        match serving.worker.try_borrow_mut() {
            Ok(mut worker) => self.steer(Steering {
                stream,
                serving: &serving,
                worker: &mut worker,
                is_changed: false,
            }),
            // Unreachable: callbacks do not nest.
            Err(_) => Next::Forward,
        }
    }

    /// Strips the headers that clients must not send before it decides.
    fn steer<S: Stream>(&mut self, mut steering: Steering<'_, S>) -> Next {
        let (serving, settings) = (steering.serving, &*steering.serving.settings);
        let read = settings
            .reads_headers
            .then(|| steering.stream.request_headers());
        let trace = trace::requested(steering.stream, settings, read.as_ref());
        let stripped = strip::request_headers(steering.stream, settings, read.as_ref());
        steering.is_changed = stripped.any;
        if !stripped.worked {
            steering.count(|counters| &mut counters.host_failures);
        }
        let headers = read.unwrap_or_default();
        let route = settings.reads_route.then(|| steering.stream.route());
        let route = route.as_deref().unwrap_or(RouteSettings::NONE);
        if route.is_unreadable {
            steering.count(|counters| &mut counters.no_host);
            return self.refuse(&mut steering, RefusalReason::NoHost);
        }
        let criteria = settings.criteria.of(&headers, &route.criteria);
        let (mut session, mut token) = (None, TokenOutcome::Absent);
        if let Some(policy) = &settings.sessions {
            let (read, outcome) = steering.read_session(policy, &headers, &criteria);
            if policy.refusal_of(outcome).is_some() {
                return self.refuse_session(steering, read);
            }
            (session, token) = (Some((policy, read)), outcome);
        }
        let key = session.as_ref();
        let key = key.and_then(|(policy, session)| session.key(policy));
        let Some(cluster) = steering.target(&headers, route, key) else {
            steering.count(|counters| &mut counters.passed_through);
            self.keep_if_passing(serving, session, None);
            return Next::Forward;
        };
        match serving.freshness(cluster) {
            // The session's host is known, in another cluster of a weighted split.
            Freshness::Unknown(_) if has_known_host(serving, session.as_ref(), cluster) => {}
            Freshness::Unknown(on_unknown) => {
                self.keep_if_passing(serving, session, Some(cluster));
                return match on_unknown {
                    UnknownHostsPolicy::PassThrough => steering.pass_through(cluster),
                    UnknownHostsPolicy::Refuse => self.refuse_unknown(steering),
                };
            }
            Freshness::Stale => steering.count(|counters| &mut counters.stale),
            Freshness::Fresh => {}
        }
        if let Some((policy, session)) = &session
            && policy.refusal().is_some()
            && session.is_in_cluster(policy, serving.unknown_owners(cluster))
        {
            // Its host may exist, so the session is not lost.
            return self.refuse_unknown(steering);
        }
        let request = Request {
            hash_policies: &settings.hash_policies,
            criteria: &criteria,
            cluster_choice: settings.cluster_choice,
            ..Request::new(cluster, &headers)
        };
        self.decide(steering, request, session, token, trace)
    }

    /// Refuses a request whose session is lost. If that fails, the response must still hide the host's
    /// own session id.
    #[cold]
    #[inline(never)]
    fn refuse_session<S: Stream>(
        &mut self,
        mut steering: Steering<'_, S>,
        session: RequestSession,
    ) -> Next {
        let next = self.refuse(&mut steering, RefusalReason::SessionLost);
        if next == Next::Forward {
            self.keep(session);
        }
        next
    }

    /// Refuses a request whose hosts are unknown.
    #[cold]
    #[inline(never)]
    fn refuse_unknown<S: Stream>(&mut self, mut steering: Steering<'_, S>) -> Next {
        steering.count(|counters| &mut counters.hosts_unknown);
        self.refuse(&mut steering, RefusalReason::HostsUnknown)
    }

    /// Keeps the session of a request that passes through to `target`, if its response needs it.
    fn keep_if_passing(
        &mut self,
        serving: &Serving,
        session: Option<(&SessionPolicy, RequestSession)>,
        target: Option<ClusterId>,
    ) {
        let hosts = Hosts {
            snapshot: &serving.snapshot,
            directory: &serving.directory,
        };
        if let Some((policy, session)) = session
            && let Some(session) = session.passing(policy, hosts, target)
        {
            self.keep(session);
        }
    }

    /// Keeps a session for the response.
    fn keep(&mut self, session: RequestSession) {
        if let Some(response) = &mut self.response {
            response.session = Some(session);
        }
    }

    /// Ends the request: it no longer counts as active. Dropping it has the same effect.
    pub fn on_end(&mut self) {
        self.active = None;
    }
}

impl<S: Stream> Steering<'_, S> {
    /// Reads the session of the request, and hides its token from the upstream host.
    fn read_session(
        &mut self,
        policy: &SessionPolicy,
        headers: &S::Headers,
        criteria: &Metadata,
    ) -> (RequestSession, TokenOutcome) {
        let settings = &self.serving.settings;
        let plugin = self.stream.plugin();
        let now = plugin.wall_clock() / 1_000_000_000;
        // An environment without a monotonic clock has the wall clock only.
        let age_clock = || match plugin.monotonic_clock() {
            Some(nanoseconds) => nanoseconds / 1_000_000,
            None => now.saturating_mul(1_000),
        };
        let query = SessionQuery {
            headers,
            criteria,
            directory: &self.serving.directory,
            now,
            age_clock: if policy.has_windows() { age_clock() } else { 0 },
            hash: &|| settings.hash(headers),
        };
        let (session, outcome) = self.worker.read_session(policy, &query);
        self.worker.sessions.token(self.stream.plugin(), outcome);
        let name = policy.header();
        self.is_changed |= name.is_some_and(|name| headers.first(name).is_some());
        if !session.forward(self.stream, policy, headers) {
            self.count(|counters| &mut counters.host_failures);
        }
        (session, outcome)
    }

    /// Adds one to a counter.
    fn count(&mut self, counter: impl FnOnce(&mut DecisionCounters) -> &mut Counter) {
        counter(&mut self.worker.decisions).add(self.stream.plugin());
    }
}

/// Whether the host of a session is known and serves requests to this target.
fn has_known_host(
    serving: &Serving,
    session: Option<&(&SessionPolicy, RequestSession)>,
    target: ClusterId,
) -> bool {
    let host = session.and_then(|(_, session)| session.known_host());
    host.is_some_and(|host| serving.session_owners(target).contains(&host.cluster))
}
