//! A configured cluster with the hosts of a running Envoy.

use alloc::vec::Vec;

use spillgate_config::clusters::{ClusterStatus, LiveHosts};
use spillgate_core::model::PlainCluster;

/// A cluster with the reported hosts, and the place of each of them.
#[derive(Debug)]
pub struct LiveCluster {
    /// The configured settings with the reported hosts and their health.
    pub cluster: PlainCluster,
    hosts: LiveHosts,
    reported: usize,
}

impl LiveCluster {
    /// Applies the reported hosts to a configured cluster.
    #[must_use]
    pub fn new(configured: &PlainCluster, status: &ClusterStatus<'_>) -> Self {
        let mut hosts = LiveHosts::new(&configured.priorities, &status.hosts);
        Self {
            cluster: PlainCluster {
                priorities: core::mem::take(&mut hosts.priorities),
                ..configured.clone()
            },
            hosts,
            reported: status.hosts.len(),
        }
    }

    /// The requests of the hosts of each priority, from those in the order of the report.
    #[must_use]
    pub fn by_priority(&self, requests: &[u64]) -> Vec<Vec<u64>> {
        let priorities = self.cluster.priorities.iter();
        let mut found: Vec<Vec<u64>> = priorities
            .map(|priority| alloc::vec![0; priority.endpoints.len()])
            .collect();
        for (at, count) in requests.iter().enumerate().take(self.reported) {
            let place = self.hosts.place(at);
            let host = place.and_then(|(priority, host)| found.get_mut(priority)?.get_mut(host));
            if let Some(host) = host {
                *host = *count;
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use spillgate_config::clusters::read;

    use super::*;

    #[test]
    fn requests_follow_their_hosts_into_priorities() {
        let text = "c::10.0.0.1:80::health_flags::healthy\nc::10.0.0.1:80::priority::1\n\
             c::10.0.0.2:80::health_flags::/failed_active_hc\nc::10.0.0.2:80::priority::0\n\
             c::10.0.0.3:80::health_flags::healthy\nc::10.0.0.3:80::priority::0\n";
        let clusters = read(text).unwrap();
        let live = LiveCluster::new(&PlainCluster::default(), &clusters[0]);
        assert_eq!(live.cluster.priorities.len(), 2);
        assert_eq!(live.by_priority(&[5, 6, 7]), [vec![6, 7], vec![5]]);
        assert_eq!(live.by_priority(&[5]), [vec![0, 0], vec![5]]);
    }
}
