//! One request: what the client must not say is dropped, the decision is written, the answer goes
//! back clean.

use crate::abi::Action;
use crate::active::InFlight;
use crate::balancing::Serving;
use crate::headers::{self, Written};
use crate::health::Trust;
use crate::host::{self, Side};
use crate::plugin::{self, Plugin};
use crate::request_headers::RequestHeaders;
use crate::route::Route;
use crate::sessions::Visit;
use crate::worker::Worker;
use spillgate_config::filter::{Output, TraceConfig};
use spillgate_core::decide::{Decision, Reason};
use spillgate_core::route::Headers;
use spillgate_core::snapshot::ClusterId;
use spillgate_core::trace::Step;
use std::rc::Rc;

/// The status that Envoy itself answers where no host is left.
const NO_HOST_STATUS: u32 = 503;
/// Envoy's own words for it, so that clients see no difference.
const NO_HOST_BODY: &str = "no healthy upstream";
/// What access logs show (`%RESPONSE_CODE_DETAILS%`): there it does differ.
const NO_HOST_DETAILS: &str = "spillgate_no_host";
/// What a client is told whose session is lost, and what access logs show.
const LOST_BODY: &str = "session lost";
const LOST_DETAILS: &str = "spillgate_session_lost";
/// The name in filter state that access logs find a decision under, behind `wasm.`.
const LOGGED_DECISION: &str = "spillgate.decision";

/// The context of one request.
pub(crate) struct Http {
    serving: Option<Serving>,
    /// Its session, where sessions are kept.
    visit: Option<Visit>,
    /// Counts until the request ends.
    in_flight: Option<InFlight>,
    /// The decision, for a caller who may read it.
    traced: Option<Traced>,
}

struct Traced {
    decision: Decision,
    steps: Option<Vec<Step>>,
}

impl Http {
    /// A request under the configuration that serves, if there is one.
    pub(crate) const fn new(serving: Option<Serving>) -> Self {
        Self {
            serving,
            visit: None,
            in_flight: None,
            traced: None,
        }
    }

    /// Decides and writes. Everything of the client's is dropped before anything is decided.
    fn steer(&mut self, serving: &Serving, worker: &mut Worker) -> Action {
        let plugin = &*serving.plugin;
        let read = plugin.reads_headers.then(host::request_headers);
        let asked = plugin
            .trace
            .as_ref()
            .filter(|trace| is_asked(trace, read.as_ref()));
        if !drop_internal(plugin, read.as_ref()) {
            worker.counters.host_failure();
        }
        let headers = read.unwrap_or_default();

        let route = match plugin.reads_route {
            true => worker.routes.current(),
            false => Rc::default(),
        };
        let criteria = plugin.criteria.of(&headers, &route.criteria);
        let mut visit = None;
        if let Some(affinity) = &plugin.affinity {
            let hash = plugin.hash(&headers);
            let ids = &serving.directory;
            let (one, presented) = affinity.visit(&headers, &criteria, ids, hash, || worker.draw());
            worker.sessions.presented(presented);
            if !one.forward(affinity, &headers) {
                worker.counters.host_failure();
            }
            if let (Some(refusal), true) = (affinity.refusal(), presented.is_unknown(affinity)) {
                return self.refuse(worker, refusal);
            }
            visit = Some((affinity, one));
        }
        let key = visit
            .as_ref()
            .and_then(|(affinity, visit)| visit.key(affinity));
        let Some(cluster) = target(serving, worker, &headers, &route, key) else {
            worker.counters.passed_through();
            return Action::Continue;
        };
        match serving.trust.get(cluster.index()) {
            Some(Trust::None) => return pass_through(serving, worker, cluster),
            Some(Trust::Stale) => worker.counters.stale(),
            Some(Trust::Fresh) | None => {}
        }
        let logged = plugin
            .access_log
            .filter(|log| worker.draw() % 1_000_000 < u64::from(log.millionths));
        let wants_steps =
            asked.is_some_and(|trace| trace.steps) || logged.is_some_and(|log| log.steps);
        let mut steps = wants_steps.then(Vec::new);
        let snapshot = &*serving.snapshot;
        let asks = (cluster, &*criteria);
        let split = plugin.targets.split();
        let others = if split.contains(&cluster) { split } else { &[] };
        let sessions = visit.as_ref().map(|(affinity, visit)| {
            visit.sessions(affinity, (snapshot, &serving.directory), cluster, others)
        });
        let by = (&headers, sessions);
        let decision = worker.decide(plugin, snapshot, asks, by, &mut steps);
        if let Some((_, visit)) = &mut visit {
            worker.session_decided(plugin, &decision, visit.decided(&decision));
        }
        self.in_flight = decision
            .host_ref()
            .and_then(|host| worker.active.begin(host));
        if let Some(log) = logged {
            let told = steps.as_deref().filter(|_| log.steps);
            host::set_property(LOGGED_DECISION, &plugin.explain(snapshot, &decision, told));
        }
        if let Some(trace) = asked {
            let steps = steps.filter(|_| trace.steps);
            self.traced = Some(Traced { decision, steps });
        }
        let refusal = visit.as_ref().and_then(|(affinity, _)| affinity.refusal());
        self.visit = visit.map(|(_, visit)| visit);
        if let (Some(refusal), Some(_), None) = (refusal, decision.moved, decision.host) {
            return self.refuse(worker, refusal);
        }
        // A session that must not move is not for any other host of a list.
        let alone = refusal.is_some() && decision.reason == Reason::Session;
        match headers::write(plugin, snapshot, &decision, (&criteria, alone)) {
            Written::All(true) => return Action::Continue,
            Written::All(false) => {}
            Written::NoHost => {
                if host::respond(NO_HOST_STATUS, NO_HOST_DETAILS, NO_HOST_BODY, &[]) {
                    return Action::Pause;
                }
            }
        }
        // The request goes on without our headers, and Envoy sees what it can do.
        worker.counters.host_failure();
        Action::Continue
    }

    /// Tells a client whose session is lost to begin anew.
    fn refuse(&self, worker: &mut Worker, (status, retry_after): (u32, Option<u64>)) -> Action {
        let seconds = retry_after.map(|seconds| seconds.to_string());
        let header = seconds.as_deref().map(|seconds| ("retry-after", seconds));
        if host::respond(status, LOST_DETAILS, LOST_BODY, header.as_slice()) {
            return Action::Pause;
        }
        worker.counters.host_failure();
        Action::Continue
    }
}

/// The cluster that is balanced, if any is: the route's, where it may say so, or the configured.
fn target<H: Headers>(
    serving: &Serving,
    worker: &mut Worker,
    headers: &H,
    route: &Route,
    key: Option<u64>,
) -> Option<ClusterId> {
    if serving.plugin.route_settings {
        if route.disabled {
            return None;
        }
        if let Some(name) = &route.target {
            match serving.snapshot.cluster_id(name) {
                Some(cluster) => return Some(cluster),
                None => worker.counters.unknown_target(),
            }
        }
    }
    worker.target(&serving.plugin, headers, key)
}

/// Nothing that may count is known of the hosts, so Envoy balances the cluster.
fn pass_through(serving: &Serving, worker: &mut Worker, cluster: ClusterId) -> Action {
    worker.counters.passed_through();
    let name = serving
        .snapshot
        .cluster(cluster)
        .map_or("", |cluster| &cluster.name);
    if !headers::leave_to_envoy(&serving.plugin, name) {
        worker.counters.host_failure();
    }
    Action::Continue
}

/// Drops what clients must not say. Whether it worked. Names that are known to be absent are
/// passed over: a call to the host costs more than a look.
fn drop_internal(plugin: &Plugin, read: Option<&RequestHeaders>) -> bool {
    let mut dropped = true;
    for name in &plugin.request_headers_to_drop {
        let absent = read.is_some_and(|headers| headers.first(name).is_none());
        if !absent {
            dropped &= host::remove_header(Side::Request, name);
        }
    }
    dropped
}

/// Whether the caller presents the debug secret. Only the first copy of the header counts.
fn is_asked(trace: &TraceConfig, read: Option<&RequestHeaders>) -> bool {
    let name = &trace.when.header;
    match read {
        Some(headers) => headers
            .first(name)
            .is_some_and(|given| plugin::opens(trace, given)),
        None => host::request_header(name).is_some_and(|given| plugin::opens(trace, &given)),
    }
}

impl Http {
    /// The request's headers are here.
    pub(crate) fn on_request_headers(&mut self) -> Action {
        let Some(serving) = self.serving.clone() else {
            // Envoy lets no traffic through before a configuration is taken; other hosts may.
            let Output {
                host_header,
                cluster_header,
                ..
            } = Output::default();
            host::remove_header(Side::Request, &host_header);
            host::remove_header(Side::Request, &cluster_header);
            return Action::Continue;
        };
        match serving.worker.try_borrow_mut() {
            Ok(mut worker) => self.steer(&serving, &mut worker),
            // Callbacks do not nest, so nobody else holds it.
            Err(_) => Action::Continue,
        }
    }

    /// The answer's headers are here.
    pub(crate) fn on_response_headers(&self) {
        let Some(serving) = &self.serving else {
            return;
        };
        let (plugin, snapshot) = (&serving.plugin, &serving.snapshot);
        for name in &plugin.response_headers_to_drop {
            host::remove_header(Side::Response, name);
        }
        if let (Some(visit), Some(affinity)) = (&self.visit, &plugin.affinity) {
            visit.answered(affinity, snapshot, &serving.directory);
        }
        if let (Some(traced), Some(trace)) = (&self.traced, &plugin.trace) {
            let text = plugin.explain(snapshot, &traced.decision, traced.steps.as_deref());
            host::set_header(Side::Response, &trace.header, &text);
        }
    }

    /// The request is over.
    pub(crate) fn on_log(&mut self) {
        // Dropping the context counts it out too, should this never be called.
        self.in_flight = None;
    }
}
