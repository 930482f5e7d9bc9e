//! Clusters and their hosts in a `/clusters` response, in Envoy's order.

use alloc::{borrow::Cow, vec::Vec};

use spillgate_core::model::{Health, Weight};

use crate::Position;

/// One cluster and its current hosts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClusterStatus<'a> {
    /// The cluster's name.
    pub name: Cow<'a, str>,
    /// Position of its first mention.
    pub position: Position,
    /// Its hosts by priority, each priority in the order in which Envoy iterates over it.
    pub hosts: Vec<HostStatus<'a>>,
}

/// One host. Values that an abridged response omits are `None`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostStatus<'a> {
    /// `ip:port`, `[ip6]:port` or a path.
    pub address: Cow<'a, str>,
    /// Position of its first mention.
    pub position: Position,
    /// Its health. The response reports the EDS status only by class: `HEALTHY` includes `UNKNOWN`,
    /// `UNHEALTHY` includes `TIMEOUT`.
    pub health: Option<Health>,
    /// The DNS name that resolved to it, or the endpoint's `hostname`; may be empty.
    pub hostname: Option<Cow<'a, str>>,
    /// Its weight.
    pub weight: Option<Weight>,
    /// Its priority, 0 to 128.
    pub priority: Option<u32>,
    /// Its locality.
    pub locality: HostLocality<'a>,
    /// Whether its metadata marks it as a canary; only the text format says so.
    pub canary: Option<bool>,
    /// Active requests (`rq_active`).
    pub active_requests: Option<u64>,
    /// Its counters; only the text format is read for them.
    pub totals: HostTotals,
}

/// The counters of a host: 0 if the response omits them. A host that leaves and comes back begins
/// at 0 again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct HostTotals {
    /// Connections (`cx_total`).
    pub connections: u64,
    /// Requests (`rq_total`).
    pub requests: u64,
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

impl ClusterStatus<'_> {
    /// Moves all positions down, for a text that follows other texts of the same input.
    pub(crate) fn move_down(&mut self, lines: u32) {
        self.position = self.position.below(lines);
        for host in &mut self.hosts {
            host.position = host.position.below(lines);
        }
    }
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
            totals: HostTotals::default(),
        }
    }

    /// The host, without its text.
    pub(super) fn into_owned(self) -> HostStatus<'static> {
        let HostLocality {
            region,
            zone,
            sub_zone,
        } = self.locality;
        HostStatus {
            address: owned(self.address),
            hostname: self.hostname.map(owned),
            locality: HostLocality {
                region: region.map(owned),
                zone: zone.map(owned),
                sub_zone: sub_zone.map(owned),
            },
            ..self
        }
    }
}

/// A text without what it is part of.
fn owned(text: Cow<'_, str>) -> Cow<'static, str> {
    Cow::Owned(text.into_owned())
}
