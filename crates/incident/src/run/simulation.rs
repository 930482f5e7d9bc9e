//! One run: the events of hosts, checks, sweeps and deliveries in the order of time.

use alloc::{collections::BTreeMap, vec, vec::Vec};
use core::time::Duration;

use spillgate_core::{
    draw::SplitMix64,
    model::{Health, HealthFlags},
    snapshot::ClusterId,
};
use spillgate_health::{merge_window::MergedUpdates, outlier::Detector};

use super::{
    arrivals::Arrivals,
    changes::{ChangeKind, TimelineChange, count_change},
    detectors::detector,
    host::{DetectionCause, HostRun},
    ledger::RequestTotals,
    outcomes::{Outcomes, unit},
    plan::IncidentPlan,
    probe::fails_check,
    queue::{EventQueue, QueuedEvent},
    recorder::Recorder,
};
use crate::{
    script::HostBehavior,
    setup::{IncidentHealth, IncidentSetup, ProxyStart},
    traffic::{Cast, Flow, Outlook, WorkerView},
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
    /// Lists that the workers get at this moment.
    pub(super) delivered: Vec<(ClusterId, usize)>,
    pub(super) members_changed: bool,
    pub(super) view: WorkerView,
    pub(super) outlooks: Vec<Outlook>,
    pub(super) flow: Flow,
    pub(super) rps: f64,
    pub(super) has_traffic: bool,
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
    pub(super) fn new(setup: &'a IncidentSetup, plan: &'a IncidentPlan, seed: u64) -> Self {
        let cast = Cast::new(&setup.scene);
        let view = WorkerView::new(setup.model.clone(), setup.scene.snapshot().clone(), &cast);
        let mut draw = SplitMix64::new(seed);
        let lead = match setup.start {
            ProxyStart::AtZero => Duration::ZERO,
            ProxyStart::LongBefore => setup.health.values().map(lead).max().unwrap_or_default(),
        };
        let hosts = cast.hosts().iter().enumerate();
        let hosts: Vec<HostRun> = hosts
            .map(|(number, host)| {
                let settings = setup.health.get(&host.at.cluster);
                let is_listed = plan.is_member(number, Duration::ZERO);
                HostRun {
                    base: base_health(host.health, settings),
                    behavior: None,
                    outlook: Outlook::WORKS,
                    is_listed,
                    is_member: is_listed,
                    checks: None,
                    is_ejected: false,
                    is_degraded: false,
                    index: 0,
                    arrivals: Arrivals::new(lead, unit(&mut draw)),
                    outcomes: Outcomes::default(),
                    version: 0,
                    failing_since: None,
                    detected: None,
                }
            })
            .collect();
        let mut simulation = Self {
            setup,
            plan,
            outlooks: vec![Outlook::WORKS; cast.len()],
            cast,
            draw,
            now: Duration::ZERO,
            lead,
            queue: EventQueue::default(),
            hosts,
            detectors: BTreeMap::new(),
            by_index: BTreeMap::new(),
            windows: BTreeMap::new(),
            delivered: Vec::new(),
            members_changed: false,
            view,
            flow: Flow::default(),
            rps: plan.script.load.at(Duration::ZERO),
            has_traffic: setup.start == ProxyStart::LongBefore
                && plan.script.load.at(Duration::ZERO) > 0.0,
            has_begun: false,
            is_stale: true,
            accounted: lead,
            onset: plan.script.first(),
            since_onset: RequestTotals::default(),
            changes: Vec::new(),
            recorder: Recorder::default(),
        };
        simulation.start();
        simulation
    }

    /// The settings of the cluster of a host.
    pub(super) fn settings_of(&self, number: usize) -> Option<&'a IncidentHealth> {
        let setup = self.setup;
        setup.health.get(&self.cluster_of(number)?)
    }

    /// The cluster of a host.
    pub(super) fn cluster_of(&self, number: usize) -> Option<ClusterId> {
        self.cast.hosts().get(number).map(|host| host.at.cluster)
    }

    /// The hosts of a cluster.
    pub(super) fn numbers_of(&self, cluster: ClusterId) -> Vec<usize> {
        let hosts = self.cast.hosts().iter().enumerate();
        let own = hosts.filter(|(_, host)| host.at.cluster == cluster);
        own.map(|(number, _)| number).collect()
    }

    /// Starts detectors, windows and checks.
    fn start(&mut self) {
        let scene = &self.setup.scene;
        for cluster in scene.snapshot().owners(scene.cluster()) {
            let settings = self.setup.health.get(&cluster);
            let window = settings.map_or(MergedUpdates::DEFAULT_WINDOW, |of| of.merge_window);
            let priorities = scene
                .snapshot()
                .plain(cluster)
                .map_or(0, |of| of.priorities.len());
            self.windows
                .insert(cluster, vec![MergedUpdates::new(window); priorities]);
            let members = self.numbers_of(cluster);
            let is_member =
                |number: &usize| self.hosts.get(*number).is_some_and(|host| host.is_member);
            let members: Vec<usize> = members.into_iter().filter(is_member).collect();
            let outlier = settings.and_then(|of| of.outlier.as_ref());
            // Runtime values can set the interval to 0, with which no time would pass.
            let Some(outlier) = outlier.filter(|outlier| !outlier.interval.is_zero()) else {
                continue;
            };
            for (index, number) in members.iter().enumerate() {
                if let Some(host) = self.hosts.get_mut(*number) {
                    host.index = index;
                }
            }
            let start = self.phase(outlier.interval);
            let detector = detector(outlier, start, members.len());
            let sweep = QueuedEvent::Sweep { cluster };
            self.queue.add(detector.next_sweep(), sweep);
            self.detectors.insert(cluster, detector);
            self.by_index.insert(cluster, members);
        }
        for number in 0..self.hosts.len() {
            let is_member = self.hosts.get(number).is_some_and(|host| host.is_member);
            let checks = self.settings_of(number).map(|of| of.checks.as_slice());
            let interval = checks
                .and_then(|checks| checks.first())
                .map(|of| of.interval);
            if let Some(interval) = interval.filter(|_| is_member) {
                self.set_behavior(number, None);
                let start = self.phase(interval);
                self.start_checks(number, start);
            }
        }
        let absent = self.hosts.iter().any(|host| !host.is_member);
        self.members_changed = absent;
        // The changes at 0 are those of the beginning.
        let edges = self.plan.edges(self.plan.script.end());
        for edge in edges.into_iter().filter(|edge| !edge.is_zero()) {
            self.queue.add(edge + self.lead, QueuedEvent::Edge);
        }
    }

    /// A time of the start of checks or sweeps: random, unless Envoy starts at 0.
    fn phase(&mut self, interval: Duration) -> Duration {
        match self.setup.start {
            ProxyStart::AtZero => Duration::ZERO,
            ProxyStart::LongBefore => self.phase_of(interval),
        }
    }

    /// Runs to the end of the script.
    pub(super) fn run(&mut self) {
        let end = self.lead + self.plan.script.end();
        // Everything before the script settles without requests.
        if let Some(last) = self.lead.checked_sub(TICK) {
            while let Some((at, event)) = self.queue.pop_until(last) {
                self.now = at;
                self.happen(event);
                if self.queue.next_at() != Some(at) {
                    self.settle();
                }
            }
        }
        self.begin();
        while let Some((at, event)) = self.queue.pop_until(end) {
            self.account(at);
            self.now = at;
            self.happen(event);
            if self.queue.next_at() != Some(at) {
                self.settle();
            }
        }
        self.account(end);
        self.now = end;
    }

    /// The script begins: the workers know all hosts, and requests arrive.
    fn begin(&mut self) {
        self.now = self.lead;
        for cluster in self.windows.keys().copied().collect::<Vec<_>>() {
            let priorities = self.windows.get(&cluster).map_or(0, Vec::len);
            self.delivered
                .extend((0..priorities).map(|priority| (cluster, priority)));
        }
        self.changes.clear();
        self.has_begun = true;
        self.edge(Duration::ZERO);
        if self.setup.start == ProxyStart::AtZero {
            // Requests wait until each host has had its first check.
            while let Some((_, event)) = self.queue.pop_until(Duration::ZERO) {
                self.happen(event);
            }
            self.has_traffic = self.rps > 0.0;
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
            QueuedEvent::Deliver { cluster, priority } => self.on_deliver(cluster, priority),
        }
    }

    /// The script changes something at this time of it.
    fn edge(&mut self, time: Duration) {
        if !self.has_begun {
            return;
        }
        let rps = self.plan.script.load.at(time);
        if rps != self.rps {
            self.rps = rps;
            self.has_traffic |= rps > 0.0;
            self.note(ChangeKind::Load(rps), 0, 0);
            self.is_stale = true;
        }
        for (index, planned) in self.plan.events().iter().enumerate() {
            let span = planned.event.span;
            let first = planned.hosts.first().copied().unwrap_or_default();
            if span.from == time {
                self.note(ChangeKind::Begins(index), first, planned.hosts.len());
            } else if span.to == Some(time) {
                self.note(ChangeKind::Ends(index), first, planned.hosts.len());
            } else if span.contains(time) && matches!(planned.event.behavior, HostBehavior::Flap(_))
            {
                self.note(ChangeKind::Flaps(index), first, planned.hosts.len());
            }
        }
        for number in 0..self.hosts.len() {
            let behavior = self.plan.behavior(number, time);
            let differs = |host: &HostRun| host.behavior != host.behaves(behavior);
            if self.hosts.get(number).is_some_and(differs) {
                self.set_behavior(number, behavior);
                self.is_stale = true;
            }
            self.set_listed(number, self.plan.is_member(number, time));
        }
    }

    /// A host behaves in another way from now on.
    fn set_behavior(&mut self, number: usize, behavior: Option<HostBehavior>) {
        self.sync(number);
        let settings = self.settings_of(number);
        let (now, timeouts) = (self.now, self.setup.timeouts);
        let Some(host) = self.hosts.get_mut(number) else {
            return;
        };
        host.behavior = host.behaves(behavior);
        host.outlook = Outlook::new(host.behavior, timeouts);
        host.outcomes.set(host.outlook.fails);
        host.arrivals
            .pause_until(now.saturating_add(host.outlook.kind.after()));
        let failed_before = host.base.flags.failed_active_hc;
        let Some(behavior) = behavior.filter(|of| of.can_fail() && !failed_before) else {
            return;
        };
        let checks = settings.map_or(&[][..], |settings| &settings.checks);
        let noticeable = checks.iter().any(|check| fails_check(behavior, check));
        if (host.fails() || noticeable) && host.failing_since.is_none() && self.has_begun {
            host.failing_since = Some(now);
            let flags = host.health().flags;
            if flags.failed_active_hc {
                self.noticed(number, DetectionCause::ActiveCheck);
            }
        }
    }

    /// EDS has a host from now on, or has it no longer.
    fn set_listed(&mut self, number: usize, is_listed: bool) {
        let Some(host) = self.hosts.get_mut(number) else {
            return;
        };
        if host.is_listed == is_listed {
            return;
        }
        host.is_listed = is_listed;
        let is_member = host.is_member;
        let settings = self.settings_of(number);
        let stays = settings.is_some_and(|settings| self.stays(number, settings));
        if is_listed && !is_member {
            self.join(number);
        } else if !is_listed && !stays {
            self.leave(number);
        } else {
            self.changed_health(number);
        }
    }

    /// Envoy notices the failure of a host.
    pub(super) fn noticed(&mut self, number: usize, cause: DetectionCause) {
        let now = self.now;
        self.account(now);
        let Some(host) = self
            .hosts
            .get_mut(number)
            .filter(|host| host.is_unnoticed())
        else {
            return;
        };
        host.detected = Some((now, cause));
        if !self.hosts.iter().any(HostRun::is_unnoticed) {
            self.recorder.at_detection = Some(self.since_onset);
        }
    }

    /// Counts a change of a host.
    pub(super) fn changed(&mut self, number: usize, kind: ChangeKind) {
        self.note(kind, number, 1);
    }

    fn note(&mut self, kind: ChangeKind, number: usize, hosts: usize) {
        if self.has_begun {
            let time = self.now.saturating_sub(self.lead);
            let example = if hosts == 0 {
                ""
            } else {
                self.cast.address(number)
            };
            count_change(&mut self.changes, kind, time, (hosts, example));
        }
    }
}

/// The smallest step of time.
const TICK: Duration = Duration::from_nanos(1);

/// The time in which all first checks of a cluster have had their results, and the workers their lists.
fn lead(settings: &IncidentHealth) -> Duration {
    let longest = settings.checks.iter().map(|check| {
        let interval = check
            .interval
            .saturating_add(check.longest_jitter(check.interval));
        interval
            .saturating_add(check.initial_jitter)
            .saturating_add(check.timeout)
    });
    let outlier = settings.outlier.as_ref().map(|outlier| outlier.interval);
    let most = longest.chain(outlier).max().unwrap_or_default();
    2 * most + settings.merge_window + Duration::from_secs(2)
}

/// The health of a host without what the simulation decides.
fn base_health(health: Health, settings: Option<&IncidentHealth>) -> Health {
    let checked = settings.is_some_and(|settings| !settings.checks.is_empty());
    let flags = HealthFlags {
        degraded_active_hc: health.flags.degraded_active_hc && !checked,
        pending_active_hc: health.flags.pending_active_hc && !checked,
        excluded_via_immediate_hc_fail: health.flags.excluded_via_immediate_hc_fail && !checked,
        ..health.flags
    };
    Health { flags, ..health }
}
