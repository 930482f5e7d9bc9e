//! Outlier detection in a simulation: it gets the results of attempts by count, and rows of failures have their own
//! events.

use alloc::vec::Vec;
use core::time::Duration;

use spillgate_core::snapshot::ClusterId;
use spillgate_health::outlier::{EjectionAction, HostState, OutlierDetection, OutlierEvent};

use super::{
    changes::ChangeKind,
    host::{DetectionCause, HostRun},
    outcomes::RowEnd,
    queue::QueuedEvent,
    results::{HostResults, are_timeouts_apart},
    simulation::Simulation,
};
use crate::traffic::{FailureKind, is_gateway_error, is_server_error};

impl Simulation<'_> {
    /// A sweep of a cluster.
    pub(super) fn on_sweep(&mut self, cluster: ClusterId) {
        for number in self.numbers_of(cluster) {
            self.sync(number);
        }
        let now = self.now;
        let Some(detector) = self.detectors.get_mut(&cluster) else {
            return;
        };
        let events = detector.on_sweep(now, &mut self.draw);
        let next = detector.next_sweep();
        self.queue.add(next, QueuedEvent::Sweep { cluster });
        self.apply(cluster, &events);
        for number in self.numbers_of(cluster) {
            self.plan_row(number);
        }
    }

    /// A row of failures can be complete.
    pub(super) fn on_row(&mut self, number: usize, version: u32) {
        let is_current = |host: &HostRun| host.version == version;
        if self.hosts.get(number).is_some_and(is_current) {
            self.sync(number);
            self.plan_row(number);
        }
    }

    /// A check passed: it can end an ejection.
    pub(super) fn passed_check(&mut self, number: usize) {
        let (now, Some(cluster)) = (self.now, self.cluster_of(number)) else {
            return;
        };
        let index = self.hosts.get(number).map(|host| host.index);
        let detector = self.detectors.get_mut(&cluster);
        if let (Some(index), Some(detector)) = (index, detector)
            && let Some(event) = detector.on_health_check(now, index)
        {
            self.apply(cluster, &[event]);
            self.plan_row(number);
        }
    }

    /// Gives outlier detection the results of a host up to now.
    pub(super) fn sync(&mut self, number: usize) {
        let (now, Some(cluster)) = (self.now, self.cluster_of(number)) else {
            return;
        };
        let Some(host) = self.hosts.get_mut(number) else {
            return;
        };
        let (waited, new) = (host.in_flight.advance(now), host.arrivals.advance(now));
        let Some(detector) = self.detectors.get_mut(&cluster) else {
            return;
        };
        if waited + new == 0 || !host.is_member {
            return;
        }
        let mut results = HostResults {
            detector,
            now,
            index: host.index,
            draw: &mut self.draw,
            events: Vec::new(),
        };
        let takes_turns = host.timeouts.is_none();
        for run in host.in_flight.take(waited, new, results.draw) {
            if run.failed {
                results.waited(run.count, takes_turns);
            } else {
                results.present(run.count, host);
            }
        }
        let events = results.events;
        self.apply(cluster, &events);
    }

    /// Plans when the next row of failures of a host is complete, or when its next response says that it is degraded.
    pub(super) fn plan_row(&mut self, number: usize) {
        let Some(cluster) = self.cluster_of(number) else {
            return;
        };
        let detector = self.detectors.get(&cluster);
        let (Some(host), Some(detector)) = (self.hosts.get_mut(number), detector) else {
            return;
        };
        host.version = host.version.wrapping_add(1);
        let Some(state) = detector.host(host.index) else {
            return;
        };
        if !host.is_member {
            return;
        }
        let reports = host.reports_degraded() && !state.is_degraded();
        if reports && detector.settings().detect_degraded_hosts {
            // The next response says so.
            self.plan_result(number, 1);
            return;
        }
        if state.is_ejected() {
            return;
        }
        let waiting = row_of_timeouts(detector.settings(), state);
        if let Some(FailureRow { missing, whole }) = waiting {
            let present = host.arrivals.rate();
            let waiting = &mut host.in_flight;
            let end = waiting.row_end((missing, whole), present, self.now, &mut self.draw);
            let event = QueuedEvent::Row {
                host: number,
                version: host.version,
            };
            if let Some(at) = end {
                self.queue.add(at.max(self.now), event);
            }
        }
        if host.fails() {
            self.plan_present_row(number, cluster);
        }
    }

    /// Plans when the next row of failures of the present behavior of a host is complete.
    fn plan_present_row(&mut self, number: usize, cluster: ClusterId) {
        let detector = self.detectors.get(&cluster);
        let (Some(host), Some(detector)) = (self.hosts.get_mut(number), detector) else {
            return;
        };
        let Some(state) = detector.host(host.index) else {
            return;
        };
        let local = FailureRow::of_local_origin(detector.settings(), state);
        if are_timeouts_apart(detector.settings())
            && host.outlook.kind.is_timeout()
            && let (Some(rows), Some(row)) = (&mut host.timeouts, local)
        {
            let after = rows.row_end(row.missing, row.whole, &mut self.draw);
            self.plan_result(number, after);
            return;
        }
        let Some(row) = shortest_row(detector.settings(), state, host.outlook.kind) else {
            return;
        };
        let after = match host
            .outcomes
            .row_end(row.missing, row.whole, &mut self.draw)
        {
            RowEnd::After(count) | RowEnd::NotBefore(count) => count,
            RowEnd::Never => return,
        };
        self.plan_result(number, after);
    }

    /// Plans to look at a host again when it has had this number of further results.
    fn plan_result(&mut self, number: usize, results: u64) {
        let Some(host) = self.hosts.get(number) else {
            return;
        };
        if let Some(at) = host.arrivals.time_of(results) {
            let event = QueuedEvent::Row {
                host: number,
                version: host.version,
            };
            self.queue.add(at.max(self.now), event);
        }
    }

    fn apply(&mut self, cluster: ClusterId, events: &[OutlierEvent]) {
        for event in events {
            let numbers = self.by_index.get(&cluster);
            let number = numbers.and_then(|numbers| numbers.get(event.host)).copied();
            let Some(number) = number else { continue };
            let detector = self.detectors.get(&cluster);
            let state = detector.and_then(|detector| detector.host(event.host));
            let in_row = state.map_or(0, |state| state.ejection.multiplier);
            let Some(host) = self.hosts.get_mut(number) else {
                continue;
            };
            let kind = match event.action {
                EjectionAction::Eject { kind, .. } => {
                    host.is_ejected = true;
                    let most = &mut self.recorder.ejections_in_row;
                    *most = in_row.max(*most);
                    ChangeKind::Ejected(kind)
                }
                EjectionAction::Uneject => {
                    host.is_ejected = false;
                    ChangeKind::Returned
                }
                EjectionAction::NotEnforced(kind) => ChangeKind::NotEnforced(kind),
                EjectionAction::Overflow(kind) => ChangeKind::Overflow(kind),
                EjectionAction::Degrade { .. } => {
                    host.is_degraded = true;
                    ChangeKind::Degraded
                }
                EjectionAction::Undegrade => {
                    host.is_degraded = false;
                    ChangeKind::Returned
                }
            };
            self.changed(number, kind);
            match kind {
                ChangeKind::Ejected(of) => {
                    self.noticed(number, DetectionCause::Outlier(of));
                    self.changed_health(number);
                }
                ChangeKind::Returned | ChangeKind::Degraded => self.changed_health(number),
                _ => {}
            }
        }
    }
}

/// A row of failures that would eject a host.
struct FailureRow {
    /// How many failures are missing.
    missing: u64,
    /// The threshold.
    whole: u64,
}

impl FailureRow {
    fn new(row: u64, threshold: u32) -> Option<Self> {
        let whole = u64::from(threshold);
        let missing = whole.checked_sub(row).filter(|missing| *missing > 0)?;
        Some(Self { missing, whole })
    }

    fn of_local_origin(settings: &OutlierDetection, state: &HostState) -> Option<Self> {
        Self::new(
            state.consecutive_local_origin_failure,
            settings.consecutive_local_origin_failure,
        )
    }
}

/// The row that timeouts of attempts from before can complete first.
fn row_of_timeouts(settings: &OutlierDetection, state: &HostState) -> Option<FailureRow> {
    if settings.split_external_local_origin_errors {
        FailureRow::of_local_origin(settings, state)
    } else {
        shortest_row(settings, state, FailureKind::RouteTimeout(Duration::ZERO))
    }
}

/// The row that is complete first. Rows that are past their threshold never are; a threshold of 0 never counts.
fn shortest_row(
    settings: &OutlierDetection,
    state: &HostState,
    kind: FailureKind,
) -> Option<FailureRow> {
    let gateway = (
        state.consecutive_gateway_failure,
        settings.consecutive_gateway_failure,
    );
    let any = (state.consecutive_5xx, settings.consecutive_5xx);
    let local = (
        state.consecutive_local_origin_failure,
        settings.consecutive_local_origin_failure,
    );
    let split = settings.split_external_local_origin_errors;
    let rows: &[(u64, u32)] = match (kind, split) {
        (FailureKind::Response(status), _) if is_gateway_error(status) => &[any, gateway],
        (FailureKind::Response(status), _) if is_server_error(status) => &[any],
        (FailureKind::Response(_), _) => &[],
        (FailureKind::Connect, true) => &[local],
        (FailureKind::Connect, false) => &[any, gateway],
        (FailureKind::Endless, _) => &[],
        (_, false) => &[any, gateway],
        // Among evenly spaced requests, one opens a connection between two timeouts.
        (_, true) if local.1 == 1 => &[local],
        (_, true) => &[],
    };
    let rows = rows.iter();
    let rows = rows.filter_map(|(row, threshold)| FailureRow::new(*row, *threshold));
    rows.min_by_key(|row| row.missing)
}
