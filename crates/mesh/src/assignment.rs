//! The result of a locality policy: priority groups and the settings of the load assignment.

use alloc::{collections::BTreeSet, string::String, vec::Vec};

use spillgate_core::model::{Locality, ZoneAware};

/// What one proxy receives for one destination (`ClusterLoadAssignment` and the locality settings of
/// `Cluster`).
///
/// Endpoints are positions in the endpoint list that the assignment was computed from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MeshAssignment {
    /// The groups in the order in which the control plane writes them. Priority numbers may have
    /// gaps.
    pub groups: Vec<LocalityGroup>,
    /// The endpoints that the proxy does not receive, in input order.
    pub dropped: Vec<DroppedEndpoint>,
    /// The overprovisioning factor in percent, at least 100
    /// (`ClusterLoadAssignment.Policy.overprovisioning_factor`); `None` if not set, which Envoy
    /// reads as 140.
    pub overprovisioning_factor: Option<u32>,
    /// Whether Envoy uses the weights of the localities (`locality_weighted_lb_config`).
    pub locality_weighted: bool,
    /// The settings of zone-aware routing (`zone_aware_lb_config`); `None` if not set, which Envoy
    /// reads as its defaults. They need a local cluster.
    pub zone_aware: Option<ZoneAware>,
    /// The panic threshold in percent, 0 to 100 (`CommonLbConfig.healthy_panic_threshold`); `None`
    /// if not set, which Envoy reads as 50.
    pub panic_threshold: Option<u32>,
}

impl MeshAssignment {
    /// Removes endpoints whose address an earlier one has, by priority: Envoy keeps the first of equal addresses.
    /// `addresses` are those of the endpoint list.
    pub fn keep_first_of_equal(&mut self, addresses: &[&str]) {
        let mut order: Vec<usize> = (0..self.groups.len()).collect();
        order.sort_by_key(|at| self.groups.get(*at).map(|group| group.priority));
        let mut seen = BTreeSet::new();
        for at in order {
            let Some(group) = self.groups.get_mut(at) else {
                continue;
            };
            group
                .endpoints
                .retain(|endpoint| addresses.get(*endpoint).is_none_or(|of| seen.insert(*of)));
        }
    }
}

/// One locality in one priority (`LocalityLbEndpoints`).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LocalityGroup {
    /// The priority, 0 first.
    pub priority: u32,
    /// Region, zone and sub-zone. Kuma sets zone and sub-zone (`key=value` of an affinity tag).
    pub locality: Locality,
    /// The weight of the locality, 1 to 2^32-1 (`LocalityLbEndpoints.load_balancing_weight`);
    /// `None` if not set, which counts as 0.
    pub weight: Option<u32>,
    /// The positions of the endpoints in the endpoint list.
    pub endpoints: Vec<usize>,
}

/// An endpoint that the proxy does not receive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DroppedEndpoint {
    /// The position in the endpoint list.
    pub endpoint: usize,
    /// The reason.
    pub reason: DropReason,
}

/// Why a proxy does not receive an endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DropReason {
    /// No rule of Kuma's `crossZone.failover` that applies to the proxy takes the zone of the
    /// endpoint.
    NoRuleTakesZone {
        /// The zone of the endpoint.
        zone: String,
    },
    /// A rule of type `None` ended the list before a rule took the zone. Only
    /// [`Compat::Madr`](crate::Compat::Madr) ends lists.
    EndedByNone {
        /// The zone of the endpoint.
        zone: String,
        /// The index of the rule in `crossZone.failover`.
        rule: usize,
    },
    /// The proxy reaches other zones through the zone egress, and the policy keeps requests in the
    /// local zone. Only with [`Compat::Madr`](crate::Compat::Madr).
    EgressWithoutCrossZone {
        /// The zone of the endpoint.
        zone: String,
    },
    /// No entry of `to` in the `distribute` rule of Istio matches the locality of the endpoint.
    NoShare {
        /// The index of the rule in `distribute`.
        rule: usize,
    },
    /// A gateway of another network that an earlier locality of the cluster has; Envoy keeps the first
    /// one.
    RepeatedGateway,
}
