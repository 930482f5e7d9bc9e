//! A request for the routes of an imported configuration, and where they send it.

use alloc::{string::String, vec::Vec};

use spillgate_core::model::Metadata;

use super::{
    ImportFault, TextPosition,
    fields::{bytes, fields, variants},
};

/// A request.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RouteQuestion {
    /// The listener, by its index in [`RouteAnswer::listeners`].
    pub listener: usize,
    /// The host; empty for the proposed one.
    pub host: String,
    /// The path with its query; empty for the proposed one.
    pub path: String,
    /// The method.
    pub method: String,
    /// Further headers, with lower-case names.
    pub headers: Vec<(String, String)>,
    /// The address of the client, with its port.
    pub source: String,
    /// The random number of the request.
    pub number: u64,
}

/// Where the routes send a request.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RouteAnswer {
    /// The listeners with routes for HTTP requests; empty if the text has none.
    pub listeners: Vec<String>,
    /// The host of the request.
    pub host: String,
    /// The path of the request.
    pub path: String,
    /// What the routes, and the hash policies of the matched route, read of a request.
    pub fields: Vec<RouteField>,
    /// The steps, in order.
    pub steps: Vec<RouteStep>,
    /// The cluster; `None` if the request goes to none, or if it is unknown.
    pub cluster: Option<String>,
    /// The request hash, if a hash policy makes one.
    pub hash: Option<u64>,
    /// The subset criteria.
    pub criteria: Metadata,
    /// Whether the random number was used, so that later choices use the next one.
    pub uses_number: bool,
    /// The response of a request without a cluster.
    pub reply: Option<RouteReply>,
    /// The settings that are not modeled, so that Envoy's decision can differ.
    pub limits: Vec<String>,
    /// The regular expressions that Envoy rejects, as warnings: an import has them too, because figures of clusters do
    /// not depend on them.
    pub rejected: Vec<ImportFault>,
}

/// A response of Envoy itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RouteReply {
    /// Its status.
    pub status: u16,
    /// Why Envoy sends it.
    pub reason: RouteReplyReason,
}

/// Why a request goes to no cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RouteReplyReason {
    /// No route matches.
    NoRoute,
    /// Its route responds itself (`direct_response`, `redirect`).
    Responded,
    /// The connection manager refuses it.
    Refused,
    /// The connection manager refuses it, because its path has a fragment (`#`).
    Fragment,
    /// Its route selects a cluster that does not exist (`cluster_not_found_response_code`).
    UnknownCluster,
}

/// A value that a request can have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RouteField {
    /// Its kind.
    pub kind: RouteFieldKind,
    /// Its name; empty for the address of the client.
    pub name: String,
    /// Whether a hash policy reads it; otherwise a condition of a route does.
    pub is_hashed: bool,
}

/// The kind of a value of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RouteFieldKind {
    /// A header.
    Header,
    /// A cookie.
    Cookie,
    /// A parameter in the query of the path.
    QueryParameter,
    /// The address of the client.
    Source,
}

/// A step from a request to a cluster.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RouteStep {
    /// Its kind: `route` or `cluster`.
    pub kind: String,
    /// Its result.
    pub sentence: String,
    /// The numbers that lead to the result, as a sentence.
    pub arithmetic: Option<String>,
    /// The position of the setting that decides it.
    pub position: Option<TextPosition>,
}

bytes!(RouteQuestion, RouteAnswer);

fields!(RouteQuestion {
    listener,
    host,
    path,
    method,
    headers,
    source,
    number
});
fields!(RouteAnswer {
    listeners,
    host,
    path,
    fields,
    steps,
    cluster,
    hash,
    criteria,
    uses_number,
    reply,
    limits,
    rejected
});
fields!(RouteReply { status, reason });
variants!(RouteReplyReason {
    NoRoute,
    Responded,
    Refused,
    Fragment,
    UnknownCluster
});
fields!(RouteField {
    kind,
    name,
    is_hashed
});
variants!(RouteFieldKind {
    Header,
    Cookie,
    QueryParameter,
    Source
});
fields!(RouteStep {
    kind,
    sentence,
    arithmetic,
    position
});
