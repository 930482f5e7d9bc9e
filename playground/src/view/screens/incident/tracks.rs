//! The shapes of the pictures, in percent of their width and height.

use std::collections::BTreeMap;

use spillgate_codec::import::{IncidentHost, IncidentRecord, IncidentRow};
use spillgate_core::model::{CoarseHealth, Health};

/// A rectangle.
#[derive(Debug, Clone, PartialEq)]
pub struct TrackBar {
    /// The place of its priority, if it is one.
    pub priority: Option<usize>,
    /// Its class: what it shows.
    pub class: &'static str,
    /// The left edge.
    pub x: f64,
    /// The width.
    pub width: f64,
    /// The upper edge.
    pub y: f64,
    /// The height.
    pub height: f64,
}

/// The hosts of a zone, or of a priority without zones, over the time.
#[derive(Debug, Clone, PartialEq)]
pub struct HostTrack {
    /// The name of the zone or priority.
    pub name: String,
    /// The parts of its hosts by health; the first one at the bottom.
    pub bars: Vec<TrackBar>,
}

/// What workers see of a host, worst last.
const STATES: [&str; 5] = ["healthy", "degraded", "ejected", "unhealthy", "absent"];

/// The share of each priority over the time, one above the other, the first one at the bottom.
#[must_use]
pub fn load_bars(record: &IncidentRecord) -> Vec<TrackBar> {
    let parts = |row: &IncidentRow| {
        let loads = row.priorities.iter().enumerate();
        let parts = loads.map(|(place, (load, panic))| Part {
            priority: Some(place),
            class: if *panic { "panic" } else { "" },
            height: f64::from(*load),
        });
        let sum: u32 = row.priorities.iter().map(|(load, _)| *load).sum();
        let nowhere = Part {
            priority: None,
            class: "nowhere",
            height: f64::from(100_u32.saturating_sub(sum)),
        };
        parts.chain([nowhere]).collect()
    };
    stacked(record, parts)
}

/// Failed and retried requests over the time, relative to the most of both.
#[must_use]
pub fn failure_bars(record: &IncidentRecord) -> Vec<TrackBar> {
    let most = most_failures(record).max(f64::MIN_POSITIVE);
    let parts = |row: &IncidentRow| {
        let part = |class, rate: f64| Part {
            priority: None,
            class,
            height: rate * 100.0 / most,
        };
        vec![part("failed", row.failed), part("retried", row.retried)]
    };
    stacked(record, parts)
}

/// The sessions on hosts of the script over the time.
#[must_use]
pub fn session_bars(record: &IncidentRecord) -> Vec<TrackBar> {
    let part = |row: &IncidentRow| Part {
        priority: None,
        class: "retried",
        height: row.sessions,
    };
    stacked(record, |row| vec![part(row)])
}

/// The most failed and retried requests per second.
#[must_use]
pub fn most_failures(record: &IncidentRecord) -> f64 {
    let sums = record.rows.iter().map(|row| row.failed + row.retried);
    sums.fold(0.0, f64::max)
}

/// The hosts by zone, or by priority if no host has a zone.
#[must_use]
pub fn host_tracks(record: &IncidentRecord) -> Vec<HostTrack> {
    let has_zones = record.hosts.iter().any(|host| !host.zone.is_empty());
    let clusters = record.hosts.iter().map(|host| host.cluster);
    let is_one = clusters.clone().min() == clusters.max();
    let name = |host: &IncidentHost| match has_zones {
        true if host.zone.is_empty() => "no zone".to_owned(),
        true => host.zone.clone(),
        false if is_one => format!("P{}", host.priority),
        false => format!("member {}, P{}", host.cluster + 1, host.priority),
    };
    let mut groups: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (number, host) in record.hosts.iter().enumerate() {
        groups.entry(name(host)).or_default().push(number);
    }
    let groups = groups.into_iter();
    let track = |(name, hosts): (String, Vec<usize>)| HostTrack {
        bars: health_bars(record, &hosts),
        name,
    };
    groups.map(track).collect()
}

/// The parts of some hosts by health.
fn health_bars(record: &IncidentRecord, hosts: &[usize]) -> Vec<TrackBar> {
    let mut is_own = vec![false; record.hosts.len()];
    for host in hosts {
        if let Some(own) = is_own.get_mut(*host) {
            *own = true;
        }
    }
    let mut states: Vec<Option<Health>> = vec![None; record.hosts.len()];
    let mut moments = record
        .seen
        .iter()
        .filter(|of| is_own.get(of.host) == Some(&true))
        .peekable();
    let mut counts = [0_usize; STATES.len()];
    if let Some(absent) = counts.last_mut() {
        *absent = hosts.len();
    }
    let parts = |row: &IncidentRow| {
        while let Some(moment) = moments.next_if(|of| of.from <= row.from) {
            if let Some(known) = states.get_mut(moment.host) {
                for (state, change) in [(*known, usize::MAX), (moment.health, 1)] {
                    if let Some(count) = counts.get_mut(state_of(state)) {
                        *count = count.wrapping_add(change);
                    }
                }
                *known = moment.health;
            }
        }
        let parts = STATES.iter().zip(&counts);
        let parts = parts.map(|(class, count)| Part {
            priority: None,
            class,
            height: *count as f64 * 100.0 / hosts.len().max(1) as f64,
        });
        parts.collect()
    };
    stacked(record, parts)
}

/// The place of a state in [`STATES`].
fn state_of(health: Option<Health>) -> usize {
    match health {
        None => 4,
        Some(health) if health.flags.failed_outlier_check => 2,
        Some(health) => match health.coarse() {
            CoarseHealth::Healthy => 0,
            CoarseHealth::Degraded => 1,
            CoarseHealth::Unhealthy => 3,
        },
    }
}

/// A part of a stack.
struct Part {
    priority: Option<usize>,
    class: &'static str,
    height: f64,
}

/// The parts of each row, one above the other. Neighbors of the same height are one bar.
fn stacked(
    record: &IncidentRecord,
    mut parts: impl FnMut(&IncidentRow) -> Vec<Part>,
) -> Vec<TrackBar> {
    let all = record.end.max(1) as f64;
    let mut bars: Vec<TrackBar> = Vec::new();
    let mut latest: Vec<Option<usize>> = Vec::new();
    for (at, row) in record.rows.iter().enumerate() {
        let end = record.rows.get(at + 1).map_or(record.end, |next| next.from);
        let width = end.saturating_sub(row.from) as f64 * 100.0 / all;
        let mut y = 100.0;
        for (place, part) in parts(row).into_iter().enumerate() {
            y -= part.height;
            if latest.len() <= place {
                latest.push(None);
            }
            let Some(latest) = latest.get_mut(place) else {
                continue;
            };
            let before = latest.and_then(|at| bars.get_mut(at));
            match before {
                _ if part.height <= 0.0 => *latest = None,
                Some(bar) if bar.y == y && bar.height == part.height && bar.class == part.class => {
                    bar.width += width;
                }
                _ => {
                    *latest = Some(bars.len());
                    bars.push(TrackBar {
                        priority: part.priority,
                        class: part.class,
                        x: row.from as f64 * 100.0 / all,
                        width,
                        y,
                        height: part.height,
                    });
                }
            }
        }
    }
    bars
}
