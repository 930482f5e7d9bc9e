//! Deliveries of hosts and keys to a gateway. They arrive late and out of order.

use alloc::sync::Arc;

use spillgate_core::affinity::KeyRing;

use super::Gateway;
use crate::world::{HostsUpdate, Layout, Millis, TrueHosts};

/// A delivery that has not arrived yet.
#[derive(Debug)]
pub(super) struct PendingDelivery {
    due: Millis,
    delivery: Delivery,
}

/// An update for a gateway.
#[derive(Debug, Clone)]
pub(crate) enum Delivery {
    /// The hosts of a cluster.
    Hosts(usize, Arc<HostsUpdate>),
    /// The token keys.
    Keys(Arc<KeyRing>),
}

impl PendingDelivery {
    const fn is_keys(&self) -> bool {
        matches!(self.delivery, Delivery::Keys(_))
    }
}

impl Gateway {
    /// Restarts with the true state of the hosts. The gateway keeps its keys: they are in its
    /// configuration.
    pub(crate) fn restart(&mut self, layout: &Layout, true_hosts: &TrueHosts) {
        self.configured = None;
        self.pending.retain(PendingDelivery::is_keys);
        self.sync_hosts(layout, true_hosts);
    }

    /// Replaces the known hosts with their true state.
    pub(super) fn sync_hosts(&mut self, layout: &Layout, true_hosts: &TrueHosts) {
        let clusters = 0..layout.clusters.len();
        self.known = clusters.map(|at| true_hosts.update(layout, at)).collect();
    }

    /// Delivers an update at the time `due`.
    pub(crate) fn deliver(&mut self, due: Millis, delivery: Delivery) {
        // Updates of hosts may arrive out of order; configurations, and so keys, may not.
        let due = match delivery {
            Delivery::Hosts(..) => due,
            Delivery::Keys(_) => {
                let pending = self.pending.iter().filter(|pending| pending.is_keys());
                let before = pending.map(|pending| pending.due).max();
                before.map_or(due, |before| due.max(before))
            }
        };
        self.pending.push(PendingDelivery { due, delivery });
    }

    /// Applies the deliveries that have arrived by now, the earliest first. `accepts` compares the
    /// known version of a cluster's hosts with the version of an update.
    pub(crate) fn receive(&mut self, now: Millis, accepts: impl Fn(u64, u64) -> bool) {
        while let Some(at) = self.next(now) {
            match self.pending.remove(at).delivery {
                Delivery::Keys(keys) => self.keys = keys,
                Delivery::Hosts(cluster, update) => {
                    if let Some(known) = self.known.get_mut(cluster)
                        && accepts(known.version, update.version)
                    {
                        *known = update;
                    }
                }
            }
        }
    }

    fn next(&self, now: Millis) -> Option<usize> {
        let due = self
            .pending
            .iter()
            .enumerate()
            .filter(|(_, c)| c.due <= now);
        // Of several with the same time, the first sent is the first to arrive.
        due.min_by_key(|(_, pending)| pending.due).map(|(at, _)| at)
    }
}
