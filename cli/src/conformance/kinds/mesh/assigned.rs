//! An assignment with its endpoints, as figures.

use serde_json::{Value, json};
use spillgate_core::model::{Cluster, Model, PlainCluster, Weight};
use spillgate_mesh::{LocalityGroup, MeshAssignment, MeshHost, plain_cluster};

use super::{
    super::{Figures, figures, read_field},
    scenario::{self, Scenario},
};

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
    /// The common figures of `kuma.locality` and `istio.locality`.
    pub(super) fn figures(&self, asked: &Figures) -> Result<Figures, String> {
        let assignment = self.assignment;
        let scenarios: Option<Vec<Scenario>> = read_field(asked, "scenarios")?;
        let scenarios = scenarios.unwrap_or_default().into_iter();
        let scenarios = scenarios.map(|scenario| scenario::figures_of(self, &scenario));
        let scenarios: Vec<Value> = scenarios.collect::<Result<_, _>>()?;
        let dropped = assignment.dropped.iter();
        let dropped: Vec<&str> = dropped.map(|of| self.address(of.endpoint)).collect();
        let groups: Vec<Value> = assignment.groups.iter().map(|of| self.group(of)).collect();
        Ok(figures([
            (
                "overprovisioning_factor",
                json!(assignment.overprovisioning_factor),
            ),
            ("locality_weighted_lb", json!(assignment.locality_weighted)),
            (
                "healthy_panic_threshold",
                json!(assignment.panic_threshold.unwrap_or(50)),
            ),
            ("groups", groups.into()),
            ("dropped", json!(dropped)),
            ("scenarios", scenarios.into()),
        ]))
    }

    fn group(&self, group: &LocalityGroup) -> Value {
        let (zone, sub_zone) = (self.place)(group);
        let mut endpoints: Vec<&str> = group.endpoints.iter().map(|&at| self.address(at)).collect();
        endpoints.sort_by_key(|address| {
            let parts = address.rsplit_once(':');
            parts.map(|(host, port)| (host, port.parse::<u32>().unwrap_or(0)))
        });
        json!({
            "priority": group.priority,
            "zone": zone,
            "sub_zone": sub_zone,
            "weight": group.weight,
            "endpoints": endpoints,
        })
    }

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
