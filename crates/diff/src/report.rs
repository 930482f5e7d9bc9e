//! The differences of two configurations, as data.

use spillgate_core::model::Metadata;

use crate::{KeyChoiceDiff, KeysDiff};

/// The differences of two configurations.
#[derive(Debug, Clone, PartialEq)]
pub struct DiffReport {
    /// The clusters whose decisions are not proved to be equal, worst first.
    pub clusters: Vec<ClusterDiff>,
    /// The names of the others.
    pub equal_clusters: Vec<String>,
    /// The requests that take another route: those with the most 5xx answers of Envoy first, then by listener and in
    /// configuration order.
    pub routes: Vec<RouteDiff>,
    /// The number of listeners whose routes are proved to be equal.
    pub equal_listeners: usize,
}

impl DiffReport {
    /// Whether no request of any content differs, whatever the health of the hosts.
    #[must_use]
    pub fn is_equal(&self) -> bool {
        self.clusters.is_empty() && self.routes.is_empty()
    }
}

/// How the decisions of a cluster differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ClusterVerdict {
    /// No request differs, whatever the health of the hosts.
    Equal,
    /// The cluster has another name, and is equal otherwise.
    Renamed,
    /// No request differs while the hosts have their present health.
    EqualNow,
    /// Requests differ.
    Changed,
    /// Only the new configuration has the cluster.
    Added,
    /// Only the old configuration has the cluster.
    Removed,
    /// The hosts of a side are not known, so that nothing can be said about requests.
    Unknown,
}

impl ClusterVerdict {
    /// The name in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Equal => "equal",
            Self::Renamed => "renamed",
            Self::EqualNow => "equal_now",
            Self::Changed => "changed",
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Unknown => "unknown",
        }
    }
}

/// The differences of a cluster.
#[derive(Debug, Clone, PartialEq)]
pub struct ClusterDiff {
    /// Its name; for a removed cluster the old one.
    pub name: String,
    /// Its old name, if it is another. The hosts of both names can be unknown.
    pub renamed_from: Option<String>,
    /// How its decisions differ.
    pub status: ClusterVerdict,
    /// The settings that differ.
    pub settings: Vec<SettingDiff>,
    /// The hosts that differ.
    pub hosts: HostsDiff,
    /// What requests experience, by their subset criteria.
    pub requests: Vec<RequestsDiff>,
    /// The zones whose loss it survives on one side only.
    pub zones: Vec<ZoneDiff>,
    /// The distance from panic mode, if it differs.
    pub panic_margin: Option<MarginDiff>,
}

/// How many usable hosts of one priority can be lost at least until a priority with load is in panic mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MarginDiff {
    /// On the old side; `None` if no loss leads there, or if one is in panic mode already.
    pub before: Option<usize>,
    /// On the new side.
    pub after: Option<usize>,
}

/// A setting that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingDiff {
    /// Envoy's name of the field, such as `overprovisioning_factor`.
    pub field: &'static str,
    /// The old value.
    pub before: String,
    /// The new value.
    pub after: String,
}

/// The hosts that differ, by address.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HostsDiff {
    /// Only in the new configuration.
    pub added: Vec<String>,
    /// Only in the old configuration.
    pub removed: Vec<String>,
    /// In both with another weight, health, priority, locality, hash key or metadata.
    pub changed: Vec<HostDiff>,
    /// Whether their order differs.
    pub reordered: bool,
}

/// What differs of a host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostDiff {
    /// Its address.
    pub address: String,
    /// What differs.
    pub settings: Vec<SettingDiff>,
}

impl HostsDiff {
    /// Whether no host differs; their order may.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.removed.is_empty() && self.changed.is_empty()
    }
}

/// What requests with certain subset criteria experience.
#[derive(Debug, Clone, PartialEq)]
pub struct RequestsDiff {
    /// The subset criteria; may be empty.
    pub criteria: Metadata,
    /// The percentage of requests without a host.
    pub no_host: ShareDiff,
    /// The percentage of requests that reach another host, at least: half the sum of the changes of all shares.
    pub moved: f64,
    /// The shares of priorities that differ.
    pub priorities: Vec<ShareDiff>,
    /// The shares of localities that differ.
    pub localities: Vec<ShareDiff>,
    /// The shares of hosts that differ, the largest change first.
    pub hosts: Vec<ShareDiff>,
    /// The priorities that are in panic mode on the new side only.
    pub new_panic: Vec<String>,
    /// The priorities that are in panic mode on the old side only.
    pub ended_panic: Vec<String>,
    /// The keys that move; `None` if hashes do not choose the host on both sides.
    pub keys: Option<KeysDiff>,
    /// What happens to the keys if hashes choose the host on one side only.
    pub key_choice: Option<KeyChoiceDiff>,
    /// The percentage of the sessions that are lost: those at hosts that are gone or no longer usable. `None` if
    /// requests have no sessions.
    pub lost_sessions: Option<f64>,
}

impl RequestsDiff {
    /// Whether requests experience a difference.
    #[must_use]
    pub fn differs(&self) -> bool {
        self.no_host.differs()
            || !self.priorities.is_empty()
            || !self.localities.is_empty()
            || !self.hosts.is_empty()
            || !self.new_panic.is_empty()
            || !self.ended_panic.is_empty()
            || self.keys.is_some_and(|keys| keys.moved > 0.0)
            || self.key_choice.is_some_and(|choice| choice.moved > 0.0)
    }
}

/// A share before and after, in percent.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ShareDiff {
    /// The name of the priority or the locality, or the address of the host.
    pub name: String,
    /// The old share.
    pub before: f64,
    /// The new share.
    pub after: f64,
}

/// Shares whose difference is below this are equal: sums of other orders.
const ROUNDING: f64 = 1e-9;

impl ShareDiff {
    /// The new share minus the old one.
    #[must_use]
    pub fn change(&self) -> f64 {
        self.after - self.before
    }

    /// Whether the shares differ by more than rounding.
    #[must_use]
    pub fn differs(&self) -> bool {
        self.change().abs() > ROUNDING
    }
}

/// A zone whose loss the cluster survives on one side only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ZoneDiff {
    /// The zone.
    pub zone: String,
    /// Whether the new side survives it.
    pub survives: bool,
}

/// Whether requests of a route differ.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RoutesStatus {
    /// The example request gets another outcome.
    #[default]
    Changed,
    /// The routes differ, and no example request that the comparison tried gets another outcome. That is no
    /// proof.
    NoExample,
}

/// A difference of routes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RouteDiff {
    /// The name or the address of the listener.
    pub listener: String,
    /// The filter chain, if the listener has several: its conditions, of the new side if it has the chain.
    pub filter_chain: Option<String>,
    /// The places of the filter chain among the [listeners](crate::DiffSide::listeners) of the old and the new side.
    pub chains: [Option<usize>; 2],
    /// Whether requests differ.
    pub status: RoutesStatus,
    /// The domain of the virtual host, and the condition of the route; may be empty.
    pub matches: String,
    /// The outcome of the example request on the old side.
    pub before: String,
    /// The outcome on the new side.
    pub after: String,
    /// Headers of the example request, with `:method`, `:authority` and `:path`; empty without one.
    pub example: Vec<(String, String)>,
    /// What the difference does to the example request; `None` if that is not known.
    pub effect: Option<RouteEffect>,
}

/// What another route does to its requests.
#[derive(Debug, Clone, PartialEq)]
pub struct RouteEffect {
    /// The percentage of the requests that Envoy answers with a 5xx status of its own: they find no host or no cluster,
    /// or get a direct response.
    pub unserved: ShareDiff,
    /// The percentage that gets another host or answer of Envoy, at least; `None` if the route chooses its hosts by other hash policies
    /// or filters.
    pub moved: Option<f64>,
    /// The clusters and their priorities in panic mode that the requests reach on the new side only.
    pub new_panic: Vec<String>,
}
