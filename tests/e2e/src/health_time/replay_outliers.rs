//! The results of requests, as recorded, through the detector of `spillgate-health`: it must write the very entries of
//! Envoy's event log.
//!
//! Requests end in a worker, sweeps and health checks in the main thread, so the records do not have the order of
//! events that are less than [`NEAR`] apart. All orders are tried until one explains the whole log. So the load of this
//! machine changes what happens, but not what must follow from it.

use std::time::Duration;

use spillgate_health::outlier::Detector;

use super::batch::TrialRecord;
use super::event_log::LoggedOutlier;
use super::expected::{ExpectedLog, LoggedWhen, POSTED};
use super::host_order::orders;
use super::replay_checks::PassedCheck;
use super::sweeps::sweeps;

/// Events that are closer can have happened in any order.
pub(super) const NEAR: Duration = Duration::from_millis(5);
/// A health check and the end of an ejection that it causes are written by one function.
const CALLED: Duration = Duration::from_millis(50);
/// Orders of events that are tried for one order of hosts.
const MOST_STEPS: usize = 40_000;
/// And for all of them.
const MOST_ALL_STEPS: usize = 1_000_000;
/// Checks in one ejection: the first one ends it, or none does.
const MOST_PASSED: usize = 3;

/// What the replay of a trial found.
#[derive(Debug, Clone, Default)]
pub struct ReplayedOutliers {
    /// Results of requests.
    pub attempts: usize,
    /// Sweeps.
    pub sweeps: usize,
    /// Log entries that were compared.
    pub entries: usize,
    /// Ejections among them.
    pub ejections: usize,
    /// Ends of ejections among them.
    pub returns: usize,
    /// Wrong predictions.
    pub wrong: Vec<String>,
}

/// Replays a trial with outlier detection.
#[must_use]
pub fn replay_outliers(record: &TrialRecord, passed: &[PassedCheck]) -> ReplayedOutliers {
    let Some(settings) = &record.trial.outlier else {
        return ReplayedOutliers::default();
    };
    let sweeps = sweeps(record, settings.interval);
    let Some(end) = sweeps.last().copied() else {
        return ReplayedOutliers {
            wrong: vec!["no sweep was seen".to_owned()],
            ..ReplayedOutliers::default()
        };
    };
    let log: Vec<&LoggedOutlier> = record.outliers.iter().collect();
    let counted = log.iter().filter(|entry| entry.at <= end).count();
    let of = |action: &str| {
        let log = log.iter().filter(|entry| entry.at <= end);
        log.filter(|entry| entry.action == action).count()
    };
    let mut found = ReplayedOutliers {
        attempts: record.attempts.len(),
        sweeps: sweeps.len(),
        entries: counted,
        ejections: of("EJECT"),
        returns: of("UNEJECT"),
        wrong: Vec::new(),
    };
    let passed = &that_matter(record, passed);
    let mut furthest = Furthest::default();
    let mut steps = 0;
    for order in orders(record) {
        if steps > MOST_ALL_STEPS {
            break;
        }
        let mut search = Search {
            record,
            passed,
            sweeps: &sweeps,
            end,
            expected: ExpectedLog::new(record, settings, &sweeps, order),
            most_steps: steps + MOST_STEPS,
            steps: &mut steps,
            furthest: &mut furthest,
        };
        let start = sweeps.first().copied().unwrap_or(end);
        let start = start.saturating_sub(settings.interval);
        let detector = Detector::new(settings.clone(), start, record.addresses.len());
        if search.explains(&detector, At::default()) {
            return found;
        }
    }
    found.wrong.push(furthest.what);
    found
}

/// The checks during an ejection, by the log: others have no effect.
fn that_matter(record: &TrialRecord, passed: &[PassedCheck]) -> Vec<PassedCheck> {
    let mut found = Vec::new();
    for (host, address) in record.addresses.iter().enumerate() {
        let log = record
            .outliers
            .iter()
            .filter(|entry| entry.host == *address);
        let log: Vec<&LoggedOutlier> = log.collect();
        let begins = log
            .iter()
            .filter(|entry| entry.action == "EJECT" && entry.enforced);
        for begin in begins {
            let mut later = log.iter().filter(|entry| entry.at >= begin.at);
            let end = later.find(|entry| entry.action == "UNEJECT");
            let end = end.map_or(Duration::MAX, |end| end.at + NEAR);
            let during = passed.iter().filter(|passed| {
                passed.host == host && passed.at + NEAR >= begin.at && passed.at <= end
            });
            found.extend(during.take(MOST_PASSED));
        }
    }
    found.sort_by_key(|passed: &PassedCheck| (passed.at, passed.host));
    found.dedup();
    found
}

/// How far a replay is in each record.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct At {
    attempt: usize,
    sweep: usize,
    passed: usize,
    entry: usize,
}

/// The next event of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NextEvent {
    Attempt(Duration),
    Sweep(Duration),
    Passed(PassedCheck),
}

/// The longest part of the log that any order explained, and what is wrong after it.
#[derive(Debug, Default)]
struct Furthest {
    entry: usize,
    what: String,
}

struct Search<'a> {
    record: &'a TrialRecord,
    passed: &'a [PassedCheck],
    sweeps: &'a [Duration],
    end: Duration,
    expected: ExpectedLog<'a>,
    most_steps: usize,
    steps: &'a mut usize,
    furthest: &'a mut Furthest,
}

impl NextEvent {
    const fn at(self) -> Duration {
        match self {
            Self::Attempt(at) | Self::Sweep(at) | Self::Passed(PassedCheck { at, .. }) => at,
        }
    }
}

impl Search<'_> {
    /// Whether some order of the remaining events explains the rest of the log.
    fn explains(&mut self, detector: &Detector, mut at: At) -> bool {
        let mut detector = detector.clone();
        loop {
            *self.steps += 1;
            if *self.steps > self.most_steps {
                return false;
            }
            let choices = self.choices(at);
            let Some((first, others)) = choices.split_first() else {
                return self.is_explained(at);
            };
            let variants = self.variants(&detector, *first);
            if others.is_empty() && variants.len() == 1 {
                // The only way on.
                if !self.step(&mut detector, &mut at, *first, Duration::ZERO, true) {
                    return false;
                }
                continue;
            }
            for choice in &choices {
                for (early, shift) in self.variants(&detector, *choice) {
                    let (mut detector, mut at) = (detector.clone(), at);
                    if self.step(&mut detector, &mut at, *choice, shift, early)
                        && self.explains(&detector, at)
                    {
                        return true;
                    }
                }
            }
            return false;
        }
    }

    /// The events that can be next, the most likely one first.
    fn choices(&self, at: At) -> Vec<NextEvent> {
        let attempt = self.record.attempts.get(at.attempt);
        let attempt = attempt.map(|attempt| NextEvent::Attempt(attempt.end));
        let sweep = self.sweeps.get(at.sweep).copied().map(NextEvent::Sweep);
        let passed = self.passed.get(at.passed).copied().map(NextEvent::Passed);
        let mut choices: Vec<NextEvent> = [attempt, sweep, passed].into_iter().flatten().collect();
        choices.retain(|event| event.at() <= self.end);
        choices.sort_by_key(|event| event.at());
        let first = choices.first().map_or(Duration::ZERO, |event| event.at());
        choices.retain(|event| event.at() <= first + NEAR);
        choices
    }

    /// Times are cut to milliseconds, so whether a duration is over can be uncertain: the shifts of the time that
    /// matter, as (whether it is later, by how much).
    fn variants(&self, detector: &Detector, event: NextEvent) -> Vec<(bool, Duration)> {
        const CUT: Duration = Duration::from_millis(3);
        let mut variants = vec![(true, Duration::ZERO)];
        let NextEvent::Sweep(now) = event else {
            return variants;
        };
        let settings = detector.settings();
        let (base, longest) = (settings.base_ejection_time, settings.longest_ejection());
        let uncertain = |from: Option<Duration>, lasts: Duration| {
            from.is_some_and(|from| now.saturating_sub(from).abs_diff(lasts) <= CUT)
        };
        let hosts = (0..self.record.addresses.len()).filter_map(|host| detector.host(host));
        let mut states = hosts.flat_map(|host| [host.ejection, host.degradation]);
        if states.any(|state| {
            uncertain(state.since, state.duration(base, longest))
                || state.since.is_none() && uncertain(state.ended, settings.interval)
        }) {
            variants.extend([(true, CUT), (false, CUT)]);
        }
        variants
    }

    /// One event; whether the log has what follows from it.
    fn step(
        &mut self,
        detector: &mut Detector,
        at: &mut At,
        event: NextEvent,
        shift: Duration,
        later: bool,
    ) -> bool {
        let now = event.at();
        let now = if later {
            now + shift
        } else {
            now.saturating_sub(shift)
        };
        let entry = at.entry;
        let within = match event {
            NextEvent::Attempt(_) => POSTED,
            // Nearer to this sweep than to any other one.
            NextEvent::Sweep(_) => detector.settings().interval / 2,
            NextEvent::Passed(_) => CALLED,
        };
        let predicted = match event {
            NextEvent::Attempt(_) => {
                let attempt = self.record.attempts.get(at.attempt);
                at.attempt += 1;
                attempt.map_or_else(Vec::new, |attempt| {
                    self.expected.attempt(detector, attempt, entry)
                })
            }
            NextEvent::Sweep(_) => {
                at.sweep += 1;
                self.expected.sweep(detector, now, entry)
            }
            NextEvent::Passed(passed) => {
                at.passed += 1;
                self.expected.passed(detector, passed, entry)
            }
        };
        let when = LoggedWhen { at: now, within };
        match self.expected.compare(entry, &predicted, detector, when) {
            Ok(entries) => {
                at.entry += entries;
                true
            }
            Err(what) => {
                self.failed(entry, || format!("{event:?}, entry {entry}: {what}"));
                false
            }
        }
    }

    /// Whether all entries until the end were predicted.
    fn is_explained(&mut self, at: At) -> bool {
        let missing = self.expected.entry(at.entry);
        let missing = missing.filter(|entry| entry.at + NEAR < self.end);
        let Some(entry) = missing else {
            return true;
        };
        let what = format!("not predicted: {entry:?}");
        self.failed(at.entry, || what);
        false
    }

    fn failed(&mut self, entry: usize, what: impl FnOnce() -> String) {
        if entry >= self.furthest.entry || self.furthest.what.is_empty() {
            *self.furthest = Furthest {
                entry,
                what: what(),
            };
        }
    }
}
