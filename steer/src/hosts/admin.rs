//! The polls of one admin interface: a bounded number of open calls, and what waits for one.

use alloc::{borrow::ToOwned, format, string::String, vec::Vec};
use core::time::Duration;

use spillgate_config::filter::Poll;
use spillgate_core::order::sorted;

use super::{
    batch::{Batch, Batches},
    clock::{LogPause, Now, nanoseconds},
    failures::PollFailures,
    names::{Group, Matching, single},
    polled::{Asked, PolledCluster},
    pollers::Pollers,
    query::Query,
    schedule::Schedule,
};
use crate::{
    metrics::PollCounters,
    port::{CallId, HealthPort},
};

/// The longest time until a response. The main thread of a large Envoy can be busy for seconds.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The most calls for hosts without a response, and those for metadata. The admin answers them one after another, so more of them
/// would only wait there, and Envoy's default limit for the admin's cluster is 1,024.
const MOST_CALLS: usize = 4;
/// How soon a refused call is sent again; the pause doubles up to the poll interval.
const FIRST_RETRY: Duration = Duration::from_millis(100);
/// The most clusters of a batch whose metadata are read again one by one.
const MOST_SINGLE: usize = 8;

/// For how many intervals polls are late before that is logged.
const LASTING_DELAY: u64 = 3;

/// The polled clusters of one admin interface.
pub(super) struct PolledAdmin {
    /// The cluster that reaches the admin interface.
    pub(super) name: String,
    interval: Duration,
    /// How often the metadata are polled.
    pub(super) metadata_interval: Duration,
    kind: Pollers,
    /// In the order of their names.
    pub(super) clusters: Vec<PolledCluster>,
    pub(super) hosts: Batches,
    pub(super) metadata: Batches,
    /// Clusters whose metadata may be those of other hosts.
    changed: Vec<usize>,
    /// When the clusters are signed, and asked whether workers need their metadata.
    visits: Vec<Visits>,
    calls: Vec<OpenCall>,
    /// How soon calls are sent again that the environment refused: at startup, the cluster of the
    /// admin may not be ready. `None` after accepted calls.
    retry: Option<Duration>,
    /// When the next call may be sent.
    next_call: u64,
    /// Whether polls have waited for responses to others.
    was_full: bool,
    /// Failed polls that are not those of a batch.
    pub(super) failures: PollFailures,
    /// Since when polls wait for longer than an interval.
    late_since: Option<u64>,
    delays: LogPause,
    pub(super) unknown_values: LogPause,
}

/// Clusters that are visited at the same time.
struct Visits {
    clusters: Vec<usize>,
    schedule: Schedule,
}

/// A call without a response.
pub(super) struct OpenCall {
    id: CallId,
    pub(super) query: Query,
    /// The batch; `None` for a cluster whose hosts have changed.
    pub(super) batch: Option<u64>,
    pub(super) asked: Vec<Asked>,
}

/// What is sent next.
enum Waiting {
    Hosts(u64),
    Metadata(u64),
    Changed(usize),
}

impl PolledAdmin {
    /// Polls without open calls. `first` is the time of the first polls.
    pub(super) fn new(port: &impl HealthPort, poll: &Poll, kind: Pollers, first: u64) -> Self {
        let mut targets = sorted(poll.targets.iter().collect(), Ord::cmp);
        targets.dedup();
        let polls_metadata = poll.metadata_interval.is_some();
        let clusters = targets.into_iter();
        let clusters =
            clusters.map(|name| PolledCluster::new(port, &poll.cluster, name, polls_metadata));
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

    /// Sends what has waited longest, as long as another call may be open.
    pub(super) fn send_waiting(
        &mut self,
        port: &impl HealthPort,
        now: Now,
        draw: &mut dyn FnMut() -> u64,
        counters: &mut PollCounters,
    ) {
        self.send_allowed(port, now, draw, counters);
        self.was_full = !self.is_allowed(false);
    }

    /// Whether another call of this kind may be open.
    fn is_allowed(&self, of_metadata: bool) -> bool {
        let calls = self.calls.iter();
        let same = calls.filter(|call| call.query.is_for_metadata() == of_metadata);
        same.count() < MOST_CALLS
    }

    fn send_allowed(
        &mut self,
        port: &impl HealthPort,
        now: Now,
        draw: &mut dyn FnMut() -> u64,
        counters: &mut PollCounters,
    ) {
        let early = nanoseconds(self.interval) / 10;
        if now.at.saturating_add(early) < self.next_call {
            return;
        }
        loop {
            let Some(waiting) = self.longest_waiting(port, now, draw) else {
                return;
            };
            let accepted = self.send(port, now, waiting, draw, counters);
            let longer = self.retry.map_or(FIRST_RETRY, |retry| retry * 2);
            self.retry = (!accepted).then(|| longer.min(self.interval));
            if let Some(retry) = self.retry {
                self.next_call = now.at.saturating_add(nanoseconds(retry));
                return;
            }
        }
    }

    /// What has waited longest. What another poller has just read no longer waits.
    fn longest_waiting(
        &mut self,
        port: &impl HealthPort,
        now: Now,
        draw: &mut dyn FnMut() -> u64,
    ) -> Option<Waiting> {
        // Slow queries for metadata must not keep those for hosts waiting.
        let for_metadata = self.is_allowed(true);
        let for_hosts = self.is_allowed(false);
        if for_metadata && let Some(changed) = self.changed.pop() {
            return Some(Waiting::Changed(changed));
        }
        loop {
            let calls = &self.calls;
            let open = |of_metadata| move |id| is_open(calls, of_metadata, id);
            let hosts = self.hosts.longest_waiting(now.at, &open(false));
            let hosts = hosts.filter(|_| for_hosts);
            let metadata = self.metadata.longest_waiting(now.at, &open(true));
            let metadata = metadata.filter(|_| for_metadata);
            // Metadata of the same time list new hosts before these are published.
            let (due, waiting) = match (hosts, metadata) {
                (Some((due, id)), Some((metadata, _))) if due < metadata => {
                    (due, Waiting::Hosts(id))
                }
                (Some((due, id)), None) => (due, Waiting::Hosts(id)),
                (_, Some((due, id))) => (due, Waiting::Metadata(id)),
                (None, None) => return None,
            };
            if !self.has_just_polled(port, now, &waiting) {
                self.log_delay(now, due);
                return Some(waiting);
            }
            let kind = self.kind;
            if let Some(batch) = self.batch_mut(&waiting) {
                let delay = kind.delay(&batch.schedule, draw());
                batch.schedule.advance(now.at, delay);
            }
        }
    }

    /// Whether another poller has just read all of it.
    fn has_just_polled(&mut self, port: &impl HealthPort, now: Now, waiting: &Waiting) -> bool {
        if self.kind == Pollers::One {
            return false;
        }
        let (batches, interval) = match waiting {
            Waiting::Hosts(_) => (&mut self.hosts, self.interval),
            Waiting::Metadata(_) => (&mut self.metadata, self.metadata_interval),
            Waiting::Changed(_) => return false,
        };
        let (Waiting::Hosts(id) | Waiting::Metadata(id)) = waiting else {
            return false;
        };
        let Some(batch) = batches.get_mut(*id) else {
            return true;
        };
        // Less than an interval: a late response must not cause a second poll.
        let recent = nanoseconds(interval) / 4 * 3;
        batch.group.members.iter().all(|at| {
            let at = self
                .clusters
                .get_mut(*at)
                .and_then(|cluster| match waiting {
                    Waiting::Hosts(_) => cluster.polled_at(port, now),
                    _ => cluster.metadata_at(port, now),
                });
            at.is_some_and(|at| now.at.saturating_sub(at) < recent)
        })
    }

    fn batch_mut(&mut self, waiting: &Waiting) -> Option<&mut Batch> {
        match waiting {
            Waiting::Hosts(id) => self.hosts.get_mut(*id),
            Waiting::Metadata(id) => self.metadata.get_mut(*id),
            Waiting::Changed(_) => None,
        }
    }

    /// Warns if polls have waited for others for longer than an interval, and not only at startup,
    /// when the proxy is busy.
    fn log_delay(&mut self, now: Now, due: u64) {
        let interval = nanoseconds(self.interval);
        // A batch that was divided has not waited.
        let late = now.at.saturating_sub(if due == 0 { now.at } else { due });
        if !self.was_full || late <= interval {
            self.late_since = None;
            return;
        }
        let since = *self.late_since.get_or_insert(now.at);
        let is_lasting = now.at.saturating_sub(since) > interval.saturating_mul(LASTING_DELAY);
        if !is_lasting || !self.delays.may_log(now) {
            return;
        }
        let (count, admin) = (self.clusters.len(), &self.name);
        let interval = self.interval.as_millis();
        let late = Duration::from_nanos(late).as_millis();
        log::warn!(
            "spillgate: polls through {admin} are {late} ms late: its {count} targets are too many \
             for an interval of {interval} ms"
        );
    }

    /// Sends the queries of a poll. Returns whether the environment accepted them.
    fn send(
        &mut self,
        port: &impl HealthPort,
        now: Now,
        waiting: Waiting,
        draw: &mut dyn FnMut() -> u64,
        counters: &mut PollCounters,
    ) -> bool {
        const METADATA: &[Query] = &[Query::DynamicEndpoints, Query::StaticEndpoints];
        let queries = match &waiting {
            Waiting::Hosts(_) => &[Query::Hosts][..],
            Waiting::Metadata(_) | Waiting::Changed(_) => METADATA,
        };
        if self.kind == Pollers::Standby && matches!(waiting, Waiting::Hosts(_)) {
            counters.standby.add(port);
        }
        let (id, Group { members, pattern }) = match &waiting {
            Waiting::Changed(at) => (None, single(&names(&self.clusters), *at)),
            Waiting::Hosts(id) | Waiting::Metadata(id) => {
                let Some(batch) = self.batch_mut(&waiting) else {
                    return true;
                };
                let (members, pattern) = (&batch.group.members, &batch.group.pattern);
                let group = Group {
                    members: members.clone(),
                    pattern: pattern.clone(),
                };
                (Some(*id), group)
            }
        };
        let mut accepted = true;
        for query in queries {
            let of = |at: &usize| self.clusters.get(*at);
            let mut clusters = members.iter().filter_map(of);
            if !clusters.any(|cluster| cluster.may_be_in(*query)) {
                continue;
            }
            counters.sent.add(port);
            let Some(call) = port.get(&self.name, &query.path(&pattern), TIMEOUT) else {
                let what = self.name_of(*query, &members);
                let why = "unknown admin cluster, or it has no host";
                self.fail(port, now, (*query, id), &what, why, counters);
                accepted = false;
                break;
            };
            let asked = members.iter().filter_map(|at| {
                let cluster = self.clusters.get_mut(*at)?;
                let may_be = cluster.may_be_in(*query);
                may_be.then(|| cluster.ask(port, now, *query, *at))
            });
            self.calls.push(OpenCall {
                id: call,
                query: *query,
                batch: id,
                asked: asked.collect(),
            });
        }
        let kind = self.kind;
        match (&waiting, accepted) {
            (Waiting::Changed(at), false) => {
                self.changed.push(*at);
            }
            (_, true) => {
                if let Some(batch) = self.batch_mut(&waiting) {
                    let delay = kind.delay(&batch.schedule, draw());
                    batch.schedule.advance(now.at, delay);
                }
            }
            _ => {}
        }
        accepted
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
        let batches = match of_metadata {
            true => &mut self.metadata,
            false => &mut self.hosts,
        };
        batches.resize(&names, id, size, &|id| is_open(calls, of_metadata, id));
    }

    /// Divides a batch whose response cannot be read.
    pub(super) fn divide(&mut self, query: Query, id: u64) {
        let names = names(&self.clusters);
        match query.is_for_metadata() {
            true if is_open(&self.calls, true, id) => {}
            true => self.metadata.divide(&names, id),
            false => self.hosts.divide(&names, id),
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
        let batches = match query.is_for_metadata() {
            true => &mut self.metadata,
            false => &mut self.hosts,
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
        let first = members.first().and_then(|at| self.clusters.get(*at));
        let first = first.map_or("", |cluster| cluster.name.as_str());
        match members.len() {
            0 | 1 => first.to_owned(),
            count => format!("{first} and {} more", count - 1),
        }
    }
}

fn names(clusters: &[PolledCluster]) -> Vec<&str> {
    clusters
        .iter()
        .map(|cluster| cluster.name.as_str())
        .collect()
}

/// Whether a query of a batch has no response.
fn is_open(calls: &[OpenCall], of_metadata: bool, id: u64) -> bool {
    let mut calls = calls.iter();
    calls.any(|call| call.batch == Some(id) && call.query.is_for_metadata() == of_metadata)
}
