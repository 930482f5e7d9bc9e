//! The results of requests, as recorded, through the detector of `spillgate-health`: it must write the very entries of
//! Envoy's event log.
//!
//! Requests end in a worker, sweeps and health checks in the main thread, so the records do not have the order of
//! events that are close to each other. All orders are tried until one explains the whole log. So the load of this
//! machine changes what happens, but not what must follow from it.

use std::time::Duration;

use spillgate_health::outlier::{Detector, OutlierDetection};

use super::batch::TrialRecord;
use super::expected::{ExpectedLog, LoggedWhen, POSTED};
use super::host_order::orders;
use super::replay_checks::PassedCheck;
use super::timeline::{EventKind, NextEvent, Over, Timeline};

/// A health check and the end of an ejection that it causes are written by one function.
const CALLED: Duration = Duration::from_millis(50);
/// Orders of events that are tried for one order of hosts.
const MOST_STEPS: usize = 60_000;
/// And for all of them.
const MOST_ALL_STEPS: usize = 1_500_000;

/// What the replay of a trial found.
#[derive(Debug, Clone, Default)]
pub struct ReplayedOutliers {
    /// Results of requests.
    pub attempts: usize,
    /// Sweeps.
    pub sweeps: usize,
    /// Log entries that were compared.
    pub entries: usize,
    /// Ejections among them, with those that were not enforced.
    pub ejections: usize,
    /// Ends of ejections among them.
    pub returns: usize,
    /// Wrong predictions.
    pub wrong: Vec<String>,
}

/// Replays a trial with outlier detection. Events that are less than `near` apart can have happened in any order.
#[must_use]
pub fn replay_outliers(
    record: &TrialRecord,
    passed: &[PassedCheck],
    near: Duration,
) -> ReplayedOutliers {
    let Some(settings) = &record.trial.outlier else {
        return ReplayedOutliers::default();
    };
    let Some(timeline) = Timeline::new(record, settings, passed, near) else {
        return ReplayedOutliers {
            wrong: vec!["no sweep was seen".to_owned()],
            ..ReplayedOutliers::default()
        };
    };
    let compared = record
        .outliers
        .iter()
        .filter(|entry| entry.at <= timeline.end);
    let of = |action: &str| {
        compared
            .clone()
            .filter(|entry| entry.action == action)
            .count()
    };
    let wrong = explain(record, settings, &timeline);
    ReplayedOutliers {
        attempts: record.attempts.len(),
        sweeps: timeline
            .sweeps()
            .iter()
            .filter(|sweep| sweep.certain)
            .count(),
        entries: compared.clone().count(),
        ejections: of("EJECT"),
        returns: of("UNEJECT"),
        wrong: wrong.into_iter().collect(),
    }
}

/// What no order explains.
fn explain(
    record: &TrialRecord,
    settings: &OutlierDetection,
    timeline: &Timeline<'_>,
) -> Option<String> {
    let mut furthest = Furthest::default();
    let mut steps = 0;
    for order in orders(record) {
        if steps > MOST_ALL_STEPS {
            break;
        }
        let mut search = Search {
            timeline,
            hosts: record.addresses.len(),
            expected: ExpectedLog::new(record, settings, timeline.sweeps(), order),
            most_steps: steps + MOST_STEPS,
            steps: &mut steps,
            furthest: &mut furthest,
        };
        // The caller decides when sweeps are.
        let detector = Detector::new(settings.clone(), Duration::ZERO, record.addresses.len());
        if search.explains(detector, Over::default()) {
            return None;
        }
    }
    Some(format!("{} ({steps} steps)", furthest.what))
}

/// The longest part of the log that any order explained, and what is wrong after it.
#[derive(Debug, Default)]
struct Furthest {
    entries: usize,
    what: String,
}

struct Search<'a> {
    timeline: &'a Timeline<'a>,
    hosts: usize,
    expected: ExpectedLog<'a>,
    most_steps: usize,
    steps: &'a mut usize,
    furthest: &'a mut Furthest,
}

impl Search<'_> {
    /// Whether some order of the remaining events explains the rest of the log.
    fn explains(&mut self, mut detector: Detector, mut over: Over) -> bool {
        loop {
            *self.steps += 1;
            if *self.steps > self.most_steps {
                return false;
            }
            let entry = self.expected.entry(over.entries);
            let choices = self.timeline.choices(over, entry);
            if choices.is_empty() {
                return self.is_explained(over);
            }
            let mut ways = Vec::new();
            for event in choices {
                let times = event.times(&detector, self.hosts, entry);
                ways.extend(times.into_iter().map(|at| (event, at)));
            }
            if let [(event, at)] = ways[..] {
                // The only way on.
                match self.step(&mut detector, over, event, at) {
                    Some(next) => over = next,
                    None => return false,
                }
                continue;
            }
            return ways.into_iter().any(|(event, at)| {
                let mut detector = detector.clone();
                let next = self.step(&mut detector, over, event, at);
                next.is_some_and(|next| self.explains(detector, next))
            });
        }
    }

    /// One event; nothing if the log has not what follows from it.
    fn step(
        &mut self,
        detector: &mut Detector,
        over: Over,
        event: NextEvent<'_>,
        at: Duration,
    ) -> Option<Over> {
        let entry = over.entries;
        let (predicted, within) = match event.kind {
            EventKind::Connected(attempt) => {
                self.expected.connected(detector, attempt);
                (Vec::new(), Duration::ZERO)
            }
            EventKind::End(attempt) => (self.expected.end(detector, attempt, entry), POSTED),
            // Nearer to this sweep than to any other one.
            EventKind::Sweep => {
                let within = detector.settings().interval / 2;
                (self.expected.sweep(detector, at, entry), within)
            }
            EventKind::NoSweep => (Vec::new(), Duration::ZERO),
            EventKind::Passed(passed) => (self.expected.passed(detector, passed, entry), CALLED),
        };
        let when = LoggedWhen { at, within };
        match self.expected.compare(entry, &predicted, detector, when) {
            Ok(entries) => Some(over.after(event.kind, entries)),
            Err(what) => {
                self.failed(entry, || format!("{event:?}, entry {entry}: {what}"));
                None
            }
        }
    }

    /// Whether all entries until the end were predicted.
    fn is_explained(&mut self, over: Over) -> bool {
        let missing = self.expected.entry(over.entries);
        let Some(entry) = missing.filter(|entry| entry.at + self.timeline.near < self.timeline.end)
        else {
            return true;
        };
        self.failed(over.entries, || format!("not predicted: {entry:?}"));
        false
    }

    /// The most likely order is tried first, so its fault is kept.
    fn failed(&mut self, entries: usize, what: impl FnOnce() -> String) {
        if entries > self.furthest.entries || self.furthest.what.is_empty() {
            *self.furthest = Furthest {
                entries,
                what: what(),
            };
        }
    }
}
