//! `consistentHash`, before validation.

use alloc::string::String;

/// `loadBalancer.consistentHash`. One key and at most one algorithm must be set.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IstioConsistentHash {
    /// The header to hash (`httpHeaderName`).
    pub http_header_name: Option<String>,
    /// The cookie to hash (`httpCookie`).
    pub http_cookie: Option<IstioHashCookie>,
    /// Whether the source IP address is hashed (`useSourceIp`).
    pub use_source_ip: Option<bool>,
    /// The query parameter to hash (`httpQueryParameterName`).
    pub http_query_parameter_name: Option<String>,
    /// The minimum ring size in entries (`ringHash.minimumRingSize`, or the deprecated
    /// `minimumRingSize`); default 1024. A ring is the default algorithm.
    pub minimum_ring_size: Option<i64>,
    /// The table size of Maglev in slots (`maglev.tableSize`, default 65,537); `None` without
    /// `maglev`.
    pub maglev_table_size: Option<i64>,
}

/// `consistentHash.httpCookie`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IstioHashCookie {
    /// The name.
    pub name: String,
    /// The path of a generated cookie.
    pub path: Option<String>,
    /// The lifetime of a generated cookie in milliseconds (`ttl`); 0 is a session cookie, `None`
    /// generates no cookie.
    pub ttl_ms: Option<u64>,
}
