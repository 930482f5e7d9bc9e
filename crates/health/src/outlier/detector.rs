//! The state of outlier detection in a cluster: hosts, ejections, and the time of the next sweep.

use alloc::{vec, vec::Vec};
use core::time::Duration;

use spillgate_core::draw::Draw;

use super::{
    HostState, OutlierDetection, OutlierEjectionType as Type, OutlierEvent, OutlierRates,
    RequestResult, result::Charge,
};

/// Outlier detection of a cluster (`DetectorImpl`). Hosts have the index that [`Detector::new`] or
/// [`Detector::add_host`] gave them, whatever their priority.
///
/// # Examples
/// Five 5xx responses in a row eject one of ten hosts; the first sweep after 30 s ends the ejection.
/// ```
/// use core::time::Duration;
/// use spillgate_core::draw::SplitMix64;
/// use spillgate_health::outlier::{Detector, EjectionAction, OutlierDetection, RequestResult};
///
/// let mut draw = SplitMix64::new(1);
/// let mut detector = Detector::new(OutlierDetection::default(), Duration::ZERO, 10);
/// let now = Duration::from_secs(12);
/// let events = detector.on_results(now, 3, RequestResult::status(500), 5, &mut draw);
/// assert!(matches!(events[0].action, EjectionAction::Eject { num_ejections: 1, .. }));
///
/// while detector.is_ejected(3) {
///     let now = detector.next_sweep();
///     detector.on_sweep(now, &mut draw);
/// }
/// assert_eq!(detector.next_sweep(), Duration::from_secs(50 + 10));
/// ```
#[derive(Debug, Clone)]
pub struct Detector {
    pub(super) settings: OutlierDetection,
    /// `None` for a removed host.
    pub(super) hosts: Vec<Option<HostState>>,
    /// The hosts that are not removed.
    pub(super) present: usize,
    /// Envoy's `ejections_active`.
    pub(super) active: usize,
    pub(super) next_sweep: Duration,
    pub(super) mode: SweepMode,
    pub(super) rates: [Option<OutlierRates>; 2],
}

/// What a sweep leaves to chance.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SweepMode {
    /// Nothing: hosts are ejected by index, and a time that is over to the millisecond is over.
    #[default]
    Exact,
    /// What memory addresses and timers decide in Envoy: the order of ejections, which matters if
    /// `max_ejection_percent` allows only some of them, and whether a time from one sweep to another is over in a sweep
    /// to the millisecond.
    Random,
}

impl Detector {
    /// The state of a new cluster with this number of hosts. The first sweep is an interval after `start`.
    #[must_use]
    pub fn new(settings: OutlierDetection, start: Duration, hosts: usize) -> Self {
        Self {
            next_sweep: start.saturating_add(settings.interval),
            settings,
            hosts: vec![Some(HostState::default()); hosts],
            present: hosts,
            active: 0,
            mode: SweepMode::Exact,
            rates: [None; 2],
        }
    }

    /// With this mode of sweeps.
    #[must_use]
    pub fn with_mode(self, mode: SweepMode) -> Self {
        Self { mode, ..self }
    }

    /// The settings.
    #[must_use]
    pub const fn settings(&self) -> &OutlierDetection {
        &self.settings
    }

    /// When [`Detector::on_sweep`] is due.
    #[must_use]
    pub const fn next_sweep(&self) -> Duration {
        self.next_sweep
    }

    /// The number of hosts.
    #[must_use]
    pub const fn hosts(&self) -> usize {
        self.present
    }

    /// The number of ejections that count for `max_ejection_percent`.
    #[must_use]
    pub const fn ejections_active(&self) -> usize {
        self.active
    }

    /// The state of a host; `None` if it was removed.
    #[must_use]
    pub fn host(&self, host: usize) -> Option<&HostState> {
        self.hosts.get(host)?.as_ref()
    }

    /// Whether a host is ejected (`FAILED_OUTLIER_CHECK`).
    #[must_use]
    pub fn is_ejected(&self, host: usize) -> bool {
        self.host(host).is_some_and(HostState::is_ejected)
    }

    /// Whether a host is degraded by `detect_degraded_hosts`. An ejected host is unhealthy all the same.
    #[must_use]
    pub fn is_degraded(&self, host: usize) -> bool {
        self.host(host).is_some_and(HostState::is_degraded)
    }

    /// The success rates of responses in the last sweep; `None` if too few hosts had enough requests.
    #[must_use]
    pub const fn response_rates(&self) -> Option<OutlierRates> {
        let [rates, _] = self.rates;
        rates
    }

    /// The success rates of local origin in the last sweep.
    #[must_use]
    pub const fn local_origin_rates(&self) -> Option<OutlierRates> {
        let [_, rates] = self.rates;
        rates
    }

    /// Adds a host with empty counters, and returns its index. A host that is removed and added again has none of its
    /// earlier state.
    pub fn add_host(&mut self) -> usize {
        self.hosts.push(Some(HostState::default()));
        self.present += 1;
        self.hosts.len() - 1
    }

    /// Removes a host. An ejected one no longer counts for `max_ejection_percent`.
    pub fn remove_host(&mut self, host: usize) {
        if let Some(removed) = self.hosts.get_mut(host).and_then(Option::take) {
            self.present = self.present.saturating_sub(1);
            if removed.is_ejected() {
                self.active = self.active.saturating_sub(1);
            }
        }
    }

    /// An attempt of a request ended. An ejection counts from `now` on.
    pub fn on_result<D: Draw + ?Sized>(
        &mut self,
        now: Duration,
        host: usize,
        result: RequestResult,
        draw: &mut D,
    ) -> Vec<OutlierEvent> {
        self.on_results(now, host, result, 1, draw)
    }

    /// The same result `count` times, one after the other. Its cost grows only with the number of times that a
    /// threshold is reached.
    pub fn on_results<D: Draw + ?Sized>(
        &mut self,
        now: Duration,
        host: usize,
        result: RequestResult,
        count: u64,
        draw: &mut D,
    ) -> Vec<OutlierEvent> {
        let mut events = Vec::new();
        let split = self.settings.split_external_local_origin_errors;
        if self.host(host).is_none() || count == 0 {
            return events;
        }
        match result.charges(split) {
            // The open connection of each request ends the row of failures.
            [Some(Charge::LocalSuccess), Some(Charge::LocalFailure)] => {
                self.local_failures_apart(now, host, count, draw, &mut events);
            }
            charges => {
                for charge in charges.into_iter().flatten() {
                    match charge {
                        Charge::Status(status) => {
                            self.statuses(now, (host, status), count, draw, &mut events);
                        }
                        Charge::LocalFailure => {
                            self.local_failures(now, host, count, draw, &mut events);
                        }
                        Charge::LocalSuccess => self.local_successes(host, count),
                    }
                }
            }
        }
        if result.is_degraded() && self.settings.detect_degraded_hosts {
            events.extend(self.degrade(now, host, draw));
        }
        events
    }

    /// A check of the host finished and outlier detection gets a success
    /// ([`HostCheckFinished::passed`](crate::check::HostCheckFinished::passed)): it ends an ejection, unless
    /// `successful_active_health_check_uneject_host` is false.
    pub fn on_health_check(&mut self, now: Duration, host: usize) -> Option<OutlierEvent> {
        let enabled = self.settings.successful_active_health_check_uneject_host;
        (enabled && self.is_ejected(host)).then(|| self.uneject(now, host))
    }

    /// `putHttpResponseCode`, `count` times.
    pub(super) fn statuses<D: Draw + ?Sized>(
        &mut self,
        now: Duration,
        (host, status): (usize, u16),
        count: u64,
        draw: &mut D,
        events: &mut Vec<OutlierEvent>,
    ) {
        let is_error = (500..600).contains(&status);
        let is_gateway = matches!(status, 502..=504);
        let Some(state) = self.state(host) else {
            return;
        };
        state.responses.add(count, !is_error);
        if !is_gateway {
            state.consecutive_gateway_failure = 0;
        }
        if !is_error {
            state.consecutive_5xx = 0;
            return;
        }
        let mut left = count;
        while left > 0 {
            let thresholds = (
                self.settings.consecutive_5xx.into(),
                self.settings.consecutive_gateway_failure.into(),
            );
            let Some(state) = self.state(host) else {
                return;
            };
            let ejected = state.is_ejected();
            let to_5xx = remaining(state.consecutive_5xx, thresholds.0, ejected);
            let to_gateway = remaining(state.consecutive_gateway_failure, thresholds.1, ejected);
            let to_gateway = to_gateway.filter(|_| is_gateway);
            let step = [to_5xx, to_gateway]
                .into_iter()
                .flatten()
                .fold(left, u64::min);
            state.consecutive_5xx = state.consecutive_5xx.saturating_add(step);
            if is_gateway {
                state.consecutive_gateway_failure =
                    state.consecutive_gateway_failure.saturating_add(step);
            }
            left -= step;
            if to_gateway == Some(step) {
                self.consecutive(now, host, Type::ConsecutiveGatewayFailure, draw, events);
            }
            if to_5xx == Some(step) {
                self.consecutive(now, host, Type::Consecutive5xx, draw, events);
            }
        }
    }

    /// `localOriginFailure`, `count` times in a row.
    pub(super) fn local_failures<D: Draw + ?Sized>(
        &mut self,
        now: Duration,
        host: usize,
        count: u64,
        draw: &mut D,
        events: &mut Vec<OutlierEvent>,
    ) {
        let threshold = self.settings.consecutive_local_origin_failure.into();
        let mut left = count;
        while left > 0 {
            let Some(state) = self.state(host) else {
                return;
            };
            let row = &mut state.consecutive_local_origin_failure;
            let to_threshold = remaining(*row, threshold, state.ejection.since.is_some());
            let step = to_threshold.map_or(left, |to| to.min(left));
            *row = row.saturating_add(step);
            state.local_origin.add(step, false);
            left -= step;
            if to_threshold == Some(step) {
                self.consecutive(now, host, Type::ConsecutiveLocalOriginFailure, draw, events);
            }
        }
    }

    /// An open connection and then a failure, `count` times: the row has never more than one failure.
    fn local_failures_apart<D: Draw + ?Sized>(
        &mut self,
        now: Duration,
        host: usize,
        count: u64,
        draw: &mut D,
        events: &mut Vec<OutlierEvent>,
    ) {
        self.local_successes(host, count);
        if self.settings.consecutive_local_origin_failure == 1 {
            self.local_failures(now, host, count, draw, events);
        } else if let Some(state) = self.state(host) {
            state.local_origin.add(count, false);
            state.consecutive_local_origin_failure = 1;
        }
        if let Some(state) = self.state(host) {
            let row = &mut state.consecutive_local_origin_failure;
            *row = (*row).min(1);
        }
    }

    /// `localOriginNoFailure`, `count` times.
    pub(super) fn local_successes(&mut self, host: usize, count: u64) {
        if let Some(state) = self.state(host) {
            state.local_origin.add(count, true);
            state.consecutive_local_origin_failure = 0;
        }
    }

    pub(super) fn state(&mut self, host: usize) -> Option<&mut HostState> {
        self.hosts.get_mut(host)?.as_mut()
    }
}

/// How many more results reach the threshold; `None` if the row is past it, if it is 0, or if the host is ejected:
/// then a reached threshold has no effect.
fn remaining(row: u64, threshold: u64, ejected: bool) -> Option<u64> {
    threshold
        .checked_sub(row)
        .filter(|left| *left > 0 && !ejected)
}
