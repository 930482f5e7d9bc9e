//! The sentences of the screen.

use spillgate_codec::import::{ImportFault, TimelineHealth, TimelineInterval, TimelineRecording};
use spillgate_scenario::{count, percent, plural};

use super::{
    HostLine,
    figures::{requests, without_host},
};
use crate::view::screens::over_time::seconds;

/// What happens in the interval that ends at the shown time.
#[must_use]
pub fn headline(recording: &TimelineRecording, shown: usize) -> String {
    let at = seconds(shown as u64 * recording.width);
    let Some(interval) = shown
        .checked_sub(1)
        .and_then(|at| recording.intervals.get(at))
    else {
        return "At 0\u{a0}s: no request yet.".into();
    };
    if requests(interval) == 0 {
        return format!("At {at}: no requests.");
    }
    let moved = match interval.moved {
        0 => "no session moves".to_owned(),
        1 => "1\u{a0}session moves to another host".to_owned(),
        more => format!(
            "{}\u{a0}sessions move to another host",
            count(more as usize)
        ),
    };
    let failed = match interval.failed {
        0 => String::new(),
        failed => format!(", {} without a host", plural(failed as usize, "request")),
    };
    format!("At {at}: {}; {moved}{failed}.", shares(recording, interval))
}

/// `P0 takes 70 %, P1 30 %`.
fn shares(recording: &TimelineRecording, interval: &TimelineInterval) -> String {
    let all = f64::from(requests(interval));
    let both = recording.priorities.iter().zip(&interval.priorities);
    let mut takes = both.filter(|(_, own)| **own > 0).map(|(name, own)| {
        let share = percent(f64::from(*own) * 100.0 / all);
        (name, share)
    });
    let Some((name, share)) = takes.next() else {
        return "no host takes a request".into();
    };
    let mut text = format!("{name} takes {share}");
    for (name, share) in takes {
        text.push_str(&format!(", {name} {share}"));
    }
    text
}

/// The simulated world.
#[must_use]
pub fn subtitle(recording: &TimelineRecording) -> String {
    let requests: u64 = recording
        .intervals
        .iter()
        .map(|of| u64::from(requests(of)))
        .sum();
    format!(
        "A simulation of the Spillgate filter: in {}, {} send {} requests through {} to {}. A token binds \
         each client to one host: its session.",
        seconds((recording.took + 500) / 1_000 * 1_000),
        plural(recording.clients, "client"),
        count(usize::try_from(requests).unwrap_or(usize::MAX)),
        plural(recording.gateways, "gateway"),
        plural(recording.hosts.len(), "host"),
    )
}

/// The load of each priority over the run, and its extremes.
#[must_use]
pub fn load_caption(recording: &TimelineRecording) -> String {
    let mut parts: Vec<String> = Vec::new();
    for (place, name) in recording.priorities.iter().enumerate() {
        let busy = recording.intervals.iter();
        let shares = busy
            .filter(|interval| requests(interval) > 0)
            .map(|interval| {
                let own = interval.priorities.get(place).copied().unwrap_or(0);
                f64::from(own) * 100.0 / f64::from(requests(interval))
            });
        let (least, most) = shares.fold((100.0_f64, 0.0_f64), |(least, most), share| {
            (least.min(share), most.max(share))
        });
        parts.push(if least < most {
            format!("{name} takes {} to {}", percent(least), percent(most))
        } else {
            format!("{name} takes {}", percent(most))
        });
    }
    let none: u32 = recording.intervals.iter().map(without_host).sum();
    if none > 0 {
        parts.push(format!("{} no host", takes(none)));
    }
    format!(
        "{}, in intervals of {}.",
        parts.join("; "),
        seconds(recording.width),
    )
}

fn takes(requests: u32) -> String {
    match requests {
        1 => "1\u{a0}request finds".into(),
        more => format!("{}\u{a0}requests find", count(more as usize)),
    }
}

/// What the simulator says of clusters without hosts.
const NO_HOST: &str = "no request can reach a host";

/// The faults that remain if the hosts are not known: the simulator reads such clusters as clusters without hosts.
#[must_use]
pub fn without_unknown_hosts(faults: &[ImportFault]) -> Vec<ImportFault> {
    let faults = faults.iter();
    faults
        .filter(|fault| !fault.message.ends_with(NO_HOST))
        .cloned()
        .collect()
}

/// The hosts with the most and the fewest requests.
#[must_use]
pub fn heat_caption(rows: &[HostLine], hosts: usize) -> String {
    let sums = rows
        .iter()
        .map(|row| (row.requests.iter().sum::<u32>(), row));
    let most = sums.clone().max_by_key(|(sum, _)| *sum);
    let least = sums.min_by_key(|(sum, _)| *sum);
    let Some(((most, first), (least, last))) = most.zip(least) else {
        return "No hosts.".into();
    };
    let grouped = if rows.len() < hosts {
        format!(
            " Each row has up to {}.",
            plural(first.hosts.len().max(1), "host")
        )
    } else {
        String::new()
    };
    format!(
        "{} gets the most requests, {}, and {} the fewest, {}.{grouped}",
        first.name,
        count(most as usize),
        last.name,
        count(least as usize),
    )
}

/// The text alternative of a row: its requests, and when its health changes.
#[must_use]
pub fn row_text(recording: &TimelineRecording, row: &HostLine) -> String {
    let all: u32 = row.requests.iter().sum();
    let most = row.requests.iter().max().copied().unwrap_or(0);
    let mut text = format!(
        "{}: {} requests, at most {} in {}",
        row.name,
        count(all as usize),
        count(most as usize),
        seconds(recording.width)
    );
    let mut health = None;
    let start = recording.start.get(row.hosts.start);
    let states = recording
        .intervals
        .iter()
        .map(|i| i.states.get(row.hosts.start));
    for (at, state) in core::iter::once(start).chain(states).enumerate() {
        let next = state.map(|state| state.health);
        if next != health {
            let from = seconds((at as u64).saturating_sub(1) * recording.width);
            let name = next.map_or("absent", health_name);
            if at > 0 || next != Some(TimelineHealth::Healthy) {
                text.push_str(&format!("; {name} from {from}"));
            }
            health = next;
        }
    }
    text.push('.');
    text
}

/// The name of a health.
pub(super) const fn health_name(health: TimelineHealth) -> &'static str {
    match health {
        TimelineHealth::Healthy => "healthy",
        TimelineHealth::Degraded => "degraded",
        TimelineHealth::Unhealthy => "unhealthy",
        TimelineHealth::Draining => "draining",
        TimelineHealth::Absent => "absent",
    }
}

/// The sessions of the run, and the interval in which most move.
#[must_use]
pub fn sessions_caption(recording: &TimelineRecording) -> String {
    let sum = |of: fn(&TimelineInterval) -> u32| -> usize {
        let counts = recording.intervals.iter().map(of);
        counts.map(|count| count as usize).sum()
    };
    let moved = sum(|interval| interval.moved);
    let intervals = recording.intervals.iter().enumerate();
    let peak = intervals.max_by_key(|(at, interval)| (interval.moved, usize::MAX - at));
    let peak = match peak {
        Some((at, interval)) if interval.moved > 0 => format!(
            ", at most {} in {} from {}",
            count(interval.moved as usize),
            seconds(recording.width),
            seconds(at as u64 * recording.width)
        ),
        _ => String::new(),
    };
    let failed = match sum(|interval| interval.failed) {
        0 => String::new(),
        failed => format!(", {} without a host", count(failed)),
    };
    format!(
        "{} requests stay on the host of their session, {} move to another one{peak}, {} start a session{failed}.",
        count(sum(|interval| interval.kept)),
        count(moved),
        count(sum(|interval| interval.new)),
    )
}
