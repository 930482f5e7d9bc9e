//! The recorded events of a trial, and which of them can be next.

use std::time::Duration;

use spillgate_health::outlier::{Detector, OutlierDetection, RequestResult};

use super::attempts::LoggedAttempt;
use super::event_log::LoggedOutlier;
use super::expected::POSTED;
use super::replay_checks::PassedCheck;
use super::sweeps::{SeenSweep, sweeps};
use super::trial_record::TrialRecord;

/// Times in logs are those of the entry rather than of the event, which decides whether a duration is over.
const CUT: Duration = Duration::from_millis(20);
/// Checks in one ejection: the first one ends it, or none does.
const MOST_PASSED: usize = 3;

/// All events.
pub(super) struct Timeline<'a> {
    record: &'a TrialRecord,
    requests: Vec<RequestStep>,
    sweeps: Vec<SeenSweep>,
    passed: Vec<PassedCheck>,
    /// Events that are closer can have happened in any order.
    pub(super) near: Duration,
    /// The last sweep: what follows is not compared.
    pub(super) end: Duration,
}

/// How many events of each kind are over.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(super) struct Over {
    requests: usize,
    sweeps: usize,
    passed: usize,
    /// Entries of the log.
    pub(super) entries: usize,
}

/// What a worker learns of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RequestStep {
    Connected(usize),
    End(usize),
}

/// An event that can be next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NextEvent<'a> {
    pub(super) kind: EventKind<'a>,
    pub(super) at: Duration,
    earliest: Duration,
    latest: Duration,
}

/// What happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EventKind<'a> {
    Connected(&'a LoggedAttempt),
    End(&'a LoggedAttempt),
    Sweep,
    /// A sweep that no log shows did not happen.
    NoSweep,
    Passed(PassedCheck),
}

impl<'a> Timeline<'a> {
    /// Nothing if no sweep was seen.
    pub(super) fn new(
        record: &'a TrialRecord,
        settings: &OutlierDetection,
        passed: &[PassedCheck],
        near: Duration,
    ) -> Option<Self> {
        let sweeps = sweeps(record, settings.interval);
        let split = settings.split_external_local_origin_errors;
        let steps = record.attempts.iter().enumerate();
        let steps = steps.flat_map(|(number, attempt)| {
            let connects = split && attempt.result != RequestResult::ConnectFailure;
            let connected = connects.then_some(RequestStep::Connected(number));
            connected.into_iter().chain([RequestStep::End(number)])
        });
        Some(Self {
            requests: steps.collect(),
            passed: that_matter(record, passed, near),
            near,
            end: sweeps.last()?.latest,
            sweeps,
            record,
        })
    }

    /// The number of sweeps.
    pub(super) fn sweeps(&self) -> &[SeenSweep] {
        &self.sweeps
    }

    /// The events that can be next, the most likely one first. `entry` is the next one of the log.
    pub(super) fn choices(&self, over: Over, entry: Option<&LoggedOutlier>) -> Vec<NextEvent<'a>> {
        let sweep = self.sweeps.get(over.sweeps).map(|sweep| NextEvent {
            kind: EventKind::Sweep,
            at: sweep.at,
            earliest: sweep.earliest,
            latest: sweep.latest,
        });
        let passed = self.passed.get(over.passed).map(|passed| NextEvent {
            kind: EventKind::Passed(*passed),
            at: passed.at,
            earliest: passed.at,
            latest: passed.at,
        });
        let heads = [self.request(over, entry), sweep, passed];
        let mut choices: Vec<NextEvent<'a>> = heads.into_iter().flatten().collect();
        choices.retain(|event| event.earliest <= self.end);
        let last = choices.iter().map(|event| event.latest + self.near).min();
        choices.retain(|event| last.is_none_or(|last| event.earliest <= last));
        choices.sort_by_key(|event| event.at);
        let uncertain = self.sweeps.get(over.sweeps).filter(|sweep| !sweep.certain);
        let has_sweep = choices.iter().any(|event| event.kind == EventKind::Sweep);
        if let (Some(sweep), true) = (uncertain, has_sweep) {
            choices.push(NextEvent {
                kind: EventKind::NoSweep,
                at: sweep.at,
                earliest: sweep.earliest,
                latest: sweep.latest,
            });
        }
        choices
    }

    fn request(&self, over: Over, entry: Option<&LoggedOutlier>) -> Option<NextEvent<'a>> {
        let step = *self.requests.get(over.requests)?;
        let (RequestStep::Connected(number) | RequestStep::End(number)) = step;
        let attempt = self.record.attempts.get(number)?;
        Some(match step {
            RequestStep::Connected(_) => NextEvent {
                kind: EventKind::Connected(attempt),
                at: attempt.sent,
                earliest: attempt.sent,
                latest: attempt.sent,
            },
            RequestStep::End(_) => {
                // The main thread learns of a row of failures when it has time.
                let posted = entry.filter(|entry| {
                    entry.host == attempt.host
                        && !entry.is_of_sweep()
                        && entry.action == "EJECT"
                        && entry.at > attempt.end
                        && entry.at <= attempt.end + POSTED
                });
                NextEvent {
                    kind: EventKind::End(attempt),
                    at: attempt.end,
                    earliest: attempt.end,
                    latest: posted.map_or(attempt.end, |entry| entry.at),
                }
            }
        })
    }
}

impl Over {
    /// After this event and so many entries of the log.
    pub(super) const fn after(mut self, event: EventKind<'_>, entries: usize) -> Self {
        match event {
            EventKind::Connected(_) | EventKind::End(_) => self.requests += 1,
            EventKind::Sweep | EventKind::NoSweep => self.sweeps += 1,
            EventKind::Passed(_) => self.passed += 1,
        }
        self.entries += entries;
        self
    }
}

impl NextEvent<'_> {
    /// The times that make a difference: whether a duration is over can be uncertain. The most likely one is first.
    pub(super) fn times(
        &self,
        detector: &Detector,
        hosts: usize,
        entry: Option<&LoggedOutlier>,
    ) -> Vec<Duration> {
        if self.kind != EventKind::Sweep {
            return vec![self.at];
        }
        let (earliest, latest) = (self.earliest.saturating_sub(CUT), self.latest + CUT);
        let settings = detector.settings();
        let (base, longest) = (settings.base_ejection_time, settings.longest_ejection());
        // Whether it matters when the sweep is.
        let matters = |from: Option<Duration>, lasts: Duration| {
            from.is_some_and(|from| (earliest..=latest).contains(&(from + lasts)))
        };
        let states = (0..hosts).filter_map(|host| detector.host(host));
        let mut states = states.flat_map(|host| [host.ejection, host.degradation]);
        let uncertain = states.any(|state| {
            matters(state.since, state.duration(base, longest))
                || state.since.is_none() && matters(state.ended, settings.interval)
        });
        let entry = entry.map(|entry| entry.at);
        let entry = entry.filter(|at| (earliest..=latest).contains(at));
        let mut times = vec![entry.unwrap_or(self.at)];
        if uncertain {
            times.extend([self.at, latest, earliest]);
        }
        times
    }
}

/// The checks during an ejection, by the log: others have no effect.
fn that_matter(record: &TrialRecord, passed: &[PassedCheck], near: Duration) -> Vec<PassedCheck> {
    let mut found = Vec::new();
    for (host, address) in record.addresses.iter().enumerate() {
        let log = record.outliers.iter();
        let log: Vec<&LoggedOutlier> = log.filter(|entry| entry.host == *address).collect();
        let begins = log
            .iter()
            .enumerate()
            .filter(|(_, entry)| entry.action == "EJECT" && entry.enforced);
        for (number, begin) in begins {
            // A sweep can end an ejection and eject the host again in the same millisecond.
            let mut later = log.iter().skip(number + 1);
            let end = later.find(|entry| entry.action == "UNEJECT");
            let end = end.map_or(Duration::MAX, |end| end.at + near);
            let during = passed.iter().filter(|passed| {
                passed.host == host && passed.at + near >= begin.at && passed.at <= end
            });
            found.extend(during.take(MOST_PASSED));
        }
    }
    // Ends of ejections in the same millisecond have the order of the log.
    let end_of = |passed: &PassedCheck| {
        let address = record.addresses.get(passed.host);
        record.outliers.iter().position(|entry| {
            let is_end = entry.action == "UNEJECT" && entry.at >= passed.at;
            is_end && Some(&entry.host) == address
        })
    };
    found.sort_by_key(|passed: &PassedCheck| {
        (passed.at, end_of(passed).unwrap_or(usize::MAX), passed.host)
    });
    found.dedup();
    found
}
