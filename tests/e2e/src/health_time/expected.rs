//! What the detector writes for an event, compared with Envoy's log. Random draws are those that the log shows.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::time::Duration;

use spillgate_core::draw::Draw;
use spillgate_health::outlier::{
    Detector, EjectionAction, OutlierDetection, OutlierEjectionType as Kind, OutlierEvent,
};

use super::attempts::LoggedAttempt;
use super::event_log::LoggedOutlier;
use super::replay_checks::PassedCheck;
use super::sweeps::SeenSweep;
use super::trial_record::TrialRecord;

/// The main thread learns of a row of failures later than the worker; both share two processors with other programs.
pub(super) const POSTED: Duration = Duration::from_millis(500);
/// Times in logs are cut to milliseconds.
const CUT: Duration = Duration::from_millis(2);
/// Sums of rates are a little off.
const ROUNDED: f64 = 1e-6;

/// The log of a cluster. Hosts of the detector have the index of their address.
pub(super) struct ExpectedLog<'a> {
    record: &'a TrialRecord,
    settings: &'a OutlierDetection,
    sweeps: &'a [SeenSweep],
}

/// When entries are expected.
#[derive(Debug, Clone, Copy)]
pub(super) struct LoggedWhen {
    pub(super) at: Duration,
    pub(super) within: Duration,
}

/// Draws in the order in which the detector needs them.
#[derive(Debug, Default)]
struct ShownDraws(VecDeque<u64>);

impl Draw for ShownDraws {
    fn draw(&mut self) -> u64 {
        self.0.pop_front().unwrap_or(0)
    }
}

impl<'a> ExpectedLog<'a> {
    pub(super) const fn new(
        record: &'a TrialRecord,
        settings: &'a OutlierDetection,
        sweeps: &'a [SeenSweep],
    ) -> Self {
        Self {
            record,
            settings,
            sweeps,
        }
    }

    /// An entry.
    pub(super) fn entry(&self, entry: usize) -> Option<&'a LoggedOutlier> {
        self.record.outliers.get(entry)
    }

    /// The connection of an attempt is open.
    pub(super) fn connected(&self, detector: &mut Detector, attempt: &LoggedAttempt) {
        if let Some(host) = self.index(attempt.host) {
            detector.on_connected(host);
        }
    }

    /// An attempt ended.
    pub(super) fn end(
        &self,
        detector: &mut Detector,
        attempt: &LoggedAttempt,
        entry: usize,
    ) -> Vec<OutlierEvent> {
        let Some(host) = self.index(attempt.host) else {
            return Vec::new();
        };
        // The ejection has the time at which the main thread learned of it.
        let next = self.entry(entry).filter(|next| {
            next.host == attempt.host
                && next.at + CUT >= attempt.end
                && next.at <= attempt.end + POSTED
        });
        let now = next.map_or(attempt.end, |next| next.at);
        let shown = self.entries_at(entry, now);
        let mut draws = self.draws(detector, &shown);
        detector.on_end(now, host, attempt.result, &mut draws)
    }

    /// A sweep that visits hosts in this order.
    pub(super) fn sweep(
        &self,
        detector: &mut Detector,
        now: Duration,
        entry: usize,
        order: &[usize],
    ) -> Vec<OutlierEvent> {
        let at = self.entry(entry).map_or(now, |entry| entry.at);
        let shown = self.entries_at(entry, at);
        let mut draws = self.draws(detector, &shown);
        detector.on_sweep_in(now, order, &mut draws)
    }

    /// A check after which the host is healthy.
    pub(super) fn passed(
        &self,
        detector: &mut Detector,
        passed: PassedCheck,
        entry: usize,
    ) -> Vec<OutlierEvent> {
        let now = self.entry(entry).map_or(passed.at, |entry| entry.at);
        let now = if now.abs_diff(passed.at) <= CUT {
            now
        } else {
            passed.at
        };
        let event = detector.on_health_check(now, passed.host);
        event.into_iter().collect()
    }

    /// Whether the log continues with these events: the number of entries. Limits that prevented an ejection have
    /// none.
    pub(super) fn compare(
        &self,
        entry: usize,
        predicted: &[OutlierEvent],
        detector: &Detector,
        when: LoggedWhen,
    ) -> Result<usize, String> {
        let logged = predicted
            .iter()
            .filter(|event| !matches!(event.action, EjectionAction::Overflow(_)));
        let mut count = 0;
        for event in logged {
            let found = self.entry(entry + count);
            let near = found.filter(|found| found.at.abs_diff(when.at) <= when.within);
            if !near.is_some_and(|found| self.is(event, found) && has_rates(found, detector)) {
                return Err(format!("predicted {event:?}, but the log has {found:?}"));
            }
            count += 1;
        }
        Ok(count)
    }

    fn is(&self, event: &OutlierEvent, entry: &LoggedOutlier) -> bool {
        if self.record.addresses.get(event.host) != Some(&entry.host) {
            return false;
        }
        let is_ejection = |kind: Kind, enforced: bool| {
            entry.action == "EJECT" && entry.kind == kind.name() && entry.enforced == enforced
        };
        match event.action {
            EjectionAction::Eject {
                kind,
                num_ejections,
                ..
            } => is_ejection(kind, true) && entry.num_ejections == u64::from(num_ejections),
            EjectionAction::NotEnforced(kind) => is_ejection(kind, false),
            EjectionAction::Overflow(_) => false,
            // Envoy writes the same entry for both ends.
            EjectionAction::Uneject | EjectionAction::Undegrade => entry.action == "UNEJECT",
            EjectionAction::Degrade { .. } => entry.action == "EJECT" && entry.is_degradation(),
        }
    }

    /// The entries from this one on that are of the same moment.
    fn entries_at(&self, entry: usize, at: Duration) -> Vec<&'a LoggedOutlier> {
        let entries = self.record.outliers.get(entry..).unwrap_or_default();
        entries
            .iter()
            .take_while(|entry| entry.at <= at + CUT + CUT)
            .collect()
    }

    /// The draws behind these entries: whether a finding was enforced, and the jitter of the ejection.
    fn draws(&self, detector: &Detector, entries: &[&LoggedOutlier]) -> ShownDraws {
        let mut draws = VecDeque::new();
        for entry in entries.iter().filter(|entry| entry.action == "EJECT") {
            let kind = KINDS.into_iter().find(|kind| kind.name() == entry.kind);
            let percent = kind.map_or(0, |kind| self.settings.enforcing(kind));
            if (1..100).contains(&percent) {
                draws.push_back(if entry.enforced { 0 } else { 99 });
            }
            if entry.enforced && !self.settings.max_ejection_time_jitter.is_zero() {
                draws.push_back(self.jitter(detector, entry));
            }
        }
        ShownDraws(draws)
    }

    /// The jitter with which an ejection ends at the sweep at which it ended.
    fn jitter(&self, detector: &Detector, ejection: &LoggedOutlier) -> u64 {
        let most = self.settings.max_ejection_time_jitter.as_millis() as u64;
        let later = self.record.outliers.iter();
        let mut later = later.filter(|entry| entry.host == ejection.host && entry.at > ejection.at);
        let end = later.find(|entry| entry.action == "UNEJECT");
        let Some(end) = end else {
            return most;
        };
        // A health check can end it earlier.
        let is_sweep = self.sweeps.iter().any(|sweep| {
            (sweep.earliest.saturating_sub(CUT)..=sweep.latest + CUT).contains(&end.at)
        });
        if !is_sweep {
            return most;
        }
        let host = self
            .index(ejection.host)
            .and_then(|host| detector.host(host));
        let multiplier = host.map_or(0, |host| {
            let state = if ejection.is_degradation() {
                host.degradation
            } else {
                host.ejection
            };
            state.multiplier
        });
        let (base, longest) = (
            self.settings.base_ejection_time,
            self.settings.longest_ejection(),
        );
        let grows = base * multiplier < longest + base;
        let without = self.settings.ejection(multiplier + u32::from(grows));
        let lasted = end.at.saturating_sub(ejection.at);
        (lasted.saturating_sub(without).as_millis() as u64).min(most)
    }

    /// The index of a host in the detector.
    fn index(&self, address: SocketAddr) -> Option<usize> {
        let mut addresses = self.record.addresses.iter();
        addresses.position(|known| *known == address)
    }
}

/// Whether an entry has the success rates of the detector's last sweep.
fn has_rates(entry: &LoggedOutlier, detector: &Detector) -> bool {
    let rates = match entry.kind.as_str() {
        "SUCCESS_RATE" => detector.response_rates(),
        "SUCCESS_RATE_LOCAL_ORIGIN" => detector.local_origin_rates(),
        _ => return true,
    };
    let (Some((average, threshold)), Some(rates)) = (entry.cluster_rates, rates) else {
        return entry.cluster_rates.is_none();
    };
    // Fields of Envoy's message are whole numbers; a negative threshold is absent.
    let is_cut = |logged: f64, rate: f64| rate < 0.0 || (logged - rate.floor()).abs() < ROUNDED;
    let near_next = |rate: f64| rate.ceil() - rate < ROUNDED;
    let fits = |logged: f64, rate: f64| {
        is_cut(logged, rate) || near_next(rate) && is_cut(logged, rate.ceil())
    };
    fits(average, rates.average) && fits(threshold, rates.threshold)
}

const KINDS: [Kind; 7] = [
    Kind::Consecutive5xx,
    Kind::ConsecutiveGatewayFailure,
    Kind::SuccessRate,
    Kind::ConsecutiveLocalOriginFailure,
    Kind::SuccessRateLocalOrigin,
    Kind::FailurePercentage,
    Kind::FailurePercentageLocalOrigin,
];
