//! The positions of values that the playground links to.

use alloc::vec::Vec;

use spillgate_codec::import::{ClusterPlaces, HostPlace};
use spillgate_config::envoy::{ClusterMarks, EndpointMarks, Marks};
use spillgate_core::model::Model;

use crate::position::position;

/// The positions in each cluster, in the order of the model.
pub(crate) fn of(model: &Model, marks: &Marks) -> Vec<ClusterPlaces> {
    let clusters = model.clusters().iter();
    clusters
        .map(|cluster| {
            marks
                .cluster(&cluster.name)
                .map_or_else(ClusterPlaces::default, of_cluster)
        })
        .collect()
}

fn of_cluster(marks: &ClusterMarks) -> ClusterPlaces {
    ClusterPlaces {
        cluster: Some(position(marks.cluster)),
        lb_policy: marks.lb_policy.map(position),
        override_host_status: marks.override_host_status.map(position),
        locality_lb: marks.locality_lb.map(position),
        hash_policy: marks.hash_policy.map(position),
        drop_overload: marks.drop_overload.map(position),
        subset: marks.subset.map(position),
        subset_selectors: marks
            .subset_selectors
            .iter()
            .copied()
            .map(position)
            .collect(),
        localities: marks
            .localities
            .iter()
            .map(|priority| priority.iter().copied().map(position).collect())
            .collect(),
        panic_threshold: marks.healthy_panic_threshold.map(position),
        overprovisioning_factor: marks.overprovisioning_factor.map(position),
        members: marks.members.map(position),
        priorities: marks
            .priorities
            .iter()
            .map(|priority| priority.iter().map(of_host).collect())
            .collect(),
    }
}

fn of_host(marks: &EndpointMarks) -> HostPlace {
    HostPlace {
        endpoint: position(marks.endpoint),
        health_status: marks.health_status.map(position),
    }
}
