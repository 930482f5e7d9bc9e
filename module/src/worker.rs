//! What a worker keeps between requests: for each configuration, the state of its policies.

use std::{
    cell::RefCell,
    rc::Rc,
    sync::{Arc, Weak},
};

use spillgate_steer::{
    Balancing, CompiledConfig, SteeredRequest, count_build,
    hosts::{HostChange, Hosts},
};

use crate::{balancers::EnvoyCounts, metrics::UsedCounters, plugin::Plugin, settings::FilterState};

thread_local! {
    static WORKER: RefCell<Vec<Entry>> = const { RefCell::new(Vec::new()) };
}

/// The state of a configuration on this worker.
struct Entry {
    filter: Weak<FilterState>,
    balancing: Balancing,
    /// The applied publication.
    generation: u64,
    counters: Rc<UsedCounters>,
}

/// A new request of a configuration, with the latest hosts.
pub(crate) fn request(filter: &Arc<FilterState>, plugin: &Plugin<'_>) -> SteeredRequest {
    WORKER.with(|worker| {
        // Hooks do not nest, so the table is free.
        let Ok(mut entries) = worker.try_borrow_mut() else {
            return SteeredRequest::new(None);
        };
        let is_it = |entry: &Entry| entry.filter.as_ptr() == Arc::as_ptr(filter);
        let place = match entries.iter().position(is_it) {
            Some(place) => place,
            None => {
                entries.retain(|entry| entry.filter.strong_count() > 0);
                entries.push(Entry::new(filter, plugin));
                entries.len() - 1
            }
        };
        let entry = entries.get_mut(place);
        SteeredRequest::new(entry.map(|entry| {
            entry.refresh(filter, plugin);
            entry.balancing.serving()
        }))
    })
}

/// The counters of a configuration on this worker.
pub(crate) fn counters(filter: &Arc<FilterState>) -> Rc<UsedCounters> {
    WORKER.with(|worker| {
        let entries = worker.try_borrow().ok();
        let entry = entries.as_ref().and_then(|entries| {
            let mut entries = entries.iter();
            entries.find(|entry| entry.filter.as_ptr() == Arc::as_ptr(filter))
        });
        entry.map_or_else(Rc::default, |entry| entry.counters.clone())
    })
}

impl Entry {
    fn new(filter: &Arc<FilterState>, plugin: &Plugin<'_>) -> Self {
        let latest = filter.board.latest();
        filter.report_unknown(&latest);
        let compiled = CompiledConfig::with_snapshot(filter.config.clone(), latest.snapshot);
        let mut balancing = Balancing::begin(plugin, compiled, None);
        plugin.add("spillgate.config.accepted", 1);
        count_build(plugin);
        balancing.count_with(EnvoyCounts);
        balancing.set_unknown(&latest.unknown);
        Self {
            filter: Arc::downgrade(filter),
            balancing,
            generation: latest.generation,
            counters: plugin.counters.clone(),
        }
    }

    fn refresh(&mut self, filter: &FilterState, plugin: &Plugin<'_>) {
        if filter.board.generation() == self.generation {
            return;
        }
        let latest = filter.board.latest();
        filter.report_unknown(&latest);
        plugin.add("spillgate.health.updates", filter.board.uncounted());
        let hosts = if latest.regrouped > self.generation {
            Hosts::NewHosts(latest.snapshot)
        } else {
            Hosts::NewHealth(latest.snapshot)
        };
        self.balancing.update(HostChange {
            hosts,
            ..HostChange::default()
        });
        self.balancing.set_unknown(&latest.unknown);
        self.generation = latest.generation;
    }
}
