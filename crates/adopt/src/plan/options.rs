//! What the user asks for.

use spillgate_config::{envoy::RegexCompiler, isolation::ListFallback};

/// The form of the filter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AdoptForm {
    /// `spillgate.wasm`, at this path of Envoy.
    Wasm(String),
    /// The dynamic module of this name: the file `libNAME.so` in the search path.
    Module(String),
}

/// Where the tokens of sessions travel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AdoptSessions {
    /// In a cookie.
    Cookie,
    /// In a header of requests and responses.
    Header,
    /// Inside the session header of an MCP server.
    Envelope,
}

/// The choices for a configuration.
#[derive(Debug, Clone)]
pub struct AdoptOptions {
    /// The form of the filter.
    pub form: AdoptForm,
    /// The listener by name or address, if several have a connection manager, or one of its filter chains
    /// (`LISTENER/CHAIN`, by name or number), if several of them have one.
    pub listener: Option<String>,
    /// Only routes to these clusters are steered; empty: all routes to clusters.
    pub clusters: Vec<String>,
    /// New sessions.
    pub sessions: Option<AdoptSessions>,
    /// Further criteria: the key of the hosts' metadata, and the header with the value.
    pub criteria: Vec<(String, String)>,
    /// The steps of a subset fallback chain: keys.
    pub chain: Vec<Vec<String>>,
    /// What serves if no host of the filter's list is left. Default: isolation with criteria, a chain or
    /// sessions.
    pub fallback: Option<ListFallback>,
    /// Compiles the regular expressions of `admin.allow_paths`. Without it, none matches.
    pub regex: Option<RegexCompiler>,
}
