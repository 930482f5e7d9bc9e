//! Hash policies of a MeshLoadBalancingStrategy, before validation.

use alloc::string::String;

/// One entry of `hashPolicies`. Only the block of its type has an effect.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KumaHashPolicy {
    /// The type as written: `Header`, `Cookie`, `Connection`, `QueryParameter` or `FilterState`;
    /// `SourceIP` until Kuma 2.14.
    pub kind: String,
    /// Whether a hash so far ends the list (`terminal`); default false.
    pub terminal: Option<bool>,
    /// The header name (`header.name`); `None` without the block.
    pub header: Option<String>,
    /// `cookie`.
    pub cookie: Option<KumaHashCookie>,
    /// Whether the source IP address is hashed (`connection.sourceIP`, default false); `None`
    /// without the block.
    pub connection: Option<bool>,
    /// The parameter name (`queryParameter.name`); `None` without the block.
    pub query_parameter: Option<String>,
    /// The key (`filterState.key`); `None` without the block.
    pub filter_state: Option<String>,
}

/// `hashPolicies[].cookie`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KumaHashCookie {
    /// The name of the cookie.
    pub name: String,
    /// The lifetime of a generated cookie, in milliseconds (`ttl`); `None` generates no cookie.
    pub ttl_ms: Option<u64>,
    /// The path of a generated cookie; it must start with `/`.
    pub path: Option<String>,
}
