//! The paths that a client requests.

/// A path of the admin interface. Requests for these paths do not change Envoy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AdminPath {
    /// The configuration in use, with the endpoints from EDS.
    ConfigDump,
    /// Hosts, health and counters, as text.
    Clusters,
    /// The same as JSON, for the playground.
    ClustersJson,
    /// The counters of the Spillgate filter and the time since the start, for the playground.
    LiveStats,
    /// The final runtime values, as JSON.
    Runtime,
    /// The counters of filter configurations from ECDS, as text.
    Discovery,
}

impl AdminPath {
    /// The path and the query.
    ///
    /// # Examples
    /// ```
    /// assert_eq!(spillgate_admin::AdminPath::Clusters.text(), "/clusters");
    /// ```
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::ConfigDump => "/config_dump?include_eds",
            Self::Clusters => "/clusters",
            Self::ClustersJson => "/clusters?format=json",
            // ^((wasm|dynamicmodules)custom\.spillgate\.|server\.uptime$)
            Self::LiveStats => {
                "/stats?filter=%5E%28%28wasm%7Cdynamicmodules%29custom%5C.spillgate%5C.%7Cserver%5C.uptime%24%29"
            }
            Self::Runtime => "/runtime",
            Self::Discovery => "/stats?filter=extension_config_discovery",
        }
    }

    /// Whether a response can be Envoy's, by its first character. Another server behind the address, such as
    /// an HTTP listener, mostly answers with HTML.
    pub(crate) fn fits(self, text: &str) -> bool {
        match self {
            Self::ConfigDump | Self::Runtime | Self::ClustersJson => {
                text.trim_start().starts_with('{')
            }
            // A line begins with the name of a cluster. An Envoy without clusters sends an empty response.
            Self::Clusters => {
                text.is_empty() || text.lines().next().is_some_and(|line| line.contains("::"))
            }
            Self::Discovery | Self::LiveStats => {
                text.is_empty() || text.lines().next().is_some_and(|line| line.contains(": "))
            }
        }
    }

    /// The content of a response, for errors.
    pub(crate) const fn content(self) -> &'static str {
        match self {
            Self::ConfigDump => "the JSON of Envoy's /config_dump",
            Self::Clusters => "the lines of Envoy's /clusters",
            Self::ClustersJson => "the JSON of Envoy's /clusters",
            Self::Runtime => "the JSON of Envoy's /runtime",
            Self::Discovery | Self::LiveStats => "the lines of Envoy's /stats",
        }
    }
}
