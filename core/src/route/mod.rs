//! From a request to a cluster, criteria for subsets and a hash.

mod conditions;
mod domain;
mod forward;
mod header_rule;
mod matcher;
mod request_filter;
mod retry;
mod routed;
mod stateful_session;
mod table;
mod text_match;

pub use conditions::{CookieMatch, HeaderMatch, HeaderMatcher, QueryMatch, QueryMatcher};
pub use forward::{
    ClusterName, Forward, RouteTarget, SplitBy, WeightError, WeightedCluster, WeightedClusters,
};
pub use header_rule::{HeaderRule, KeyValue, RuleSource, ValueType};
pub use matcher::{MatchResult, PathMatch, RouteMatch};
pub use request_filter::{RequestFilter, SetMetadata, dynamic_metadata};
pub use retry::{HostPredicate, RetryPolicy};
pub use routed::{Destination, RouteOutcome, Routed, RouterHeaders};
pub use stateful_session::{
    OverrideHost, SessionMessage, SessionReading, StatefulSession, StatefulSessionCarrier,
    StatefulSessionCookie,
};
pub use table::{Route, RouteAction, RouteMetadata, RouteTable, VirtualHost};
pub use text_match::{StringMatch, TextMatch};

pub use crate::request::{
    Connection, CookieSource, HashPolicy, HashSource, HeaderList, Headers, Pattern, Regex,
    RegexRewrite, Rewrite, cookie_in, request_hash, set_cookies,
};

pub(crate) use crate::request::{combined, cookie};
