//! A host that a request names: whether it serves.

use crate::{
    model::Health,
    snapshot::{ClusterId, HostRef, PlainSnapshot, Snapshot},
    trace::SessionHost,
};

impl Snapshot {
    /// What becomes of the host that a session names, in the cluster that the request is routed
    /// to: its priority and its subsets do not matter (`HostUtility::selectOverrideHost`).
    #[must_use]
    pub fn session_host(&self, cluster: ClusterId, address: &str) -> SessionHost {
        let Some(plain) = self.plain(cluster) else {
            return SessionHost::NoHosts;
        };
        let Some(host) = plain.find(cluster, address) else {
            return SessionHost::NoMember;
        };
        let status = plain.health_of(host).session_status();
        match plain.settings.override_statuses.contains(status) {
            true => SessionHost::Kept(host),
            false => SessionHost::Status(host, status),
        }
    }
}

impl PlainSnapshot {
    /// The host of an address; of several the first one, as in Envoy's map of hosts.
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
