//! What is sent to an admin interface next: what has waited longest, as long as few calls are open.

use core::time::Duration;

use super::{
    admin::{OpenCall, PolledAdmin, is_open, names},
    batch::Batch,
    clock::{Now, nanoseconds},
    names::{Group, single},
    pollers::Pollers,
    query::Query,
};
use crate::{metrics::PollCounters, port::HealthPort};

/// The longest time until a response. The main thread of a large Envoy can be busy for seconds.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The most calls for hosts without a response, and those for metadata. The admin answers them one after
/// another, so more of them would only wait there, and Envoy's default limit for the admin's cluster is 1,024.
const MOST_CALLS: usize = 4;
/// How soon a refused call is sent again; the pause doubles up to the poll interval.
const FIRST_RETRY: Duration = Duration::from_millis(100);
/// For how many intervals polls are late before that is logged.
const LASTING_DELAY: u64 = 3;

/// What is sent next.
enum Waiting {
    Hosts(u64),
    Metadata(u64),
    Changed(usize),
}

impl PolledAdmin {
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
            let hosts = self
                .hosts
                .longest_waiting(now.at, &open(false))
                .filter(|_| for_hosts);
            let metadata = self
                .metadata
                .longest_waiting(now.at, &open(true))
                .filter(|_| for_metadata);
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
}
