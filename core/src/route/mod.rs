//! From a request to a cluster and a hash.

mod hash_policy;
mod headers;
mod matcher;
mod pattern;
mod retry;
mod table;

pub use hash_policy::{Connection, HashPolicy, HashSource, RegexRewrite, request_hash};
pub use headers::{HeaderList, Headers};
pub use matcher::{HeaderMatch, HeaderMatcher, PathMatch, RouteMatch, TextMatch};
pub use pattern::{Pattern, Regex};
pub use retry::{HostPredicate, RetryPolicy};
pub use table::{Route, RouteAction, RouteTable, VirtualHost};
