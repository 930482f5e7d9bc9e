//! The polled clusters of one admin interface, and the open calls. What is sent next is in [`sending`](super::sending).

use alloc::{borrow::ToOwned, format, string::String, vec::Vec};
use core::time::Duration;

use spillgate_config::filter::Poll;
use spillgate_core::order::sorted;

use super::{
    batch::Batches,
    clock::{LogPause, Now, nanoseconds},
    failures::PollFailures,
    names::Matching,
    polled::{Asked, PolledCluster},
    pollers::Pollers,
    query::Query,
    schedule::Schedule,
};
use crate::{
    metrics::PollCounters,
    port::{CallId, HealthPort},
};

/// The most clusters of a batch whose metadata are read again one by one.
const MOST_SINGLE: usize = 8;

/// The polled clusters of one admin interface.
pub(super) struct PolledAdmin {
    /// The cluster that reaches the admin interface.
    pub(super) name: String,
    pub(super) interval: Duration,
    /// How often the metadata are polled.
    pub(super) metadata_interval: Duration,
    pub(super) kind: Pollers,
    /// In the order of their names.
    pub(super) clusters: Vec<PolledCluster>,
    pub(super) hosts: Batches,
    pub(super) metadata: Batches,
    /// Clusters whose metadata may be those of other hosts.
    pub(super) changed: Vec<usize>,
    /// When the clusters are signed, and asked whether workers need their metadata.
    visits: Vec<Visits>,
    pub(super) calls: Vec<OpenCall>,
    /// How soon calls are sent again that the environment refused: at startup, the cluster of the
    /// admin may not be ready. `None` after accepted calls.
    pub(super) retry: Option<Duration>,
    /// When the next call may be sent.
    pub(super) next_call: u64,
    /// Whether polls have waited for responses to others.
    pub(super) was_full: bool,
    /// Failed polls that are not those of a batch.
    pub(super) failures: PollFailures,
    /// Since when polls wait for longer than an interval.
    pub(super) late_since: Option<u64>,
    pub(super) delays: LogPause,
    pub(super) unknown_values: LogPause,
}

/// Clusters that are visited at the same time.
struct Visits {
    clusters: Vec<usize>,
    schedule: Schedule,
}

/// A call without a response.
pub(super) struct OpenCall {
    pub(super) id: CallId,
    pub(super) query: Query,
    /// The batch; `None` for a cluster whose hosts have changed.
    pub(super) batch: Option<u64>,
    pub(super) asked: Vec<Asked>,
}

impl PolledAdmin {
    /// Polls without open calls. `first` is the time of the first polls.
    pub(super) fn new(port: &impl HealthPort, poll: &Poll, kind: Pollers, first: u64) -> Self {
        let mut targets = sorted(poll.targets.iter().collect(), Ord::cmp);
        targets.dedup();
        let polls_metadata = poll.metadata_interval.is_some();
        let clusters = targets
            .into_iter()
            .map(|name| PolledCluster::new(port, &poll.cluster, name, polls_metadata));
        let metadata_interval = poll.metadata_interval.unwrap_or(poll.interval);
        let mut admin = Self {
            name: poll.cluster.clone(),
            interval: poll.interval,
            metadata_interval,
            kind,
            clusters: clusters.collect(),
            hosts: Batches::new(Matching::Names, poll.interval),
            metadata: Batches::new(Matching::Prefix, metadata_interval),
            changed: Vec::new(),
            visits: Vec::new(),
            calls: Vec::new(),
            retry: None,
            next_call: 0,
            was_full: false,
            failures: PollFailures::default(),
            late_since: None,
            delays: LogPause::default(),
            unknown_values: LogPause::default(),
        };
        let all: Vec<usize> = (0..admin.clusters.len()).collect();
        admin.hosts.add(&names(&admin.clusters), all.clone());
        if polls_metadata {
            admin.metadata.add(&names(&admin.clusters), all);
        }
        let count = admin.hosts.len();
        for (number, batch) in admin.hosts.iter_mut().enumerate() {
            batch.schedule.start_at(first);
            let mut schedule = Schedule::new(poll.interval, number, count);
            schedule.start_at(first);
            admin.visits.push(Visits {
                clusters: batch.group.members.clone(),
                schedule,
            });
        }
        for batch in admin.metadata.iter_mut() {
            batch.schedule.start_at(first);
        }
        admin
    }

    /// The number of requests in an interval.
    pub(super) fn requests(&self) -> usize {
        self.hosts.len()
    }

    /// The pause before the next call, if the environment refused the last one.
    pub(super) const fn retry(&self) -> Option<Duration> {
        self.retry
    }

    /// Sends the polls that are due. The random numbers of `draw` spread the polls of workers.
    pub(super) fn tick(
        &mut self,
        port: &impl HealthPort,
        now: Now,
        draw: &mut dyn FnMut() -> u64,
        counters: &mut PollCounters,
    ) {
        self.visit(port, now);
        let Self { hosts, calls, .. } = self;
        // A poll that is still open is not repeated in this interval.
        for (batches, of_metadata) in [(hosts, false), (&mut self.metadata, true)] {
            for batch in batches.iter_mut() {
                let id = batch.id;
                if batch.schedule.is_due(now.at) && is_open(calls, of_metadata, id) {
                    batch.schedule.advance(now.at, 0);
                }
            }
        }
        self.send_waiting(port, now, draw, counters);
    }

    /// Signs clusters, and begins to poll the metadata that workers need.
    fn visit(&mut self, port: &impl HealthPort, now: Now) {
        let mut begun = Vec::new();
        for visits in &mut self.visits {
            if !visits.schedule.is_due(now.at) {
                continue;
            }
            visits.schedule.advance(now.at, 0);
            for at in &visits.clusters {
                let Some(cluster) = self.clusters.get_mut(*at) else {
                    continue;
                };
                if self.kind == Pollers::One {
                    cluster.sign(port, now, nanoseconds(self.interval));
                }
                if cluster.begins_metadata(port) {
                    begun.push(*at);
                }
            }
        }
        if !begun.is_empty() {
            self.metadata.add(&names(&self.clusters), begun);
        }
    }

    /// Takes the call that has ended.
    pub(super) fn end(&mut self, id: CallId) -> Option<OpenCall> {
        let at = self.calls.iter().position(|open| open.id == id)?;
        let call = self.calls.swap_remove(at);
        for asked in &call.asked {
            if let Some(cluster) = self.clusters.get_mut(asked.cluster) {
                cluster.end(call.query);
            }
        }
        Some(call)
    }

    /// Reads the metadata of these clusters again if they may be those of other hosts. After a
    /// failure, the next response with hosts tries again.
    pub(super) fn read_changed_metadata(&mut self, port: &impl HealthPort, asked: &[Asked]) {
        for Asked { cluster: at, .. } in asked {
            let cluster = self.clusters.get(*at);
            if cluster.is_some_and(|cluster| cluster.needs_new_metadata(port)) {
                self.changed.push(*at);
            }
        }
        self.changed = sorted(core::mem::take(&mut self.changed), Ord::cmp);
        self.changed.dedup();
        if self.changed.len() <= MOST_SINGLE {
            return;
        }
        for batch in self.metadata.iter_mut() {
            let members = &batch.group.members;
            let is_own = |at: &usize| members.binary_search(at).is_ok();
            let own = self.changed.iter().filter(|at| is_own(at)).count();
            if own > MOST_SINGLE && !is_open(&self.calls, true, batch.id) {
                self.changed.retain(|at| !is_own(at));
                batch.schedule.start_at(0);
            }
        }
    }

    /// Records the size of a usable response.
    pub(super) fn resize(&mut self, query: Query, id: u64, size: usize) {
        let (calls, names) = (&self.calls, names(&self.clusters));
        let of_metadata = query.is_for_metadata();
        let batches = if of_metadata {
            &mut self.metadata
        } else {
            &mut self.hosts
        };
        batches.resize(&names, id, size, &|id| is_open(calls, of_metadata, id));
    }

    /// Divides a batch whose response cannot be read.
    pub(super) fn divide(&mut self, query: Query, id: u64) {
        let names = names(&self.clusters);
        if !query.is_for_metadata() {
            self.hosts.divide(&names, id)
        } else if !is_open(&self.calls, true, id) {
            self.metadata.divide(&names, id)
        }
    }

    /// Counts a failed poll, and keeps the last known state.
    pub(super) fn fail(
        &mut self,
        port: &impl HealthPort,
        now: Now,
        (query, batch): (Query, Option<u64>),
        what: &str,
        why: &str,
        counters: &mut PollCounters,
    ) {
        counters.failed.add(port);
        if query.is_for_metadata() {
            counters.metadata_failed.add(port);
        }
        self.failures_of(query, batch).failed(now, what, why);
    }

    pub(super) fn failures_of(&mut self, query: Query, batch: Option<u64>) -> &mut PollFailures {
        let batches = if query.is_for_metadata() {
            &mut self.metadata
        } else {
            &mut self.hosts
        };
        match batch.and_then(|id| batches.get_mut(id)) {
            Some(batch) => &mut batch.failures,
            None => &mut self.failures,
        }
    }

    /// The polled state, and the cluster that reaches the admin.
    pub(super) fn name_of(&self, query: Query, members: &[usize]) -> String {
        let of = if query.is_for_metadata() {
            "metadata of "
        } else {
            ""
        };
        format!("{of}{} through {}", self.names_of(members), self.name)
    }

    /// The first name, and how many more there are.
    pub(super) fn names_of(&self, members: &[usize]) -> String {
        let first = members
            .first()
            .and_then(|at| self.clusters.get(*at))
            .map_or("", |cluster| cluster.name.as_str());
        match members.len() {
            0 | 1 => first.to_owned(),
            count => format!("{first} and {} more", count - 1),
        }
    }
}

pub(super) fn names(clusters: &[PolledCluster]) -> Vec<&str> {
    clusters
        .iter()
        .map(|cluster| cluster.name.as_str())
        .collect()
}

/// Whether a query of a batch has no response.
pub(super) fn is_open(calls: &[OpenCall], of_metadata: bool, id: u64) -> bool {
    let mut calls = calls.iter();
    calls.any(|call| call.batch == Some(id) && call.query.is_for_metadata() == of_metadata)
}
