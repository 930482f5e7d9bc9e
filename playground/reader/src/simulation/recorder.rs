//! Sums the log of a run in intervals.

use alloc::{collections::BTreeMap, format, vec::Vec};

use spillgate_codec::import::{TimelineHealth, TimelineInterval, TimelineRecording, TimelineState};
use spillgate_core::model::{CoarseHealth, HealthStatus};
use spillgate_sim::world::{LogEntry, RequestOutcome, TokenSource, WorldHost};

/// A priority of a cluster, by the index of the cluster.
type At = (usize, usize);

/// The log so far.
pub(super) struct Recorder {
    /// The length of an interval, in milliseconds.
    width: u64,
    /// The number of each shown host, and the index of its cluster.
    numbers: Vec<(usize, usize)>,
    /// The index of each host among the shown ones, by number.
    shown: BTreeMap<usize, usize>,
    start: Vec<WorldHost>,
    /// The current state of the shown hosts.
    now: Vec<WorldHost>,
    /// The complete intervals.
    complete: Vec<Interval>,
    open: Interval,
}

/// An interval, before all priorities of the run are known.
#[derive(Clone, Default)]
struct Interval {
    counts: TimelineInterval,
    priorities: BTreeMap<At, u32>,
    states: Vec<WorldHost>,
}

impl Recorder {
    /// A recorder of these hosts, from the state of all hosts of the world.
    pub(super) fn new(numbers: &[(usize, usize)], world: Vec<WorldHost>, width: u64) -> Self {
        let start = numbers.iter().filter_map(|&(host, _)| world.get(host));
        let start: Vec<WorldHost> = start.copied().collect();
        let shown = numbers.iter().enumerate();
        let mut recorder = Self {
            width: width.max(1),
            numbers: numbers.into(),
            shown: shown.map(|(at, &(host, _))| (host, at)).collect(),
            now: start.clone(),
            start,
            complete: Vec::new(),
            open: Interval::default(),
        };
        recorder.open = recorder.empty();
        recorder
    }

    fn empty(&self) -> Interval {
        let mut interval = Interval::default();
        interval.counts.hosts = alloc::vec![0; self.numbers.len()];
        interval
    }

    /// Closes the intervals that end at this time or before.
    fn pass(&mut self, now: u64) {
        while now / self.width > self.complete.len() as u64 {
            let empty = self.empty();
            let mut interval = core::mem::replace(&mut self.open, empty);
            interval.states.clone_from(&self.now);
            self.complete.push(interval);
        }
    }

    /// Adds an entry of the log; times never decrease.
    pub(super) fn add(&mut self, at: u64, entry: &LogEntry) {
        self.pass(at);
        match entry {
            LogEntry::Event(_) => {}
            LogEntry::Host(host, state) => {
                let shown = self.shown.get(host);
                if let Some(now) = shown.and_then(|&at| self.now.get_mut(at)) {
                    *now = *state;
                }
            }
            LogEntry::Request {
                token,
                outcome,
                host,
                ..
            } => self.count(*token, *outcome, *host),
        }
    }

    fn count(&mut self, token: TokenSource, outcome: RequestOutcome, host: Option<usize>) {
        let counts = &mut self.open.counts;
        *match (token, outcome) {
            (TokenSource::Own, RequestOutcome::Kept) => &mut counts.kept,
            (TokenSource::Own, RequestOutcome::Moved(_)) => &mut counts.moved,
            (TokenSource::Own, RequestOutcome::New) => &mut counts.new,
            (TokenSource::Own, RequestOutcome::Failed(_)) => &mut counts.failed,
            _ => &mut counts.hostile,
        } += 1;
        let Some(&at) = host.and_then(|host| self.shown.get(&host)) else {
            return;
        };
        if let Some(requests) = counts.hosts.get_mut(at) {
            *requests += 1;
        }
        let state = self.now.get(at).zip(self.numbers.get(at));
        if let Some((state, (_, cluster))) = state {
            let priority = (*cluster, state.priority);
            *self.open.priorities.entry(priority).or_default() += 1;
        }
    }

    /// The hosts, priorities and intervals of the recording.
    pub(super) fn finish(mut self, took: u64, clusters: &[&str]) -> TimelineRecording {
        self.pass(took);
        let mut last = self.open;
        last.states.clone_from(&self.now);
        self.complete.push(last);
        let clusters_of: Vec<usize> = self.numbers.iter().map(|&(_, cluster)| cluster).collect();
        let places = |states: &[WorldHost]| -> Vec<At> {
            let both = clusters_of.iter().zip(states);
            both.map(|(cluster, state)| (*cluster, state.priority))
                .collect()
        };
        let mut priorities = places(&self.start);
        for interval in &self.complete {
            priorities.extend(places(&interval.states));
            priorities.extend(interval.priorities.keys());
        }
        priorities.sort_unstable();
        priorities.dedup();
        let states = |states: &[WorldHost]| -> Vec<TimelineState> {
            let both = states.iter().zip(places(states));
            let state = |(state, at): (&WorldHost, At)| TimelineState {
                health: health(state),
                priority: priorities.binary_search(&at).unwrap_or(0),
            };
            both.map(state).collect()
        };
        let interval = |interval: &Interval| TimelineInterval {
            priorities: priorities
                .iter()
                .map(|at| interval.priorities.get(at).copied().unwrap_or(0))
                .collect(),
            states: states(&interval.states),
            ..interval.counts.clone()
        };
        let name = |&(cluster, priority): &At| match clusters {
            [_] => format!("P{priority}"),
            _ => format!(
                "{} P{priority}",
                clusters.get(cluster).copied().unwrap_or_default()
            ),
        };
        TimelineRecording {
            start: states(&self.start),
            intervals: self.complete.iter().map(interval).collect(),
            priorities: priorities.iter().map(name).collect(),
            ..TimelineRecording::default()
        }
    }
}

fn health(host: &WorldHost) -> TimelineHealth {
    match (host.present, host.health.status, host.health.coarse()) {
        (false, ..) => TimelineHealth::Absent,
        (_, HealthStatus::Draining, _) => TimelineHealth::Draining,
        (.., CoarseHealth::Healthy) => TimelineHealth::Healthy,
        (.., CoarseHealth::Degraded) => TimelineHealth::Degraded,
        (.., CoarseHealth::Unhealthy) => TimelineHealth::Unhealthy,
    }
}
