//! The hosts of a cluster, as a load balancer has them.

use crate::metadata::{LentFields, LentValue};

/// The health of a host, as Envoy reports it to a policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportedHealth {
    /// Unhealthy or draining.
    Unhealthy = 0,
    /// Degraded.
    Degraded = 1,
    /// Healthy.
    Healthy = 2,
}

/// The names of a locality.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LocalityText {
    /// The region.
    pub region: Box<[u8]>,
    /// The zone.
    pub zone: Box<[u8]>,
    /// The sub-zone.
    pub sub_zone: Box<[u8]>,
}

/// A host.
#[derive(Debug, Clone)]
pub struct LoadBalancedHost {
    /// `ip:port`.
    pub address: Box<[u8]>,
    /// Its health.
    pub health: ReportedHealth,
    /// Its weight.
    pub weight: u32,
    /// Its active requests.
    pub active_requests: u64,
    /// Its locality.
    pub locality: LocalityText,
    pub(crate) metadata: LentFields,
}

/// All hosts of a cluster. A clone has texts at other addresses.
#[derive(Debug, Clone, Default)]
pub struct ClusterHosts {
    /// The hosts of each priority.
    pub priorities: Vec<Vec<LoadBalancedHost>>,
    /// The weights of the localities of each priority; missing ones do not exist.
    pub locality_weights: Vec<Vec<u32>>,
}

impl LoadBalancedHost {
    /// A healthy host.
    #[must_use]
    pub fn at(address: &str) -> Self {
        Self {
            address: address.as_bytes().into(),
            health: ReportedHealth::Healthy,
            weight: 1,
            active_requests: 0,
            locality: LocalityText::default(),
            metadata: LentFields::default(),
        }
    }

    /// The host with this health.
    #[must_use]
    pub fn with_health(mut self, health: ReportedHealth) -> Self {
        self.health = health;
        self
    }

    /// The host with a value in its subset metadata.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl Into<LentValue>) -> Self {
        self.metadata.set("envoy.lb", key, value.into());
        self
    }
}

impl ClusterHosts {
    /// Healthy hosts of one priority.
    #[must_use]
    pub fn of(addresses: &[&str]) -> Self {
        let hosts = addresses
            .iter()
            .map(|address| LoadBalancedHost::at(address));
        Self::in_priorities(vec![hosts.collect()])
    }

    /// The hosts of some priorities.
    #[must_use]
    pub fn in_priorities(priorities: Vec<Vec<LoadBalancedHost>>) -> Self {
        Self {
            priorities,
            locality_weights: Vec::new(),
        }
    }

    /// The addresses of all hosts.
    #[must_use]
    pub fn addresses(&self) -> Vec<String> {
        let hosts = self.priorities.iter().flatten();
        hosts
            .map(|host| String::from_utf8_lossy(&host.address).into_owned())
            .collect()
    }

    pub(crate) fn host(&self, priority: u32, host: usize) -> Option<&LoadBalancedHost> {
        self.priorities.get(priority as usize)?.get(host)
    }
}
