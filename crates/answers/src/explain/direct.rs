//! A request that no route of the configuration sends to its cluster (`--cluster`).
//!
//! A route of its own has what the options state: subset criteria, a hash key, a session. So the engine treats
//! them as those of a configured route.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use spillgate_core::{
    model::Metadata,
    route::{
        ClusterName, Forward, HashPolicy, HashSource, HeaderMutations, PathMatch, RequestFilter,
        RequestRewrite, RetryPolicy, Route, RouteAction, RouteMatch, RouteMetadata, RouteTable,
        RouteTarget, SessionStateKind, StatefulSession, VirtualHost, field_value,
    },
};

use crate::pick::{PickRequest, UNAVAILABLE};

/// The header with the hash key, as in the playground.
const KEY_HEADER: &str = "x-key";

/// The header with the session.
const SESSION_HEADER: &str = "x-session";

/// What a question states in addition to the criteria.
#[derive(Debug, Clone, Copy, Default)]
pub struct DirectQuestion<'q> {
    /// The key to hash.
    pub hash_key: Option<&'q str>,
    /// The host of the session.
    pub session_host: Option<&'q str>,
    /// Whether no other host may serve the session.
    pub strict_session: bool,
}

/// Routes that send everything to one cluster, with these criteria, and the hash policy and session of the
/// question.
pub(super) fn direct(
    cluster: &str,
    question: &DirectQuestion<'_>,
    criteria: Metadata,
) -> RouteTable {
    let key = question.hash_key.is_some().then(|| HashPolicy {
        source: HashSource::Header {
            name: KEY_HEADER.into(),
            rewrite: None,
        },
        terminal: false,
    });
    let session = question.session_host.is_some().then(|| {
        RequestFilter::StatefulSession(StatefulSession {
            carrier: SessionStateKind::Header(SESSION_HEADER.into()),
            strict: question.strict_session,
            status_not_found: StatefulSession::UNAVAILABLE,
        })
    });
    let route = Route {
        id: 0,
        name: String::new(),
        matcher: RouteMatch::path(PathMatch::Prefix(String::new())),
        action: RouteAction::Forward(Forward {
            target: RouteTarget::One(ClusterName::Name(cluster.to_owned())),
            criteria,
            hash_policies: key.into_iter().collect(),
            rewrite: RequestRewrite::default(),
            retry: RetryPolicy::NONE,
            cluster_not_found: UNAVAILABLE,
        }),
        filters: session.map(|session| vec![session]),
        headers: HeaderMutations::default(),
        metadata: RouteMetadata::default(),
    };
    RouteTable {
        virtual_hosts: vec![VirtualHost {
            name: String::new(),
            domains: vec!["*".to_owned()],
            routes: vec![route],
            headers: HeaderMutations::default(),
        }],
        ..RouteTable::default()
    }
}

/// Adds the headers that the route of [`direct`] reads. They precede other headers of these names.
pub(super) fn add_headers(question: &DirectQuestion<'_>, request: &mut PickRequest) {
    let key = question.hash_key.map(|key| field_value(key).to_owned());
    let session = question.session_host;
    // Padded, as Envoy writes it.
    let session = session.map(|host| BASE64_STANDARD.encode(host));
    let added = [(KEY_HEADER, key), (SESSION_HEADER, session)];
    for (name, value) in added {
        if let Some(value) = value {
            request.headers.insert(0, (name.to_owned(), value));
        }
    }
}
