//! Shares by host.

use alloc::vec::Vec;

use spillgate_core::{
    shares::Distribution,
    snapshot::{ClusterId, HostRef},
};

/// The shares of a distribution in percent, by priority and host.
#[derive(Debug, Clone, Default)]
pub struct Shares {
    priorities: Vec<(ClusterId, usize, Vec<f64>)>,
}

impl Shares {
    /// The shares of a distribution.
    #[must_use]
    pub fn of(distribution: &Distribution) -> Self {
        let mut priorities: Vec<(ClusterId, usize, Vec<f64>)> = Vec::new();
        for share in &distribution.shares {
            let is = |priority: &(ClusterId, usize, Vec<f64>)| {
                (priority.0, priority.1) == (share.owner, share.priority)
            };
            let at = priorities.iter().position(is).unwrap_or_else(|| {
                priorities.push((share.owner, share.priority, Vec::new()));
                priorities.len() - 1
            });
            if let Some((_, _, hosts)) = priorities.get_mut(at) {
                if hosts.len() <= share.host {
                    hosts.resize(share.host + 1, 0.0);
                }
                if let Some(sum) = hosts.get_mut(share.host) {
                    *sum += share.share;
                }
            }
        }
        Self { priorities }
    }

    /// The share of all hosts of a priority.
    #[must_use]
    pub fn of_priority(&self, cluster: ClusterId, priority: usize) -> f64 {
        let mut priorities = self.priorities.iter();
        let found = priorities.find(|found| (found.0, found.1) == (cluster, priority));
        // The sum of no shares is -0.0.
        found.map_or(0.0, |(_, _, hosts)| {
            hosts.iter().fold(0.0, |sum, share| sum + share)
        })
    }

    /// The share of a host; 0 for one that gets nothing.
    #[must_use]
    pub fn get(&self, host: HostRef) -> f64 {
        let mut priorities = self.priorities.iter();
        let priority =
            priorities.find(|priority| (priority.0, priority.1) == (host.cluster, host.priority));
        let share = priority.and_then(|(_, _, hosts)| hosts.get(host.host));
        share.copied().unwrap_or(0.0)
    }
}
