//! Whether the host of a stateful session can serve.

use crate::{
    model::Health,
    snapshot::{ClusterId, HostRef, PlainSnapshot, Snapshot},
    trace::SessionHost,
};

impl Snapshot {
    /// The result for the host that a stateful session names, in the routed cluster. Priorities and
    /// subsets do not matter (`HostUtility::selectOverrideHost`): the address must belong to the
    /// cluster, and the host's status must be in
    /// [`override_host_status`](crate::model::PlainCluster::override_statuses).
    #[must_use]
    pub fn session_host(&self, cluster: ClusterId, address: &str) -> SessionHost {
        let Some(plain) = self.plain(cluster) else {
            return SessionHost::NoHosts;
        };
        let Some(host) = plain.find(cluster, address) else {
            return SessionHost::Unknown;
        };
        let status = plain.health_of(host).session_status();
        if plain.settings.override_statuses.contains(status) {
            SessionHost::Accepted(host)
        } else {
            SessionHost::Status(host, status)
        }
    }
}

impl PlainSnapshot {
    /// The host with this address; the first one if several have it, as in Envoy's host map.
    pub(super) fn find(&self, cluster: ClusterId, address: &str) -> Option<HostRef> {
        let mut priorities = self.priorities.iter().enumerate();
        priorities.find_map(|(number, priority)| {
            let mut endpoints = priority.configured.endpoints.iter();
            let host = endpoints.position(|endpoint| endpoint.address == address)?;
            Some(HostRef {
                cluster,
                priority: number,
                host,
            })
        })
    }

    pub(super) fn health_of(&self, host: HostRef) -> Health {
        let priority = self.priorities.get(host.priority);
        priority.map_or(Health::default(), |priority| priority.health(host.host))
    }
}
