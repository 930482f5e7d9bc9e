//! What an answer holds: clusters and their hosts, in Envoy's order.

use alloc::{borrow::Cow, vec::Vec};

use spillgate_core::model::{Health, Weight};

use crate::Position;

/// One cluster and the hosts that it has now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClusterStatus<'a> {
    /// The cluster's name.
    pub name: Cow<'a, str>,
    /// Where it is first mentioned.
    pub position: Position,
    /// Its hosts, priority by priority, each priority in the order in which Envoy goes through it.
    pub hosts: Vec<HostStatus<'a>>,
}

/// One host. What an abridged answer does not say is `None`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostStatus<'a> {
    /// `ip:port`, `[ip6]:port` or a path.
    pub address: Cow<'a, str>,
    /// Where it is first mentioned.
    pub position: Position,
    /// Its health. The status is that of EDS as far as the answer tells it: `HEALTHY` stands for
    /// `UNKNOWN`, `UNHEALTHY` for `TIMEOUT` too.
    pub health: Option<Health>,
    /// The name it was looked up by, or that its endpoint carries; may be empty.
    pub hostname: Option<Cow<'a, str>>,
    /// Its weight.
    pub weight: Option<Weight>,
    /// Its priority, 0 to 128.
    pub priority: Option<u32>,
    /// Where it stands.
    pub locality: HostLocality<'a>,
    /// Whether its metadata call it a canary; only the text tells.
    pub canary: Option<bool>,
    /// Requests in flight to it (`rq_active`).
    pub active_requests: Option<u64>,
}

/// The names of a locality.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HostLocality<'a> {
    /// The region.
    pub region: Option<Cow<'a, str>>,
    /// The zone.
    pub zone: Option<Cow<'a, str>>,
    /// The sub-zone.
    pub sub_zone: Option<Cow<'a, str>>,
}

impl<'a> HostStatus<'a> {
    pub(crate) fn new(address: Cow<'a, str>, position: Position) -> Self {
        Self {
            address,
            position,
            health: None,
            hostname: None,
            weight: None,
            priority: None,
            locality: HostLocality::default(),
            canary: None,
            active_requests: None,
        }
    }
}
