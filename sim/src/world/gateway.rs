//! A gateway: what it has heard of hosts and keys, and what it makes of it.

use alloc::{sync::Arc, vec::Vec};

use spillgate_core::{affinity::KeyRing, draw::SplitMix64};

use super::{Ground, Layout, Millis, View, ground::News};

/// The true time at the beginning, in milliseconds since the Unix epoch: late in 2025.
const BEGINNING: u64 = 1_763_000_000_000;

/// A gateway.
#[derive(Debug)]
pub(super) struct Gateway {
    /// How far its clock is ahead of the true time, in milliseconds.
    pub(super) ahead: i64,
    /// The hosts of each cluster, as it has last heard of them.
    pub(super) heard: Vec<Arc<News>>,
    pub(super) keys: Arc<KeyRing>,
    /// What it balances over; made of what it has heard when a request comes.
    pub(super) view: Option<View>,
    /// News on their way, in the order in which they were sent.
    coming: Vec<Coming>,
    pub(super) draw: SplitMix64,
}

#[derive(Debug)]
struct Coming {
    due: Millis,
    what: Delivery,
}

/// What a gateway hears of.
#[derive(Debug, Clone)]
pub(super) enum Delivery {
    /// The hosts of a cluster.
    Hosts(usize, Arc<News>),
    /// Its keys.
    Keys(Arc<KeyRing>),
}

impl Gateway {
    pub(super) fn new(
        layout: &Layout,
        ground: &Ground,
        keys: Arc<KeyRing>,
        draw: SplitMix64,
    ) -> Self {
        let mut gateway = Self {
            ahead: 0,
            heard: Vec::new(),
            keys,
            view: None,
            coming: Vec::new(),
            draw,
        };
        gateway.learn(layout, ground);
        gateway
    }

    /// Begins anew, with the hosts as they are. Its keys are those that it was last given: they
    /// stand in its configuration.
    pub(super) fn restart(&mut self, layout: &Layout, ground: &Ground) {
        self.view = None;
        let is_keys = |coming: &Coming| matches!(coming.what, Delivery::Keys(_));
        self.coming.retain(is_keys);
        self.learn(layout, ground);
    }

    fn learn(&mut self, layout: &Layout, ground: &Ground) {
        let clusters = 0..layout.bare.len();
        self.heard = clusters.map(|at| ground.news(layout, at)).collect();
    }

    /// Sends it something that arrives at a time.
    pub(super) fn send(&mut self, due: Millis, what: Delivery) {
        // A configuration does not overtake an earlier one; news of hosts may.
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

    /// Takes what has arrived by now, the earliest first; of news those that it `takes`, by the
    /// version that it knows and theirs.
    pub(super) fn receive(&mut self, now: Millis, takes: impl Fn(u64, u64) -> bool) {
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

    /// Makes its view of what it has heard, unless it has.
    pub(super) fn look(&mut self, layout: &Layout) {
        let view = match self.view.take() {
            Some(view) if view.is_of(&self.heard) => view,
            Some(view) => view.changed(layout, &self.heard, &mut self.draw),
            None => View::new(layout, &self.heard, &mut self.draw),
        };
        self.view = Some(view);
    }

    /// What its clock says, in seconds since the Unix epoch.
    pub(super) fn clock(&self, now: Millis) -> u64 {
        (BEGINNING + now).saturating_add_signed(self.ahead) / 1_000
    }

    /// Whether it knows of hosts and keys exactly what another one knows, and has the same time.
    pub(super) fn agrees(&self, other: &Self) -> bool {
        let mut both = self.heard.iter().zip(&other.heard);
        self.ahead == other.ahead
            && Arc::ptr_eq(&self.keys, &other.keys)
            && both.all(|(a, b)| a.version == b.version)
    }
}
