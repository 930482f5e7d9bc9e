//! The figures of one Envoy. Shares and loads are parts of a cluster's requests, from 0 to 1.

/// The figures of one Envoy.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct EnvoyFigures {
    /// The published clusters.
    pub clusters: Vec<ClusterFigures>,
    /// The number of clusters that are not published, because there are too many.
    pub left_out: usize,
    /// The lint findings by severity.
    pub findings: Vec<FindingCount>,
    /// The number of settings that can change figures and are not modeled.
    pub limits: usize,
}

/// The lint findings of one severity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FindingCount {
    /// `error`, `warning` or `info`.
    pub severity: &'static str,
    /// Their number.
    pub count: usize,
}

/// A cluster or aggregate.
#[derive(Debug, Clone, PartialEq)]
pub struct ClusterFigures {
    /// Its name.
    pub cluster: String,
    /// Its load; `None` if its hosts are not known.
    pub load: Option<ClusterLoad>,
}

/// The load of a cluster.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ClusterLoad {
    /// The predicted part of the requests that finds no host.
    pub no_host: f64,
    /// Whether the numbers of hosts until spillover and panic mode are known.
    pub has_margins: bool,
    /// The loss of any one zone; `None` with hosts in fewer than two zones.
    pub zone_loss: Option<ZoneLossFigures>,
    /// The requests that Envoy counted under this prediction; `None` if they are not comparable with it.
    pub counted_requests: Option<usize>,
    /// Whether every share, also of each host, fits these requests; `None` without requests.
    pub agrees: Option<bool>,
    /// The priorities; of an aggregate, its linearized priorities.
    pub priorities: Vec<PriorityFigures>,
}

/// The effect of losing any one zone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ZoneLossFigures {
    /// Whether, whichever zone fails, every request finds a host and no priority with load is in panic mode.
    pub survives: bool,
    /// The highest ratio of the share of a host after the loss to that before; `None` if no host has a share.
    pub overload: Option<f64>,
}

/// A priority.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PriorityFigures {
    /// Its place among the priorities of the cluster, from 0.
    pub place: usize,
    /// The member that owns it; `None` if it is the cluster itself.
    pub member: Option<String>,
    /// Its load.
    pub load: f64,
    /// The part of the requests that its healthy hosts have capacity for.
    pub availability: f64,
    /// The part that its degraded hosts have capacity for.
    pub degraded_availability: f64,
    /// Whether it has load and is in panic mode.
    pub is_in_panic: bool,
    /// The number of its hosts.
    pub hosts: usize,
    /// The number of its healthy hosts.
    pub healthy_hosts: usize,
    /// The number of hosts whose loss moves load to other priorities; `None` if it is not known, or no loss does.
    pub until_spillover: Option<usize>,
    /// The number of hosts whose loss puts a priority with load into panic mode, 0 if one is; `None` if it is not
    /// known, or no loss does.
    pub until_panic: Option<usize>,
    /// The comparison with counted requests; `None` without comparable requests.
    pub difference: Option<CountedDifference>,
}

/// The predicted share of a priority minus the share that Envoy counted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CountedDifference {
    /// The difference.
    pub value: f64,
    /// The lowest difference that fits the count.
    pub low: f64,
    /// The highest one. If 0 is not between these two, Envoy does something else than predicted.
    pub high: f64,
}
