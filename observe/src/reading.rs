//! One read of Envoy's admin interface.

use alloc::{rc::Rc, vec::Vec};

use spillgate_config::{
    Diagnostic, Position,
    clusters::{ClusterStatus, CountedCluster, read_counted},
};

use super::FilterCounters;

/// What Envoy reported at one time.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// When, in milliseconds of a steady clock.
    pub at: u64,
    /// The clusters, in Envoy's order.
    pub clusters: Vec<ClusterReading>,
    /// The counters of the filter; `None` if they are not available.
    pub filter: Option<FilterCounters>,
}

/// One cluster: its hosts, and their requests since Envoy started.
#[derive(Debug, Clone, PartialEq)]
pub struct ClusterReading {
    /// Hosts and health. Readings without a change share it. Active requests and positions are omitted,
    /// because they change with every read.
    pub status: Rc<ClusterStatus<'static>>,
    /// The requests of each host (`rq_total`), retries included.
    pub requests: Vec<u64>,
}

impl Reading {
    /// Reads the response of `/clusters?format=json`. Unchanged clusters share the hosts of the reading
    /// before.
    ///
    /// # Errors
    /// Every fault of the response.
    pub fn new(
        at: u64,
        clusters: &str,
        filter: Option<FilterCounters>,
        before: Option<&Self>,
    ) -> Result<Self, Vec<Diagnostic>> {
        let clusters = read_counted(clusters)?.into_iter();
        Ok(Self {
            at,
            clusters: clusters
                .map(|cluster| ClusterReading::new(cluster, before))
                .collect(),
            filter,
        })
    }

    /// The cluster of that name.
    #[must_use]
    pub fn cluster(&self, name: &str) -> Option<&ClusterReading> {
        let mut clusters = self.clusters.iter();
        clusters.find(|cluster| cluster.status.name == name)
    }
}

impl ClusterReading {
    fn new(counted: CountedCluster, before: Option<&Reading>) -> Self {
        let CountedCluster {
            mut status,
            requests,
        } = counted;
        status.position = Position::START;
        for host in &mut status.hosts {
            host.position = Position::START;
            host.active_requests = None;
        }
        let known = before.and_then(|before| before.cluster(&status.name));
        let status = match known {
            Some(known) if *known.status == status => Rc::clone(&known.status),
            _ => Rc::new(status),
        };
        Self { status, requests }
    }

    /// Whether hosts, weights and health are the same.
    pub(crate) fn has_hosts_of(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.status, &other.status) || self.status == other.status
    }
}
