//! The start of a run: hosts as configured, and the phases of checks and sweeps.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    vec,
    vec::Vec,
};
use core::time::Duration;

use spillgate_core::{
    draw::SplitMix64,
    model::{Health, HealthFlags},
    snapshot::ClusterId,
};
use spillgate_health::{
    check::ActiveCheck,
    merge_window::MergedUpdates,
    outlier::{Detector, SweepMode},
};

use super::{
    arrivals::Arrivals,
    breaker::BreakerRun,
    host::{HealthySince, HostRun},
    in_flight::InFlight,
    ledger::RequestTotals,
    outcomes::{Outcomes, unit},
    plan::IncidentPlan,
    queue::{EventQueue, QueuedEvent},
    recorder::Recorder,
    session_run::SessionRun,
    simulation::Simulation,
    timeouts::TimeoutRows,
};
use crate::{
    setup::{IncidentHealth, IncidentSetup, ProxyStart},
    traffic::{Cast, Flow, FlowInput, Outlook, SlowStartHosts, WorkerView},
};

impl<'a> Simulation<'a> {
    pub(super) fn new(setup: &'a IncidentSetup, plan: &'a IncidentPlan, seed: u64) -> Self {
        let cast = Cast::new(&setup.scene);
        let view = WorkerView::new(setup.model.clone(), setup.scene.snapshot().clone(), &cast);
        let mut draw = SplitMix64::new(seed);
        let used = match setup.start {
            ProxyStart::AtZero => BTreeSet::new(),
            ProxyStart::LongBefore => used_at_start(setup, plan, &cast, &view),
        };
        let leads = setup.health.iter();
        let leads = leads.map(|(cluster, settings)| lead(settings, used.contains(cluster)));
        let lead = match setup.start {
            ProxyStart::AtZero => Duration::ZERO,
            ProxyStart::LongBefore => leads.max().unwrap_or_default(),
        };
        let outlook = Outlook::new(None, setup.timeouts, plan.script.service_time);
        let hosts = cast.hosts().iter().enumerate();
        let hosts: Vec<HostRun> = hosts
            .map(|(number, host)| {
                let settings = setup.health.get(&host.at.cluster);
                let is_listed = plan.is_member(number, Duration::ZERO);
                HostRun {
                    base: base_health(host.health, settings),
                    behavior: None,
                    outlook,
                    is_listed,
                    is_member: is_listed,
                    checks: None,
                    is_ejected: false,
                    is_degraded: false,
                    index: 0,
                    arrivals: Arrivals::new(lead, unit(&mut draw)),
                    outcomes: Outcomes::of(outlook.fails),
                    timeouts: (!setup.takes_turns(host.at.cluster)).then(TimeoutRows::default),
                    in_flight: InFlight::default(),
                    version: 0,
                    healthy_since: HealthySince::New,
                    failing_since: None,
                    detected: None,
                }
            })
            .collect();
        let mut simulation = Self {
            setup,
            plan,
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
            has_delivered: false,
            members_changed: false,
            view,
            flow: Flow::default(),
            breakers: breakers(setup, lead),
            refuses: false,
            opened: BTreeMap::new(),
            slow_start_hosts: 0,
            slow_start_clusters: BTreeSet::new(),
            rps: plan.script.load.at(Duration::ZERO),
            sessions: SessionRun::new(setup, plan),
            used: used.clone(),
            has_begun: false,
            is_stale: true,
            accounted: lead,
            onset: plan.script.first(),
            since_onset: RequestTotals::default(),
            changes: Vec::new(),
            recorder: Recorder {
                used_at_start: used,
                ..Recorder::default()
            },
        };
        simulation.start();
        simulation
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
            let detector = Detector::new(outlier.clone(), start, members.len());
            let detector = detector.with_mode(SweepMode::Random);
            let sweep = QueuedEvent::Sweep { cluster };
            self.queue.add(detector.next_sweep(), sweep);
            self.detectors.insert(cluster, detector);
            self.by_index.insert(cluster, members);
        }
        for number in 0..self.hosts.len() {
            let is_member = self.hosts.get(number).is_some_and(|host| host.is_member);
            let check = self.settings_of(number).and_then(|of| of.checks.first());
            let interval = check.map(|of| interval_at_start(of, self.had_traffic(number)));
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
            ProxyStart::LongBefore => interval.mul_f64(unit(&mut self.draw)),
        }
    }
}

/// The circuit breakers of the clusters.
fn breakers(setup: &IncidentSetup, at: Duration) -> BTreeMap<ClusterId, BreakerRun> {
    let clusters = setup.health.iter();
    let limits = clusters.filter_map(|(cluster, settings)| {
        let limit = settings.breaker?.first_limit();
        Some((*cluster, BreakerRun::new(limit, at)))
    });
    limits.collect()
}

/// The time in which all first checks of a cluster have had their results, and the workers their lists.
fn lead(settings: &IncidentHealth, is_used: bool) -> Duration {
    let longest = settings.checks.iter().map(|check| {
        let interval = interval_at_start(check, is_used);
        interval
            .saturating_add(check.longest_jitter(interval))
            .saturating_add(check.initial_jitter)
            .saturating_add(check.timeout)
    });
    let outlier = settings.outlier.as_ref().map(|outlier| outlier.interval);
    let most = longest.chain(outlier).max().unwrap_or_default();
    2 * most + settings.merge_window + Duration::from_secs(2)
}

/// The time between the checks of a healthy host before the script.
fn interval_at_start(check: &ActiveCheck, is_used: bool) -> Duration {
    if is_used {
        check.interval
    } else {
        check.interval.max(check.intervals().no_traffic_healthy)
    }
}

/// The clusters that get requests at the start.
fn used_at_start(
    setup: &IncidentSetup,
    plan: &IncidentPlan,
    cast: &Cast,
    view: &WorkerView,
) -> BTreeSet<ClusterId> {
    if plan.script.load.at(Duration::ZERO) <= 0.0 {
        return BTreeSet::new();
    }
    let outlooks = vec![Outlook::WORKS; cast.len()];
    let flow = Flow::new(&FlowInput {
        requests: &setup.requests(),
        view,
        slow_start: &SlowStartHosts::default(),
        cast,
        outlooks: &outlooks,
        service_time: Duration::ZERO,
        rps: plan.script.load.at(Duration::ZERO),
        admitted: &BTreeMap::new(),
        sessions: None,
    });
    flow.used(cast).collect()
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
