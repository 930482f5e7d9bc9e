//! The rows of the heat map, and the periods of the tables.

use core::ops::Range;
use std::collections::BTreeMap;

use spillgate_codec::import::{TimelineHealth, TimelineInterval, TimelineRecording};

/// The most rows of the heat map; of more hosts, each row has several.
const MOST_ROWS: usize = 48;
/// The number of shades.
const SHADES: u32 = 5;
/// The most periods of a table.
pub const PERIODS: usize = 12;

/// A row of the heat map.
#[derive(Debug, Clone, PartialEq)]
pub struct HostLine {
    /// The hosts, by index.
    pub hosts: Range<usize>,
    /// The label.
    pub name: String,
    /// The selector of the host; empty for several hosts.
    pub selector: String,
    /// The requests of the row in each interval.
    pub requests: Vec<u32>,
    /// The cells, one path for each look.
    pub paths: Vec<HeatPath>,
}

/// The cells with the same look, in a picture with a width of one unit for each interval and a height
/// of 10 units.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeatPath {
    /// The place of the priority, which gives the color; `None` for marks of health.
    pub priority: Option<usize>,
    /// The class: `shade-1` to `shade-5`, `unhealthy`, `draining`, `degraded` or `absent`.
    pub class: String,
    /// The path.
    pub d: String,
}

/// The rows, one for each host, or for several if there are too many.
#[must_use]
pub fn host_rows(recording: &TimelineRecording) -> Vec<HostLine> {
    let count = recording.hosts.len();
    let size = count.div_ceil(MOST_ROWS).max(1);
    let starts = (0..count).step_by(size);
    let ranges: Vec<Range<usize>> = starts.map(|from| from..(from + size).min(count)).collect();
    let of = |interval: &TimelineInterval, hosts: &Range<usize>| -> u32 {
        let own = interval.hosts.get(hosts.clone());
        own.unwrap_or_default().iter().sum()
    };
    let all = ranges.iter().flat_map(|hosts| {
        let intervals = recording.intervals.iter();
        intervals.map(move |interval| of(interval, hosts))
    });
    let most = all.max().unwrap_or(0);
    let line = |hosts: Range<usize>| {
        let requests = recording.intervals.iter();
        let requests: Vec<u32> = requests.map(|interval| of(interval, &hosts)).collect();
        HostLine {
            name: name(recording, &hosts),
            selector: match recording.hosts.get(hosts.start) {
                Some(host) if size == 1 => host.selector.clone(),
                _ => String::new(),
            },
            paths: paths(recording, &hosts, &requests, most),
            requests,
            hosts,
        }
    };
    ranges.into_iter().map(line).collect()
}

/// The address, after the name of the cluster if another host has the same address.
fn name(recording: &TimelineRecording, hosts: &Range<usize>) -> String {
    let Some(host) = recording.hosts.get(hosts.start) else {
        return String::new();
    };
    let mut same = recording
        .hosts
        .iter()
        .filter(|other| other.address == host.address);
    let first = match same.nth(1) {
        Some(_) => format!("{} {}", host.cluster, host.address),
        None => host.address.clone(),
    };
    match hosts.len() {
        1 => first,
        more => format!("{first} and {} more", more - 1),
    }
}

fn paths(
    recording: &TimelineRecording,
    hosts: &Range<usize>,
    requests: &[u32],
    most: u32,
) -> Vec<HeatPath> {
    let mut cells: BTreeMap<(Option<usize>, String), String> = BTreeMap::new();
    let mut add = |priority: Option<usize>, class: String, at: usize, (top, bottom): (u32, u32)| {
        let height = bottom - top;
        let path = cells.entry((priority, class)).or_default();
        path.push_str(&format!("M{at},{top}h1v{height}h-1z"));
    };
    for (at, (interval, count)) in recording.intervals.iter().zip(requests).enumerate() {
        let Some(state) = interval.states.get(hosts.start) else {
            continue;
        };
        if *count > 0 {
            let shade = (count * SHADES).div_ceil(most.max(1)).clamp(1, SHADES);
            add(Some(state.priority), format!("shade-{shade}"), at, (0, 10));
        }
        let states = interval.states.get(hosts.clone()).unwrap_or_default();
        let has = |health| states.iter().any(|state| state.health == health);
        let marks = [
            (TimelineHealth::Unhealthy, "unhealthy"),
            (TimelineHealth::Draining, "draining"),
            (TimelineHealth::Degraded, "degraded"),
            (TimelineHealth::Absent, "absent"),
        ];
        if let Some((_, class)) = marks.into_iter().find(|(health, _)| has(*health)) {
            add(None, class.into(), at, (8, 10));
        }
    }
    let paths = cells
        .into_iter()
        .map(|((priority, class), d)| HeatPath { priority, class, d });
    // Marks are above the cells.
    let (marks, cells): (Vec<_>, Vec<_>) = paths.partition(|path| path.priority.is_none());
    [cells, marks].concat()
}

/// Several intervals in a row of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Period {
    /// The start, in milliseconds.
    pub from: u64,
    /// All requests.
    pub requests: u32,
    /// Requests whose session stayed on its host.
    pub kept: u32,
    /// Requests whose session moved.
    pub moved: u32,
    /// Requests that started a session.
    pub new: u32,
    /// Requests without a host.
    pub failed: u32,
    /// Requests by priority.
    pub priorities: Vec<u32>,
    /// Requests by host.
    pub hosts: Vec<u32>,
}

/// The intervals in at most [`PERIODS`] periods.
#[must_use]
pub fn periods(recording: &TimelineRecording) -> Vec<Period> {
    let size = recording.intervals.len().div_ceil(PERIODS).max(1);
    let chunks = recording.intervals.chunks(size).enumerate();
    let period = |(at, intervals): (usize, &[TimelineInterval])| {
        let sums = |count: usize, of: fn(&TimelineInterval) -> &[u32]| -> Vec<u32> {
            let each = |place: usize| {
                let values = intervals.iter();
                values.filter_map(|interval| of(interval).get(place)).sum()
            };
            (0..count).map(each).collect()
        };
        let sum = |of: fn(&TimelineInterval) -> u32| intervals.iter().map(of).sum();
        Period {
            from: (at * size) as u64 * recording.width,
            requests: sum(super::figures::requests),
            kept: sum(|interval| interval.kept),
            moved: sum(|interval| interval.moved),
            new: sum(|interval| interval.new),
            failed: sum(|interval| interval.failed),
            priorities: sums(recording.priorities.len(), |interval| &interval.priorities),
            hosts: sums(recording.hosts.len(), |interval| &interval.hosts),
        }
    };
    chunks.map(period).collect()
}
