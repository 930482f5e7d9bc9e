//! What the shipped filter is to decide.

/// Equal requests to the shown cluster of a scenario.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ShippedRequest {
    /// The first random number of the filter.
    pub seed: u64,
    /// The number of requests.
    pub count: u32,
    /// The value that the hash policy hashes; empty for requests without a request hash.
    pub key: String,
    /// The session of the requests.
    pub session: ShippedSession,
    /// Whether the filter returns its decisions as JSON, with their steps.
    pub trace: bool,
}

/// A session of the filter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum ShippedSession {
    /// The filter has no sessions.
    #[default]
    Without,
    /// Each request begins a session.
    New,
    /// The requests have a token of this host.
    Of {
        /// The name of the cluster with the host.
        cluster: String,
        /// Its address.
        address: String,
    },
}
