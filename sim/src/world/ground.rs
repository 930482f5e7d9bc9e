//! How the hosts really are.

use alloc::{sync::Arc, vec::Vec};

use spillgate_core::model::{Health, HealthStatus, Metadata};

use super::{Layout, Millis};

/// Every host that there may be, by its number.
#[derive(Debug)]
pub(super) struct Ground {
    pub(super) hosts: Vec<Standing>,
    /// How often each cluster has changed.
    versions: Vec<u64>,
}

/// How a host is.
#[derive(Debug, Clone)]
pub(super) struct Standing {
    pub(super) priority: usize,
    pub(super) health: Health,
    pub(super) metadata: Metadata,
    pub(super) present: bool,
    /// When it vanishes, if it drains.
    pub(super) leaves: Option<Millis>,
    /// Since when it is gone, if it was there once.
    pub(super) gone: Option<Millis>,
}

/// The hosts of a cluster at some time, as gateways hear of them. A later version replaces an
/// earlier one, whatever came between.
#[derive(Debug)]
pub(super) struct News {
    pub(super) version: u64,
    /// In the order of their numbers.
    pub(super) hosts: Vec<Report>,
}

/// A host of a cluster at some time.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Report {
    pub(super) host: usize,
    pub(super) priority: usize,
    pub(super) health: Health,
    pub(super) metadata: Metadata,
}

impl Ground {
    pub(super) fn new(layout: &Layout) -> Self {
        let sites = layout.sites.iter();
        Self {
            hosts: sites
                .map(|site| Standing {
                    priority: site.priority,
                    health: site.endpoint.health,
                    metadata: site.endpoint.metadata.clone(),
                    present: site.present,
                    leaves: None,
                    gone: None,
                })
                .collect(),
            versions: alloc::vec![0; layout.bare.len()],
        }
    }

    /// The hosts of a cluster as they are now.
    pub(super) fn news(&self, layout: &Layout, cluster: usize) -> Arc<News> {
        let both = layout.sites.iter().zip(&self.hosts).enumerate();
        let here = both.filter(|(_, (site, host))| site.cluster == cluster && host.present);
        Arc::new(News {
            version: self.versions.get(cluster).copied().unwrap_or(0),
            hosts: here
                .map(|(at, (_, host))| Report {
                    host: at,
                    priority: host.priority,
                    health: host.health,
                    metadata: host.metadata.clone(),
                })
                .collect(),
        })
    }

    /// Changes hosts; the clusters that they belong to come back, each once.
    pub(super) fn change(
        &mut self,
        layout: &Layout,
        hosts: &[usize],
        mut change: impl FnMut(&mut Standing),
    ) -> Vec<usize> {
        let mut touched = Vec::new();
        for &at in hosts {
            let (Some(host), Some(site)) = (self.hosts.get_mut(at), layout.sites.get(at)) else {
                continue;
            };
            change(host);
            if !touched.contains(&site.cluster) {
                touched.push(site.cluster);
            }
        }
        for &cluster in &touched {
            if let Some(version) = self.versions.get_mut(cluster) {
                *version += 1;
            }
        }
        touched
    }

    /// The numbers of the hosts for which something holds.
    pub(super) fn those(&self, holds: impl Fn(&Standing) -> bool) -> Vec<usize> {
        let hosts = self.hosts.iter().enumerate();
        hosts.filter(|(_, h)| holds(h)).map(|(at, _)| at).collect()
    }
}

impl Standing {
    pub(super) fn vanish(&mut self, now: Millis) {
        if self.present {
            self.present = false;
            self.gone = Some(now);
        }
        self.leaves = None;
    }

    pub(super) fn appear(&mut self) {
        if !self.present {
            self.present = true;
            self.gone = None;
            self.leaves = None;
            self.health = Health::from_status(HealthStatus::Healthy);
        }
    }

    pub(super) fn is_draining(&self) -> bool {
        self.leaves.is_some()
    }
}
