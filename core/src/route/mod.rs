//! Routing: from a request to a cluster, subset criteria and a request hash.
//!
//! A [`RouteTable`] performs Envoy's steps for a request:
//!
//! 1. The connection manager changes headers, path and host ([`RouteTable::receive`]).
//! 2. The virtual host with the most specific domain, then its first matching route. A route with a
//!    fraction compares the random number of the request ([`RouteTable::alternatives`]).
//! 3. The target cluster; a weighted split uses a random number, a header, or the request hash.
//! 4. The HTTP filters before the router change headers (`header_mutation`), read sessions
//!    (`stateful_session`, [`Routed::sessions`]) and set dynamic metadata (`header_to_metadata`,
//!    `set_metadata`), which overrides the subset criteria key by key.
//! 5. The route changes headers, path and host ([`Routed::headers`]). Hash policies and override
//!    hosts read the result.
//!
//! [`filter_chains`] finds the filter chain of a connection, [`RedisRoutes`] the cluster of a Redis key.
//! A TCP proxy's target is a table with one route ([`RouteTable::of_connections`]).
//!
//! Fields that the engine does not model lead to [`RouteOutcome::Unknown`], never to a guess.

mod alternatives;
mod asked_again;
mod chosen;
mod cluster_matcher;
mod conditions;
mod domain;
mod filter_chain;
mod filter_run;
mod forward;
mod fraction;
mod header_format;
mod header_mutation;
mod header_rule;
mod manager;
mod matcher;
mod named_clusters;
mod random_number;
mod read_headers;
mod redis;
mod request_filter;
mod retried;
mod retry;
mod retry_limits;
mod rewrite;
mod routed;
mod routing;
mod split;
mod stateful_session;
mod table;
mod text_match;

pub use alternatives::RouteAlternative;
pub use chosen::{CHOICE_NAMESPACE, CHOSEN_CLUSTER, CHOSEN_HOST, CHOSEN_HOSTS, CHOSEN_HOSTS_KEY};
pub use cluster_matcher::{BranchTarget, ClusterBranch, ClusterMatcher, HeaderCondition};
pub use conditions::{CookieMatch, HeaderMatch, HeaderMatcher, QueryMatch, QueryMatcher};
pub use filter_chain::{
    AddressRange, ConnectionFacts, FilterChainMatch, MatchingChains, SourceType, filter_chains,
};
pub use forward::{
    ClusterName, Forward, RouteTarget, SplitBy, WeightError, WeightedCluster, WeightedClusters,
};
pub use fraction::{FractionDenominator, FractionalPercent};
pub use header_format::{AddressPart, FormatAddress, FormatPart, HeaderFormat};
pub use header_mutation::{AddedHeader, AppendAction, HeaderMutation, HeaderMutations};
pub use header_rule::{HeaderRule, KeyValue, RuleSource, ValueType};
pub use manager::{
    AddressDetection, ClientAddress, ConnectionManager, EscapedSlashes, PathFragments,
    PortStripping, ReceivedRequest,
};
pub use matcher::{MatchResult, PathMatch, PathParameters, RouteMatch, is_grpc};
pub use random_number::RandomNumbers;
pub use redis::{RedisRoute, RedisRoutes, RedisTarget};
pub use request_filter::{RequestFilter, SetMetadata};
pub use retry::{HostPredicate, RETRY_HEADERS, RetryPolicy};
pub use retry_limits::{RetryBackOff, RetryCap};
pub use rewrite::{HostRewrite, PathRewrite, RequestRewrite};
pub use routed::{Destination, Routed, RouterHeaders};
pub use routing::RouteOutcome;
pub use stateful_session::{
    OverrideHost, SessionMessage, SessionReading, SessionStateKind, StatefulSession,
    StatefulSessionCookie,
};
pub use table::{Route, RouteAction, RouteMetadata, RouteTable, VirtualHost};
pub use text_match::{StringMatch, TextMatch};

pub use crate::request::{
    ChangedHeaders, Connection, CookieSource, HashPolicy, HashSource, HashedAddress, HeaderChanges,
    HeaderList, Headers, Pattern, ProxyFilter, Regex, RegexRewrite, Rewrite, cookie_in,
    field_value, hashed_addresses, request_hash, set_cookies,
};

pub(crate) use crate::request::{combined, cookie};
