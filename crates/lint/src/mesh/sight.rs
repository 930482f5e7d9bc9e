//! One proxy's view of one destination, with figures from the engine.

use alloc::{format, string::String, vec::Vec};

use spillgate_core::{
    model::{Endpoint, Health, HealthStatus, Locality, PlainCluster, Policy, Priority},
    order::sorted,
    shares::{Distribution, Share},
};
use spillgate_mesh::{MeshAssignment, MeshHost, plain_cluster};

use crate::{
    figures::{alone, shares},
    losing::Losing,
};

/// What proxies in one zone receive for one destination.
pub(super) struct Sight {
    /// The zone or locality of the proxies.
    pub(super) local: String,
    /// The same for messages.
    pub(super) zone: String,
    /// The cluster that Envoy receives.
    pub(super) plain: PlainCluster,
    pub(super) assignment: MeshAssignment,
}

impl Sight {
    /// The view of an assignment of these hosts.
    pub(super) fn new(
        (local, zone): (&str, String),
        assignment: MeshAssignment,
        hosts: &[&MeshHost],
        policy: Policy,
    ) -> Self {
        let plain = PlainCluster {
            policy,
            ..plain_cluster(&assignment, |at| hosts.get(at).copied())
        };
        Self {
            local: local.into(),
            zone,
            plain,
            assignment,
        }
    }

    /// The shares while all hosts have their stated health.
    pub(super) fn shares(&self) -> Distribution {
        shares(&alone("", self.plain.clone()))
    }

    /// The shares after all hosts of the first priority with hosts have failed.
    pub(super) fn shares_without_first(&self) -> Distribution {
        let mut plain = self.plain.clone();
        let mut priorities = plain.priorities.iter_mut();
        if let Some(first) = priorities.find(|priority| !priority.endpoints.is_empty()) {
            for endpoint in &mut first.endpoints {
                endpoint.health = Health::from_status(HealthStatus::Unhealthy);
            }
        }
        shares(&alone("", plain))
    }

    /// The percentage of requests that hosts in localities with a property get.
    pub(super) fn share_of(&self, found: &Distribution, wanted: impl Fn(&Locality) -> bool) -> f64 {
        let locality = |share: &Share| {
            let priority = self.plain.priorities.get(share.priority)?;
            let endpoint = priority.endpoints.get(share.host)?;
            Some(&priority.localities.get(endpoint.locality)?.locality)
        };
        let shares = found
            .shares
            .iter()
            .filter(|share| locality(share).is_some_and(&wanted));
        shares.map(|share| share.share).sum()
    }

    /// The priorities with hosts.
    pub(super) fn used_priorities(&self) -> Vec<u32> {
        let groups = self.assignment.groups.iter();
        let used = groups.map(|group| group.priority).collect();
        let mut used = sorted(used, u32::cmp);
        used.dedup();
        used
    }
}

/// The number of hosts of each priority for [`spill_point`].
pub(super) const SPILL_HOSTS: usize = 100;

/// The number of failed hosts with which spillover starts: of the first of two priorities of 100
/// hosts, with an overprovisioning factor; `None` is Envoy's default.
pub(super) fn spill_point(factor: Option<u32>) -> usize {
    let assignment = MeshAssignment {
        overprovisioning_factor: factor,
        ..MeshAssignment::default()
    };
    let hosts = |number| {
        let hosts = (0..SPILL_HOSTS).map(|host| Endpoint::new(format!("10.0.{number}.{host}:80")));
        Priority::single_locality(hosts.collect())
    };
    let cluster = PlainCluster {
        priorities: [hosts(0), hosts(1)].into(),
        ..plain_cluster(&assignment, |_| None)
    };
    let spillover = Losing::new(&cluster).spill_point(0);
    spillover.unwrap_or(SPILL_HOSTS)
}
