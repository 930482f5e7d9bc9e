//! From priority groups to a cluster of the engine.

use alloc::{vec, vec::Vec};

use spillgate_core::model::{
    Endpoint, Health, LocalityLb, OverprovisioningFactor, PanicThreshold, PlainCluster, Priority,
};

use crate::{LocalityGroup, MeshAssignment, MeshHost};

/// The largest priority that Envoy accepts (`LocalityLbEndpoints.priority`).
pub const MOST_PRIORITY: u32 = 128;

/// The cluster that Envoy builds from an assignment: one priority for each number up to the largest
/// one, empty ones for gaps. The load-balancing policy within a priority is round robin; set
/// [`PlainCluster::policy`] for another one.
///
/// `host` returns the endpoint at a position of the endpoint list; positions without an endpoint are
/// left out, and groups with a priority above [`MOST_PRIORITY`], which Envoy rejects.
///
/// # Examples
/// ```
/// use spillgate_core::model::Locality;
/// use spillgate_mesh::{LocalityGroup, MeshAssignment, MeshHost, plain_cluster};
///
/// let hosts = [MeshHost::new("10.0.0.1:80")];
/// let assignment = MeshAssignment {
///     groups: vec![LocalityGroup {
///         priority: 2,
///         endpoints: vec![0],
///         ..LocalityGroup::default()
///     }],
///     ..MeshAssignment::default()
/// };
/// let cluster = plain_cluster(&assignment, |at| hosts.get(at));
/// assert_eq!(cluster.priorities.len(), 3);
/// assert_eq!(cluster.priorities[2].endpoints[0].address, "10.0.0.1:80");
/// ```
#[must_use]
pub fn plain_cluster<'a>(
    assignment: &MeshAssignment,
    host: impl Fn(usize) -> Option<&'a MeshHost>,
) -> PlainCluster {
    let groups = assignment
        .groups
        .iter()
        .filter(|group| group.priority <= MOST_PRIORITY);
    let numbers = groups.clone().map(|group| group.priority as usize);
    let mut priorities = vec![Priority::default(); numbers.max().map_or(0, |last| last + 1)];
    for group in groups {
        if let Some(priority) = priorities.get_mut(group.priority as usize) {
            let hosts = group.endpoints.iter().filter_map(|&at| host(at));
            add(priority, group, hosts);
        }
    }
    let defaults = PlainCluster::default();
    PlainCluster {
        priorities,
        overprovisioning_factor: assignment
            .overprovisioning_factor
            .map_or(OverprovisioningFactor::DEFAULT, OverprovisioningFactor),
        panic_threshold: assignment
            .panic_threshold
            .map_or(PanicThreshold::DEFAULT, |percent| {
                PanicThreshold::from_percent(f64::from(percent))
            }),
        locality_lb: if assignment.locality_weighted {
            LocalityLb::Weighted
        } else {
            LocalityLb::ZoneAware(assignment.zone_aware.unwrap_or_default())
        },
        ..defaults
    }
}

fn add<'a>(
    priority: &mut Priority,
    group: &LocalityGroup,
    hosts: impl Iterator<Item = &'a MeshHost>,
) {
    let locality = priority.locality_index(group.locality.clone());
    if let Some(known) = priority.localities.get_mut(locality) {
        known.weight = group.weight;
    }
    priority.endpoints.extend(hosts.map(|host| Endpoint {
        weight: host.weight,
        health: Health::from_status(host.health),
        locality,
        ..Endpoint::new(host.address.as_str())
    }));
}

/// The same assignment in a form that gRPC reads, too (gRFC A27): priorities without gaps, and a
/// weight for every locality. A locality without weight, or of a cluster without locality weighting,
/// gets the sum of the weights of its endpoints, so that each endpoint keeps its share of the
/// priority while all are healthy.
///
/// `host` is as in [`plain_cluster`]. gRPC ignores the overprovisioning factor.
#[must_use]
pub fn portable<'a>(
    assignment: &MeshAssignment,
    host: impl Fn(usize) -> Option<&'a MeshHost>,
) -> MeshAssignment {
    let mut portable = assignment.clone();
    squeeze(&mut portable.groups);
    for group in &mut portable.groups {
        let hosts = group.endpoints.iter().filter_map(|&at| host(at));
        let weights = hosts.map(|host| host.weight.get());
        let sum = weights.fold(0, u32::saturating_add).max(1);
        group.weight = match (assignment.locality_weighted, group.weight) {
            (true, Some(weight)) => Some(weight),
            (true, None) | (false, _) => Some(sum),
        };
    }
    portable.locality_weighted = true;
    portable
}

/// Replaces the priorities by 0, 1, 2 and so on in the same order.
pub(crate) fn squeeze(groups: &mut [LocalityGroup]) {
    let mut used: Vec<u32> = groups.iter().map(|group| group.priority).collect();
    used.sort_unstable();
    used.dedup();
    for group in groups {
        let place = used.partition_point(|&priority| priority < group.priority);
        group.priority = u32::try_from(place).unwrap_or(u32::MAX);
    }
}
