//! Where the routes of a configuration send a request.

use alloc::{borrow::ToOwned as _, format, string::String, vec::Vec};

use spillgate_codec::import::{
    RouteAnswer, RouteField, RouteFieldKind, RouteQuestion, RouteReply, RouteReplyReason, RouteStep,
};
use spillgate_config::{
    Affects, Position,
    envoy::{EnvoyConfig, ListenerConfig, ListenerProtocol},
    node::decode,
};
use spillgate_core::{
    model::ClusterKind,
    route::{
        ClusterName, Connection, Destination, HashPolicy, HashSource, HeaderList, Headers,
        PathMatch, ReceivedRequest, RequestFilter, Route, RouteAction, RouteOutcome, RouteTable,
        RouteTarget, Routed, SplitBy, request_hash,
    },
    snapshot::Snapshot,
    trace::{ConfigRef, Step, StepData},
};
use spillgate_explain::{arithmetic, chosen_cluster, matched_route, no_route, sentence};

use crate::{
    expressions::{CompiledConfig, rejected},
    position::position,
    rejection::rejection,
};

/// The client's address without a stated one, as in `spillgate explain`.
const SOURCE: &str = "127.0.0.1:40000";

/// The proxy's end of the connection if its listener has no address, as in `spillgate explain`.
const LOCAL: &str = "127.0.0.1:10000";

/// The host of requests for a virtual host of any domain.
const ANY_HOST: &str = "localhost";

/// Reads a configuration and routes a request. The question is a [`RouteQuestion`] and the answer a
/// [`RouteAnswer`], both as bytes; empty for other questions.
#[must_use]
pub fn route_answer(text: &[u8], question: &[u8]) -> Vec<u8> {
    let Some(question) = RouteQuestion::from_bytes(question) else {
        return Vec::new();
    };
    let answer = decode(text).ok().and_then(|text| {
        let CompiledConfig { config, errors } = CompiledConfig::read(text)?;
        let answer = answer(&config, errors.first().map(rejection), &question);
        Some(RouteAnswer {
            rejected: rejected(text, errors),
            ..answer
        })
    });
    answer.unwrap_or_default().to_bytes()
}

/// A listener whose requests the routes alone send to a cluster. The Spillgate filter would choose the host.
fn is_routed(listener: &ListenerConfig) -> bool {
    let steers = |filter: &RequestFilter| matches!(filter, RequestFilter::Spillgate(_));
    let table = &listener.routes;
    let own = table.virtual_hosts.iter().flat_map(|host| &host.routes);
    let mut own = own.filter_map(|route| route.filters.as_ref()).flatten();
    listener.protocol == ListenerProtocol::Http
        && !table.virtual_hosts.is_empty()
        && !table.filters.iter().any(steers)
        && !own.any(steers)
}

fn answer(config: &EnvoyConfig, rejected: Option<String>, question: &RouteQuestion) -> RouteAnswer {
    let listeners = config.listeners.iter().enumerate();
    let routed: Vec<(usize, &ListenerConfig)> =
        listeners.filter(|(_, one)| is_routed(one)).collect();
    let Some(&(at, listener)) = routed.get(question.listener).or(routed.first()) else {
        return RouteAnswer::default();
    };
    let (host, path) = proposed(&listener.routes);
    let given = |value: &str, proposed: String| match value {
        "" => proposed,
        value => value.to_owned(),
    };
    let (host, path) = (given(&question.host, host), given(&question.path, path));
    let own = [
        (":method", &question.method),
        (":authority", &host),
        (":path", &path),
    ];
    let own = own.map(|(name, value)| (name.to_owned(), value.clone()));
    let headers: Vec<(String, String)> = own
        .into_iter()
        .chain(question.headers.iter().cloned())
        .collect();
    let headers = HeaderList(&headers);
    let local = listener.chain.client_address();
    let connection = Connection {
        remote: match question.source.as_str() {
            "" => SOURCE,
            stated => stated,
        },
        any_port: question.source.is_empty(),
        local: local.as_deref().unwrap_or(LOCAL),
        ..Connection::default()
    };
    let received = listener.routes.receive(&headers, connection);
    let mut routing = Routing {
        config,
        listener,
        answer: RouteAnswer {
            listeners: routed.iter().map(|(_, one)| title(one)).collect(),
            ..RouteAnswer::default()
        },
    };
    let route = match rejected {
        Some(why) => {
            routing.answer.limits.push(why);
            None
        }
        None => routing.run(&received, (&host, &path), question.number),
    };
    routing.add_conditions(&host);
    routing.add_limits(at, route);
    RouteAnswer {
        host,
        path,
        ..routing.answer
    }
}

/// The name of a listener in a list.
fn title(listener: &ListenerConfig) -> String {
    match (listener.name.as_str(), listener.address.as_str()) {
        ("", address) => address.to_owned(),
        (name, "") => name.to_owned(),
        (name, address) => format!("{name} ({address})"),
    }
}

/// A host and a path that the first route matches.
fn proposed(routes: &RouteTable) -> (String, String) {
    let first = routes.virtual_hosts.first();
    let domain = first.and_then(|host| host.domains.first());
    let host = match domain.map(String::as_str) {
        None | Some("*") => ANY_HOST.to_owned(),
        Some(domain) => domain.replacen('*', "a", 1),
    };
    let route = first.and_then(|host| host.routes.first());
    let path = match route.map(|route| &route.matcher.path) {
        Some(
            PathMatch::Prefix(path) | PathMatch::Exact(path) | PathMatch::PathSeparatedPrefix(path),
        ) => path.clone(),
        _ => "/".to_owned(),
    };
    (host, path)
}

struct Routing<'c> {
    config: &'c EnvoyConfig,
    listener: &'c ListenerConfig,
    answer: RouteAnswer,
}

impl Routing<'_> {
    /// Routes a request, and returns the number of its route.
    fn run<H: Headers>(
        &mut self,
        received: &ReceivedRequest<'_, H>,
        (host, path): (&str, &str),
        number: u64,
    ) -> Option<usize> {
        let routes = &self.listener.routes;
        let found = routes.alternatives(received);
        let draws = found.len() > 1;
        let found = found.into_iter().find(|one| one.numbers.contains(number));
        // The alternatives have all numbers.
        let outcome = found.map_or(RouteOutcome::NotFound, |one| one.outcome);
        self.answer.uses_number = draws;
        let drawn = draws.then_some(number);
        match outcome {
            RouteOutcome::Forward(routed) => {
                self.forward(&routed, number, draws);
                Some(routed.route.id)
            }
            RouteOutcome::Respond { route, status } => {
                self.matched(route, drawn);
                self.reply(status, RouteReplyReason::Responded);
                Some(route.id)
            }
            RouteOutcome::Refused { status } => {
                let manager = routes.manager.as_ref();
                let has_fragment = manager.is_some_and(|one| one.refuses_fragment(path.as_bytes()));
                let reason = if has_fragment {
                    RouteReplyReason::Fragment
                } else {
                    RouteReplyReason::Refused
                };
                self.reply(status, reason);
                None
            }
            RouteOutcome::NotFound => {
                self.step(None, no_route(routes, host), ConfigRef::RouteMatch);
                self.reply(404, RouteReplyReason::NoRoute);
                None
            }
            RouteOutcome::Unknown { route, why } => {
                self.matched(route, drawn);
                self.unknown(why);
                Some(route.id)
            }
        }
    }

    fn reply(&mut self, status: u16, reason: RouteReplyReason) {
        self.answer.reply = Some(RouteReply { status, reason });
    }

    fn unknown(&mut self, field: &str) {
        let limit = format!("{field} is not modeled here: Envoy's decision is unknown");
        self.answer.limits.push(limit);
    }

    fn matched(&mut self, route: &Route, number: Option<u64>) {
        let data = matched_route(&self.listener.routes, route, number);
        self.step(Some(route), data, ConfigRef::RouteMatch);
    }

    fn forward<H: Headers>(&mut self, routed: &Routed<'_, H>, number: u64, draws: bool) {
        let route = routed.route;
        let is_random = draws || routed.is_random();
        let destination = routed.choose(if is_random { number } else { 0 });
        let cluster = destination.cluster.unwrap_or_default();
        self.matched(route, draws.then_some(number));
        let of_split = routed.is_random().then_some(number);
        if let Some(data) = chosen_cluster(route, cluster, of_split, false) {
            self.step(Some(route), data, ConfigRef::RouteSplit);
        }
        self.answer.uses_number = is_random;
        for policy in routed.hash_policies() {
            self.add_hashed(policy);
        }
        let clusters = self.config.model.clusters();
        let Some(found) = clusters.iter().find(|one| one.name == cluster) else {
            let status = routed.cluster_not_found();
            self.reply(status, RouteReplyReason::UnknownCluster);
            return;
        };
        self.answer.cluster = Some(cluster.to_owned());
        self.answer.hash = routed.hash(&destination);
        if let ClusterKind::Plain(plain) = &found.kind
            && !plain.hash_policies.is_empty()
        {
            self.cluster_hash(routed, &destination, &plain.hash_policies);
        }
        self.answer.criteria = destination.criteria;
    }

    /// The hash policies of a load-balancing policy replace those of the route.
    fn cluster_hash<H: Headers>(
        &mut self,
        routed: &Routed<'_, H>,
        destination: &Destination<'_>,
        policies: &[HashPolicy],
    ) {
        let headers = routed.headers(destination);
        let hash = request_hash(policies, &headers, &routed.connection);
        self.answer.hash = hash;
        self.step(None, StepData::ClusterHash { hash }, ConfigRef::RouteMatch);
        self.answer.fields.clear();
        for policy in policies {
            self.add_hashed(policy);
        }
    }

    fn step(&mut self, route: Option<&Route>, data: StepData, config: ConfigRef) {
        let snapshot = Snapshot::empty();
        let marks = route.and_then(|route| self.listener.marks.get(route.id));
        let place = marks.map(|marks| match config {
            ConfigRef::RouteSplit => marks.weighted_clusters.unwrap_or(marks.route),
            _ => marks.route,
        });
        let step = Step { data, config };
        self.answer.steps.push(RouteStep {
            kind: step.kind().name().to_owned(),
            sentence: sentence(&snapshot, &step.data),
            arithmetic: arithmetic(&snapshot, &step.data),
            position: place.map(|place: Position| position(place)),
        });
    }

    fn add_hashed(&mut self, policy: &HashPolicy) {
        let (kind, name) = match &policy.source {
            HashSource::Header { name, .. } => (RouteFieldKind::Header, name.as_str()),
            HashSource::Cookie(cookie) => {
                if cookie.ttl.is_some() {
                    self.add_field(RouteFieldKind::Source, "", true);
                }
                (RouteFieldKind::Cookie, cookie.name.as_str())
            }
            HashSource::QueryParameter { name } => (RouteFieldKind::QueryParameter, name.as_str()),
            HashSource::SourceIp => (RouteFieldKind::Source, ""),
            HashSource::FilterState { key } => {
                let limit =
                    format!("the filter state {key}, which the hash policy reads, is not set here");
                self.answer.limits.push(limit);
                return;
            }
            _ => return,
        };
        self.add_field(kind, name, true);
    }

    /// What the routes of the virtual host read.
    fn add_conditions(&mut self, host: &str) {
        let found = self.listener.routes.virtual_host(host.as_bytes());
        for route in found.iter().flat_map(|host| &host.routes) {
            let matcher = &route.matcher;
            for header in &matcher.headers {
                self.add_field(RouteFieldKind::Header, &header.name, false);
            }
            for cookie in &matcher.cookies {
                self.add_field(RouteFieldKind::Cookie, &cookie.name, false);
            }
            for query in &matcher.query_parameters {
                self.add_field(RouteFieldKind::QueryParameter, &query.name, false);
            }
            self.add_target(route);
        }
    }

    /// The headers that choose the cluster.
    fn add_target(&mut self, route: &Route) {
        let RouteAction::Forward(forward) = &route.action else {
            return;
        };
        match &forward.target {
            RouteTarget::One(ClusterName::Header(name)) => {
                self.add_field(RouteFieldKind::Header, name, false);
            }
            RouteTarget::Weighted(clusters) => {
                if let SplitBy::Header(name) = clusters.by() {
                    self.add_field(RouteFieldKind::Header, name, false);
                }
            }
            RouteTarget::Matched(matcher) => {
                for name in matcher.headers() {
                    self.add_field(RouteFieldKind::Header, name, false);
                }
            }
            RouteTarget::One(ClusterName::Name(_)) | RouteTarget::Chosen(_) => {}
        }
    }

    /// Adds a field once. The form has the host, the path and the method anyway.
    fn add_field(&mut self, kind: RouteFieldKind, name: &str, is_hashed: bool) {
        /// A form has at most this many fields.
        const MOST: usize = 16;
        let fields = &mut self.answer.fields;
        let is_own = matches!(name, ":authority" | ":path" | ":method" | "host");
        let mut have = fields.iter();
        if is_own || fields.len() >= MOST || have.any(|one| one.kind == kind && one.name == name) {
            return;
        }
        fields.push(RouteField {
            kind,
            name: name.to_owned(),
            is_hashed,
        });
    }

    /// The limits of the listener and of the route; those of clusters are shown with their figures.
    fn add_limits(&mut self, listener: usize, route: Option<usize>) {
        let limits = self.config.limits().filter(|limit| match limit.affects {
            Affects::Listener(at) | Affects::HandOff(at) => at == listener,
            Affects::Route {
                listener: at,
                route: id,
            } => at == listener && Some(id) == route,
            Affects::Everything | Affects::Cluster(_) => false,
        });
        let texts = limits.map(|limit| limit.message.clone());
        self.answer.limits.extend(texts);
    }
}
