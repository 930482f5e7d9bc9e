//! One run: the events of hosts, checks, sweeps and deliveries in the order of time.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    vec::Vec,
};
use core::time::Duration;

use spillgate_core::{draw::SplitMix64, model::Health, snapshot::ClusterId};
use spillgate_health::{merge_window::MergedUpdates, outlier::Detector};

use super::{
    breaker::BreakerRun,
    changes::TimelineChange,
    host::HostRun,
    ledger::RequestTotals,
    plan::IncidentPlan,
    queue::{EventQueue, QueuedEvent},
    recorder::Recorder,
    session_run::SessionRun,
};
use crate::{
    setup::{IncidentHealth, IncidentSetup, ProxyStart},
    traffic::{Cast, Flow, WorkerView},
};

/// The state of a run. Its times start before those of the script, by `lead`.
pub(super) struct Simulation<'a> {
    pub(super) setup: &'a IncidentSetup,
    pub(super) plan: &'a IncidentPlan,
    pub(super) cast: Cast,
    pub(super) draw: SplitMix64,
    pub(super) now: Duration,
    /// The time before the script, in which checks and sweeps get their phases.
    pub(super) lead: Duration,
    pub(super) queue: EventQueue,
    pub(super) hosts: Vec<HostRun>,
    pub(super) detectors: BTreeMap<ClusterId, Detector>,
    /// By cluster and index in outlier detection: the number of the host.
    pub(super) by_index: BTreeMap<ClusterId, Vec<usize>>,
    /// By cluster and priority.
    pub(super) windows: BTreeMap<ClusterId, Vec<MergedUpdates>>,
    /// The health of hosts in the lists that the workers get at this moment; of several entries, the last one counts.
    pub(super) delivered: Vec<(usize, Health)>,
    /// Whether the workers get lists at this moment.
    pub(super) has_delivered: bool,
    pub(super) members_changed: bool,
    pub(super) view: WorkerView,
    pub(super) flow: Flow,
    pub(super) breakers: BTreeMap<ClusterId, BreakerRun>,
    /// Whether a circuit breaker refuses requests.
    pub(super) refuses: bool,
    /// The clusters whose circuit breakers refused requests, and whether also those to hosts that work.
    pub(super) opened: BTreeMap<ClusterId, bool>,
    /// The number of hosts in slow start.
    pub(super) slow_start_hosts: usize,
    /// The clusters with hosts in slow start, whose weights grow in steps.
    pub(super) slow_start_clusters: BTreeSet<ClusterId>,
    pub(super) rps: f64,
    /// The sessions of the clients, if routes keep them.
    pub(super) sessions: Option<SessionRun>,
    /// The clusters that had a connection for requests: their checks have other intervals from then on.
    pub(super) used: BTreeSet<ClusterId>,
    /// Whether the script has begun.
    pub(super) has_begun: bool,
    /// Whether the flow must be computed again.
    pub(super) is_stale: bool,
    pub(super) accounted: Duration,
    /// The time of the first failure, in the script.
    pub(super) onset: Option<Duration>,
    pub(super) since_onset: RequestTotals,
    pub(super) changes: Vec<TimelineChange>,
    pub(super) recorder: Recorder,
}

impl<'a> Simulation<'a> {
    /// The settings of the cluster of a host.
    pub(super) fn settings_of(&self, number: usize) -> Option<&'a IncidentHealth> {
        let setup = self.setup;
        setup.health.get(&self.cluster_of(number)?)
    }

    /// The cluster of a host.
    pub(super) fn cluster_of(&self, number: usize) -> Option<ClusterId> {
        self.cast.hosts().get(number).map(|host| host.at.cluster)
    }

    /// Whether the cluster of a host had a connection for requests.
    pub(super) fn had_traffic(&self, number: usize) -> bool {
        let cluster = self.cluster_of(number);
        cluster.is_some_and(|cluster| self.used.contains(&cluster))
    }

    /// The hosts of a cluster.
    pub(super) fn numbers_of(&self, cluster: ClusterId) -> Vec<usize> {
        let hosts = self.cast.hosts().iter().enumerate();
        let own = hosts.filter(|(_, host)| host.at.cluster == cluster);
        own.map(|(number, _)| number).collect()
    }

    /// Runs to the end of the script.
    pub(super) fn run(&mut self) {
        let end = self.lead + self.plan.script.end();
        // Everything before the script settles without requests.
        if let Some(last) = self.lead.checked_sub(TICK) {
            self.run_until(last);
        }
        self.begin();
        self.run_until(end);
        self.account(end);
        self.now = end;
    }

    /// Everything until a time, and at it, happens.
    fn run_until(&mut self, last: Duration) {
        while let Some((at, event)) = self.queue.pop_until(last) {
            self.account(at);
            self.now = at;
            self.happen(event);
            if self.queue.next_at() != Some(at) {
                self.settle();
            }
        }
    }

    /// The script begins: the workers know all hosts, and requests arrive.
    fn begin(&mut self) {
        self.now = self.lead;
        self.deliver_all();
        self.changes.clear();
        self.has_begun = true;
        if self.setup.start == ProxyStart::LongBefore {
            self.skip_slow_start();
        }
        self.edge(Duration::ZERO);
        if self.setup.start == ProxyStart::AtZero {
            // Requests wait until each host has had its first check.
            while let Some((_, event)) = self.queue.pop_until(Duration::ZERO) {
                self.happen(event);
            }
            self.deliver_all();
        }
        self.is_stale = true;
        self.settle();
    }

    fn happen(&mut self, event: QueuedEvent) {
        match event {
            QueuedEvent::Edge => self.edge(self.now.saturating_sub(self.lead)),
            QueuedEvent::Check { host } => self.on_check(host),
            QueuedEvent::Answer { host, checker } => self.on_answer(host, checker),
            QueuedEvent::Row { host, version } => self.on_row(host, version),
            QueuedEvent::Sweep { cluster } => self.on_sweep(cluster),
            QueuedEvent::Breaker { cluster, version } => self.on_breaker(cluster, version),
            QueuedEvent::SlowStart { cluster } => self.on_slow_start(cluster),
            QueuedEvent::Sessions { version } => self.on_sessions(version),
            QueuedEvent::Deliver { cluster, priority } => self.on_deliver(cluster, priority),
        }
    }
}

/// The smallest step of time.
const TICK: Duration = Duration::from_nanos(1);
