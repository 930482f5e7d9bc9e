//! The priorities of a cluster with the hosts of a running Envoy.

use alloc::{borrow::Cow, string::String, vec::Vec};

use spillgate_core::model::{Endpoint, Health, HealthStatus, Locality, Metadata, Priority};

use super::{
    HostStatus,
    matching::{Configured, Place},
};
use crate::{
    Position,
    envoy::marks::{ClusterMarks, EndpointMarks},
};

/// Priorities with the current hosts, and the positions of their localities and endpoints.
pub(crate) struct Priorities {
    pub(crate) priorities: Vec<Priority>,
    pub(crate) localities: Vec<Vec<Position>>,
    pub(crate) marks: Vec<Vec<EndpointMarks>>,
    /// By host of the response: where it is.
    pub(crate) places: Vec<HostPlace>,
    /// The number of hosts that are not in the configuration.
    pub(crate) joined: usize,
    /// The number of configured endpoints without a host.
    pub(crate) left: usize,
    before: Vec<Vec<EndpointMarks>>,
    /// Position of the cluster, used for everything that the configuration lacks.
    cluster: Position,
}

/// Where a host of a response is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct HostPlace {
    pub(crate) priority: u32,
    pub(crate) host: u32,
    /// The `health_status` of its configured endpoint.
    pub(crate) configured: Option<HealthStatus>,
}

impl Priorities {
    /// The configured priorities with these hosts in place of the endpoints.
    pub(crate) fn of(
        before: &[Priority],
        marks: Option<&ClusterMarks>,
        hosts: &[HostStatus<'_>],
    ) -> Self {
        let mut configured = Configured::new(before);
        let mut priorities = Self::like(before, marks);
        priorities.places.reserve(hosts.len());
        for host in hosts {
            let place = configured.take(host);
            priorities.joined += usize::from(place.is_none());
            priorities.add(host, place);
        }
        priorities.left = configured.left();
        priorities
    }

    /// The same number of priorities, with their localities and without hosts.
    fn like(before: &[Priority], marks: Option<&ClusterMarks>) -> Self {
        let priority = |priority: &Priority| Priority {
            localities: priority.localities.clone(),
            endpoints: Vec::new(),
        };
        let mut localities = marks.map(|m| m.localities.clone()).unwrap_or_default();
        localities.resize_with(before.len(), Vec::new);
        Self {
            priorities: before.iter().map(priority).collect(),
            localities,
            marks: before.iter().map(|_| Vec::new()).collect(),
            before: marks.map(|m| m.priorities.clone()).unwrap_or_default(),
            places: Vec::new(),
            joined: 0,
            left: 0,
            cluster: marks.map_or(Position::START, |marks| marks.cluster),
        }
    }

    fn add(&mut self, host: &HostStatus<'_>, place: Option<&Place<'_>>) {
        let stated = host.priority.map(|p| usize::try_from(p).unwrap_or(0));
        let number = stated.or(place.map(|place| place.priority)).unwrap_or(0);
        if self.priorities.len() <= number {
            self.priorities.resize_with(number + 1, Priority::default);
            self.localities.resize_with(number + 1, Vec::new);
            self.marks.resize_with(number + 1, Vec::new);
        }
        let (Some(priority), Some(localities), Some(marks)) = (
            self.priorities.get_mut(number),
            self.localities.get_mut(number),
            self.marks.get_mut(number),
        ) else {
            return;
        };
        let index = priority.locality_index(locality_of(host, place));
        localities.resize(priority.localities.len(), self.cluster);
        self.places.push(HostPlace {
            priority: u32::try_from(number).unwrap_or(u32::MAX),
            host: u32::try_from(priority.endpoints.len()).unwrap_or(u32::MAX),
            configured: place.map(|place| place.endpoint.health.status),
        });
        priority.endpoints.push(endpoint_of(host, place, index));
        let mark = place.and_then(|place| self.before.get(place.priority)?.get(place.index));
        marks.push(mark.copied().unwrap_or(EndpointMarks {
            endpoint: self.cluster,
            health_status: None,
        }));
    }
}

/// The names from the response, or the configured ones if the response omits them.
fn locality_of(host: &HostStatus<'_>, place: Option<&Place<'_>>) -> Locality {
    let configured = place.and_then(|place| place.locality).map(|l| &l.locality);
    let name = |reported: &Option<Cow<'_, str>>, of: fn(&Locality) -> &String| match reported {
        Some(name) => name.as_ref().into(),
        None => configured.map(of).cloned().unwrap_or_default(),
    };
    Locality {
        region: name(&host.locality.region, |l| &l.region),
        zone: name(&host.locality.zone, |l| &l.zone),
        sub_zone: name(&host.locality.sub_zone, |l| &l.sub_zone),
    }
}

fn endpoint_of(host: &HostStatus<'_>, place: Option<&Place<'_>>, locality: usize) -> Endpoint {
    let configured = place.map(|place| place.endpoint);
    let status = configured.map(|endpoint| endpoint.health.status);
    let reported = host.health.unwrap_or_default();
    Endpoint {
        address: host.address.as_ref().into(),
        weight: host
            .weight
            .or(configured.map(|endpoint| endpoint.weight))
            .unwrap_or_default(),
        health: health_of(reported, status),
        locality,
        hash_key: configured.and_then(|endpoint| endpoint.hash_key.clone()),
        metadata: configured.map_or_else(Metadata::default, |e| e.metadata.clone()),
        reported_weight: configured.and_then(|endpoint| endpoint.reported_weight),
    }
}

/// The reported health. A reported status may represent several statuses; if the configured one is
/// among them, it is kept.
pub(crate) fn health_of(reported: Health, configured: Option<HealthStatus>) -> Health {
    let status = match (reported.status, configured) {
        (HealthStatus::Healthy, Some(HealthStatus::Unknown) | None) => HealthStatus::Unknown,
        (HealthStatus::Unhealthy, Some(HealthStatus::Timeout)) => HealthStatus::Timeout,
        (reported, _) => reported,
    };
    Health { status, ..reported }
}
