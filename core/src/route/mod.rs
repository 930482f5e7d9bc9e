//! From a request to a cluster, criteria for subsets and a hash.

mod conditions;
mod connection;
pub(crate) mod cookie;
mod domain;
mod forward;
mod generated_cookie;
mod hash_policy;
mod header_rule;
mod headers;
mod matcher;
mod pattern;
mod request_filter;
mod retry;
mod routed;
pub(crate) mod stateful_session;
mod table;
mod text_match;

pub use conditions::{CookieMatch, HeaderMatch, HeaderMatcher, QueryMatch, QueryMatcher};
pub use connection::Connection;
pub use forward::{
    ClusterName, Forward, SplitBy, Target, WeightError, WeightedCluster, WeightedClusters,
};
pub use generated_cookie::set_cookies;
pub use hash_policy::{CookieSource, HashPolicy, HashSource, request_hash};
pub use header_rule::{HeaderRule, KeyValue, RuleSource, ValueType};
pub use headers::{HeaderList, Headers};
pub use matcher::{Fit, PathMatch, RouteMatch};
pub use pattern::{Pattern, Regex, RegexRewrite, Rewrite};
pub use request_filter::{RequestFilter, SetMetadata, dynamic_metadata};
pub use retry::{HostPredicate, RetryPolicy};
pub use routed::{Destination, RouteOutcome, Routed, RouterHeaders};
pub use stateful_session::{
    OverrideHost, SessionCarrier, SessionCookie, SessionReading, StatefulSession,
};
pub use table::{Route, RouteAction, RouteTable, VirtualHost};
pub use text_match::{StringMatch, TextMatch};
