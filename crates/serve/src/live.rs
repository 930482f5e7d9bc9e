//! The Envoy that the Live screen reads: two paths.

/// What the Live screen reads of an Envoy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LivePath {
    /// Hosts, their health and their counters, as JSON.
    Clusters,
    /// The counters of the Spillgate filter, and the time since the start.
    Stats,
}

/// An Envoy that the playground follows.
pub trait LiveSource: Send + Sync {
    /// The text of the admin interface.
    ///
    /// # Errors
    /// Why it cannot be read.
    fn read(&self, path: LivePath) -> Result<String, String>;
}

impl LivePath {
    pub(crate) const ALL: [Self; 2] = [Self::Clusters, Self::Stats];

    /// The path and query at this server.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Clusters => "/live/clusters?format=json",
            Self::Stats => "/live/stats",
        }
    }

    pub(crate) const fn content_type(self) -> &'static str {
        match self {
            Self::Clusters => "application/json",
            Self::Stats => "text/plain; charset=utf-8",
        }
    }
}
