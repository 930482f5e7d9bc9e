//! The parts of a request before routing, and its hash.
//!
//! [`route`](crate::route) re-exports the public items.

mod changed;
mod combined_headers;
mod connection;
pub(crate) mod cookie;
mod generated_cookie;
mod hash_policy;
mod hashed_address;
mod headers;
mod pattern;

pub use changed::{ChangedHeaders, HeaderChanges};
pub use connection::{Connection, ProxyFilter};
pub use cookie::cookie_in;
pub use generated_cookie::set_cookies;
pub use hash_policy::{CookieSource, HashPolicy, HashSource, request_hash};
pub use hashed_address::{HashedAddress, hashed_addresses};
pub use headers::{HeaderList, Headers, field_value};
pub use pattern::{Pattern, Regex, RegexRewrite, Rewrite};

pub(crate) use hash_policy::combined;
