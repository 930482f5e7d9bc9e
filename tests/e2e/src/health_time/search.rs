//! The search for an order of events that explains Envoy's log.
//!
//! A branch is a state of the detector after some of the events. Branches that reach a state that was already searched
//! end, so the number of states limits the search, and not the number of orders. Host orders that have led to the same
//! state are one branch, which divides only in a sweep with different results for them.

use std::collections::{HashMap, hash_map::Entry};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::time::Duration;

use spillgate_health::outlier::{Detector, OutlierDetection};

use super::expected::{ExpectedLog, LoggedWhen, POSTED};
use super::host_order::{are_alike, orders};
use super::order_set::OrderSet;
use super::timeline::{EventKind, NextEvent, Over, Timeline};
use super::trial_record::TrialRecord;

/// A health check and the end of an ejection that it causes are written by one function.
const CALLED: Duration = Duration::from_millis(50);
/// States of one search.
const MOST_STATES: usize = 3_000_000;

/// The result of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Explanation {
    /// An order explains the log.
    Found,
    /// No order does: the longest explained part of the log, and what is wrong after it.
    Impossible(String),
    /// The search ended at its limit.
    Undecided(String),
}

/// Searches for an order that explains the log.
pub(super) fn explain(
    record: &TrialRecord,
    settings: &OutlierDetection,
    timeline: &Timeline<'_>,
) -> Explanation {
    let mut search = Search {
        timeline,
        hosts: record.addresses.len(),
        expected: ExpectedLog::new(record, settings, timeline.sweeps()),
        orders: orders(record),
        visited: HashMap::new(),
        states: 0,
        furthest: Furthest::default(),
    };
    let first = Branch {
        over: Over::default(),
        // The caller decides when sweeps are.
        detector: Detector::new(settings.clone(), Duration::ZERO, search.hosts),
        orders: OrderSet::all(search.orders.len()),
    };
    if first.orders.is_empty() {
        return Explanation::Impossible("sweeps visit the hosts in different orders".to_owned());
    }
    let mut branches = vec![first];
    while let Some(branch) = branches.pop() {
        if search.states > MOST_STATES {
            return Explanation::Undecided(search.furthest());
        }
        if search.advance(branch, &mut branches) {
            return Explanation::Found;
        }
    }
    Explanation::Impossible(search.furthest())
}

/// After some events, with these results.
#[derive(Debug, Clone)]
struct Branch {
    over: Over,
    detector: Detector,
    /// The host orders that give these results.
    orders: OrderSet,
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
    orders: Vec<Vec<usize>>,
    /// The host orders with which a state was searched, by the hash of the state.
    visited: HashMap<u64, OrderSet>,
    states: usize,
    furthest: Furthest,
}

impl Search<'_> {
    /// Adds what can follow to the branches, the most likely one last. Returns whether the branch explains the log.
    fn advance(&mut self, mut branch: Branch, branches: &mut Vec<Branch>) -> bool {
        self.states += 1;
        let entry = self.expected.entry(branch.over.entries);
        let choices = self.timeline.choices(branch.over, entry);
        if choices.is_empty() {
            return self.is_explained(branch.over);
        }
        let mut ways = Vec::new();
        for event in choices {
            let times = event.times(&branch.detector, self.hosts, entry);
            ways.extend(times.into_iter().map(|at| (event, at)));
        }
        // Between choices there is only one way on, so two branches cannot meet.
        if ways.len() > 1 && !self.is_new(&mut branch) {
            return false;
        }
        for (event, at) in ways.into_iter().rev() {
            if event.kind == EventKind::Sweep {
                self.sweep(&branch, event, at, branches);
            } else {
                branches.extend(self.step(branch.clone(), event, at));
            }
        }
        false
    }

    /// Removes the host orders with which this state was searched; false if no other is left.
    fn is_new(&mut self, branch: &mut Branch) -> bool {
        match self.visited.entry(hash(branch, self.hosts)) {
            Entry::Vacant(vacant) => {
                vacant.insert(branch.orders.clone());
            }
            Entry::Occupied(mut visited) => {
                branch.orders = branch.orders.without(visited.get());
                let all = visited.get().with(&branch.orders);
                visited.insert(all);
            }
        }
        !branch.orders.is_empty()
    }

    /// One event; nothing if the log has not what follows from it.
    fn step(&mut self, mut branch: Branch, event: NextEvent<'_>, at: Duration) -> Option<Branch> {
        let (entry, detector) = (branch.over.entries, &mut branch.detector);
        let (predicted, within) = match event.kind {
            EventKind::Connected(attempt) => {
                self.expected.connected(detector, attempt);
                (Vec::new(), Duration::ZERO)
            }
            EventKind::End(attempt) => (self.expected.end(detector, attempt, entry), POSTED),
            EventKind::Passed(passed) => (self.expected.passed(detector, passed, entry), CALLED),
            EventKind::Sweep | EventKind::NoSweep => (Vec::new(), Duration::ZERO),
        };
        let when = LoggedWhen { at, within };
        let compared = self.expected.compare(entry, &predicted, detector, when);
        let entries = self.logged(compared, event, entry)?;
        branch.over = branch.over.after(event.kind, entries);
        Some(branch)
    }

    /// A sweep, with each result that the host orders of the branch can have.
    fn sweep(
        &mut self,
        branch: &Branch,
        event: NextEvent<'_>,
        at: Duration,
        branches: &mut Vec<Branch>,
    ) {
        // Nearer to this sweep than to any other one.
        let within = branch.detector.settings().interval / 2;
        let (entry, when) = (branch.over.entries, LoggedWhen { at, within });
        let mut results: Vec<(u64, Branch)> = Vec::new();
        let mut left = branch.orders.clone();
        while let Some(order) = left.first().and_then(|first| self.orders.get(first)) {
            let mut next = branch.clone();
            let predicted = self.expected.sweep(&mut next.detector, at, entry, order);
            next.orders = left.filter(|other| {
                let other = self.orders.get(other);
                other.is_some_and(|other| are_alike(order, other, &predicted))
            });
            left = left.without(&next.orders);
            let compared = self
                .expected
                .compare(entry, &predicted, &next.detector, when);
            let Some(entries) = self.logged(compared, event, entry) else {
                continue;
            };
            next.over = branch.over.after(event.kind, entries);
            let hash = hash(&next, self.hosts);
            match results.iter_mut().find(|(of, _)| *of == hash) {
                Some((_, same)) => same.orders = same.orders.with(&next.orders),
                None => results.push((hash, next)),
            }
        }
        branches.extend(results.into_iter().rev().map(|(_, branch)| branch));
    }

    /// How many entries follow; nothing if they are wrong. The most likely order is tried first, so its fault is kept.
    fn logged(
        &mut self,
        compared: Result<usize, String>,
        event: NextEvent<'_>,
        entry: usize,
    ) -> Option<usize> {
        match compared {
            Ok(entries) => Some(entries),
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

    fn failed(&mut self, entries: usize, what: impl FnOnce() -> String) {
        if entries > self.furthest.entries || self.furthest.what.is_empty() {
            self.furthest = Furthest {
                entries,
                what: what(),
            };
        }
    }

    fn furthest(&self) -> String {
        format!("{} ({} states)", self.furthest.what, self.states)
    }
}

/// All that decides what can follow. Two states with the same hash could only hide an explanation, and never be one.
fn hash(branch: &Branch, hosts: usize) -> u64 {
    let mut hasher = DefaultHasher::new();
    branch.over.hash(&mut hasher);
    branch.detector.ejections_active().hash(&mut hasher);
    for host in 0..hosts {
        branch.detector.host(host).hash(&mut hasher);
    }
    hasher.finish()
}
