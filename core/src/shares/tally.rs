//! Sums of shares by host.

use alloc::vec::Vec;

use super::Share;
use crate::snapshot::{ClusterId, HostRef};

/// Sums by host, in the order in which priorities first received a share.
#[derive(Default)]
pub(super) struct Tally {
    priorities: Vec<PriorityShares>,
}

/// The sums of the hosts of one priority, by host index.
struct PriorityShares {
    owner: ClusterId,
    priority: usize,
    shares: Vec<f64>,
}

impl Tally {
    pub(super) fn give(&mut self, to: HostRef, share: f64) {
        let (owner, priority, host) = (to.cluster, to.priority, to.host);
        let same = |have: &PriorityShares| have.owner == owner && have.priority == priority;
        let at = match self.priorities.iter().position(same) {
            Some(at) => at,
            None => {
                self.priorities.push(PriorityShares {
                    owner,
                    priority,
                    shares: Vec::new(),
                });
                self.priorities.len() - 1
            }
        };
        if let Some(found) = self.priorities.get_mut(at) {
            if found.shares.len() <= host {
                found.shares.resize(host + 1, 0.0);
            }
            if let Some(sum) = found.shares.get_mut(host) {
                *sum += share;
            }
        }
    }

    /// All hosts up to the last one with a share, with their sums.
    pub(super) fn hosts(&self) -> impl Iterator<Item = (HostRef, f64)> {
        self.priorities.iter().flat_map(|found| {
            let shares = found.shares.iter().enumerate();
            shares.map(|(host, &share)| {
                let host = HostRef {
                    cluster: found.owner,
                    priority: found.priority,
                    host,
                };
                (host, share)
            })
        })
    }

    /// The hosts with a share.
    pub(super) fn shares(&self) -> Vec<Share> {
        let shares = self.hosts().map(|(host, share)| Share {
            owner: host.cluster,
            priority: host.priority,
            host: host.host,
            share,
        });
        shares.filter(|share| share.share > 0.0).collect()
    }
}
