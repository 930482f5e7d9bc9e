//! Deliveries of hosts and keys to a gateway, which arrive late and out of order.

use alloc::sync::Arc;

use spillgate_core::affinity::KeyRing;

use super::Gateway;
use crate::world::{Ground, Layout, Millis, News};

#[derive(Debug)]
pub(super) struct Coming {
    due: Millis,
    what: Delivery,
}

/// What a gateway receives.
#[derive(Debug, Clone)]
pub(in crate::world) enum Delivery {
    /// The hosts of a cluster.
    Hosts(usize, Arc<News>),
    /// Its keys.
    Keys(Arc<KeyRing>),
}

impl Gateway {
    /// Restarts with the hosts as they are. It has the keys that it received last, because they are
    /// in its configuration.
    pub(in crate::world) fn restart(&mut self, layout: &Layout, ground: &Ground) {
        self.configured = None;
        let is_keys = |coming: &Coming| matches!(coming.what, Delivery::Keys(_));
        self.coming.retain(is_keys);
        self.learn(layout, ground);
    }

    pub(super) fn learn(&mut self, layout: &Layout, ground: &Ground) {
        let clusters = 0..layout.bare.len();
        self.heard = clusters.map(|at| ground.news(layout, at)).collect();
    }

    /// Sends it something that arrives at a time.
    pub(in crate::world) fn send(&mut self, due: Millis, what: Delivery) {
        // A configuration does not overtake an earlier one; reports of hosts may.
        let due = match what {
            Delivery::Hosts(..) => due,
            Delivery::Keys(_) => {
                let is_keys = |coming: &&Coming| matches!(coming.what, Delivery::Keys(_));
                let before = self.coming.iter().filter(is_keys).map(|c| c.due).max();
                before.map_or(due, |before| due.max(before))
            }
        };
        self.coming.push(Coming { due, what });
    }

    /// Takes what has arrived by now, the earliest first; of reports those that it `takes`, by the
    /// version that it knows and theirs.
    pub(in crate::world) fn receive(&mut self, now: Millis, takes: impl Fn(u64, u64) -> bool) {
        while let Some(at) = self.next(now) {
            match self.coming.remove(at).what {
                Delivery::Keys(keys) => self.keys = keys,
                Delivery::Hosts(cluster, news) => {
                    if let Some(heard) = self.heard.get_mut(cluster)
                        && takes(heard.version, news.version)
                    {
                        *heard = news;
                    }
                }
            }
        }
    }

    fn next(&self, now: Millis) -> Option<usize> {
        let due = self.coming.iter().enumerate().filter(|(_, c)| c.due <= now);
        due.min_by_key(|(_, coming)| coming.due).map(|(at, _)| at)
    }
}
