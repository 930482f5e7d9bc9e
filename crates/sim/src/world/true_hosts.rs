//! The true state of the hosts.

use alloc::{sync::Arc, vec::Vec};

use spillgate_core::model::{Health, HealthStatus, Metadata};

use super::{Layout, Millis};

/// The true state of all hosts, by their numbers.
#[derive(Debug)]
pub(crate) struct TrueHosts {
    pub(crate) hosts: Vec<TrueHost>,
    /// The number of changes of each cluster.
    versions: Vec<u64>,
}

/// The state of a host, as a log shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WorldHost {
    /// Whether it exists.
    pub present: bool,
    /// Its priority.
    pub priority: usize,
    /// Its health, also of a host that does not exist: the last one.
    pub health: Health,
}

/// The true state of a host.
#[derive(Debug, Clone)]
pub(crate) struct TrueHost {
    pub(crate) priority: usize,
    pub(crate) health: Health,
    pub(crate) metadata: Metadata,
    pub(crate) present: bool,
    /// When it vanishes, if it is draining.
    pub(crate) vanishes_at: Option<Millis>,
    /// When it was removed, if it existed.
    pub(crate) removed_at: Option<Millis>,
}

/// The hosts of a cluster at some time, as gateways receive them. A later version replaces any
/// earlier one.
#[derive(Debug)]
pub(crate) struct HostsUpdate {
    pub(crate) version: u64,
    /// In the order of their numbers.
    pub(crate) hosts: Vec<ReportedHost>,
}

/// A host of a cluster at some time.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ReportedHost {
    pub(crate) host: usize,
    pub(crate) priority: usize,
    pub(crate) health: Health,
    pub(crate) metadata: Metadata,
}

impl TrueHosts {
    pub(crate) fn new(layout: &Layout) -> Self {
        let configured_hosts = layout.hosts.iter();
        Self {
            hosts: configured_hosts
                .map(|configured| TrueHost {
                    priority: configured.priority,
                    health: configured.endpoint.health,
                    metadata: configured.endpoint.metadata.clone(),
                    present: configured.present,
                    vanishes_at: None,
                    removed_at: None,
                })
                .collect(),
            versions: alloc::vec![0; layout.clusters.len()],
        }
    }

    /// The hosts of a cluster as they are now.
    pub(crate) fn update(&self, layout: &Layout, cluster: usize) -> Arc<HostsUpdate> {
        Arc::new(self.complete(layout, cluster))
    }

    /// As [`TrueHosts::update`], to be changed before it is sent.
    pub(crate) fn complete(&self, layout: &Layout, cluster: usize) -> HostsUpdate {
        let both = layout.hosts.iter().zip(&self.hosts).enumerate();
        let here =
            both.filter(|(_, (configured, host))| configured.cluster == cluster && host.present);
        HostsUpdate {
            version: self.versions.get(cluster).copied().unwrap_or(0),
            hosts: here
                .map(|(at, (_, host))| ReportedHost {
                    host: at,
                    priority: host.priority,
                    health: host.health,
                    metadata: host.metadata.clone(),
                })
                .collect(),
        }
    }

    /// Changes hosts. Returns their clusters, each once.
    pub(crate) fn change(
        &mut self,
        layout: &Layout,
        hosts: &[usize],
        mut change: impl FnMut(&mut TrueHost),
    ) -> Vec<usize> {
        let mut touched = Vec::new();
        for &at in hosts {
            let (Some(host), Some(configured)) = (self.hosts.get_mut(at), layout.hosts.get(at))
            else {
                continue;
            };
            change(host);
            if !touched.contains(&configured.cluster) {
                touched.push(configured.cluster);
            }
        }
        for &cluster in &touched {
            if let Some(version) = self.versions.get_mut(cluster) {
                *version += 1;
            }
        }
        touched
    }

    /// The numbers of the hosts for which `holds` returns true.
    pub(crate) fn filter(&self, holds: impl Fn(&TrueHost) -> bool) -> Vec<usize> {
        let hosts = self.hosts.iter().enumerate();
        hosts.filter(|(_, h)| holds(h)).map(|(at, _)| at).collect()
    }
}

impl TrueHost {
    /// The part of the state that a log shows.
    pub(crate) const fn shown(&self) -> WorldHost {
        WorldHost {
            present: self.present,
            priority: self.priority,
            health: self.health,
        }
    }

    pub(crate) fn vanish(&mut self, now: Millis) {
        if self.present {
            self.present = false;
            self.removed_at = Some(now);
        }
        self.vanishes_at = None;
    }

    pub(crate) fn appear(&mut self) {
        if !self.present {
            self.present = true;
            self.removed_at = None;
            self.vanishes_at = None;
            self.health = Health::from_status(HealthStatus::Healthy);
        }
    }

    pub(crate) fn is_draining(&self) -> bool {
        self.vanishes_at.is_some()
    }
}
