//! Routing: from a request to a cluster, subset criteria and a request hash.
//!
//! [`RouteTable::route`] performs Envoy's steps for a request:
//!
//! 1. The virtual host with the most specific domain, then its first matching route. A route with a
//!    fraction compares the random number of the request ([`RouteTable::alternatives`]).
//! 2. The target cluster; a weighted split uses a random number, a header, or the request hash.
//! 3. Dynamic metadata of the HTTP filters `header_to_metadata` and `set_metadata`, which overrides
//!    the subset criteria key by key.
//! 4. The readings of `stateful_session` filters ([`Routed::sessions`]).
//!
//! [`filter_chains`] finds the filter chain of a connection, [`RedisRoutes`] the cluster of a Redis key.
//! A TCP proxy's target is a table with one route ([`RouteTable::of_connections`]).
//!
//! Fields that the engine does not model lead to [`RouteOutcome::Unknown`], never to a guess.

mod alternatives;
mod chosen;
mod conditions;
mod domain;
mod filter_chain;
mod forward;
mod fraction;
mod header_rule;
mod matcher;
mod random_number;
mod redis;
mod request_filter;
mod retried;
mod retry;
mod routed;
mod stateful_session;
mod table;
mod text_match;

pub use alternatives::RouteAlternative;
pub use chosen::{CHOICE_NAMESPACE, CHOSEN_CLUSTER, CHOSEN_HOST, CHOSEN_HOSTS, CHOSEN_HOSTS_KEY};
pub use conditions::{CookieMatch, HeaderMatch, HeaderMatcher, QueryMatch, QueryMatcher};
pub use filter_chain::{
    AddressRange, ConnectionFacts, FilterChainMatch, MatchingChains, SourceType, filter_chains,
};
pub use forward::{
    ClusterName, Forward, RouteTarget, SplitBy, WeightError, WeightedCluster, WeightedClusters,
};
pub use fraction::{FractionDenominator, FractionalPercent};
pub use header_rule::{HeaderRule, KeyValue, RuleSource, ValueType};
pub use matcher::{MatchResult, PathMatch, PathParameters, RouteMatch};
pub use random_number::RandomNumbers;
pub use redis::{RedisRoute, RedisRoutes, RedisTarget};
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
