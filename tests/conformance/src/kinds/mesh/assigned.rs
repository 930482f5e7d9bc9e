//! An assignment with its endpoints, in the notation of the vectors.

use spillgate_core::model::{Cluster, Model, PlainCluster, Weight};
use spillgate_mesh::{LocalityGroup, MeshAssignment, MeshHost, plain_cluster};

/// The name of the only cluster.
pub(super) const CLUSTER: &str = "mesh";

/// An assignment, its endpoints, and the zone and sub-zone of a group in the notation of the vectors.
pub(super) struct Assigned<'a> {
    pub(super) assignment: &'a MeshAssignment,
    pub(super) hosts: Vec<MeshHost>,
    pub(super) place: fn(&LocalityGroup) -> (String, String),
}

/// A weight; the default is 1.
pub(super) fn weight(weight: Option<u32>) -> Result<Weight, String> {
    Weight::new(weight.unwrap_or(1)).ok_or_else(|| "weight: must be above 0".into())
}

impl Assigned<'_> {
    /// The name of a group in percentages.
    pub(super) fn name(&self, group: &LocalityGroup) -> String {
        let (zone, sub_zone) = (self.place)(group);
        format!("P{}|{zone}|{sub_zone}", group.priority)
    }

    /// The address of an endpoint.
    pub(super) fn address(&self, endpoint: usize) -> &str {
        self.hosts.get(endpoint).map_or("", |host| &host.address)
    }

    /// The model of the assignment with the health of `hosts`, after a change of the cluster.
    pub(super) fn model(
        &self,
        hosts: &[MeshHost],
        change: impl FnOnce(&mut PlainCluster),
    ) -> Result<Model, String> {
        let mut cluster = plain_cluster(self.assignment, |at| hosts.get(at));
        change(&mut cluster);
        let cluster = Cluster::plain(CLUSTER, cluster);
        Model::new(vec![cluster]).map_err(|faults| format!("{faults:?}"))
    }
}
