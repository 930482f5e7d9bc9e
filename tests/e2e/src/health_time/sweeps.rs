//! The times of a detector's sweeps, from the log of its beacon and from its own.

use std::time::Duration;

use super::batch::TrialRecord;

/// Times in logs are cut to milliseconds, and libevent counts an interval from the start of a turn of its loop.
const EARLY: Duration = Duration::from_millis(3);

/// A sweep, or one that no log shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SeenSweep {
    /// Its most likely time.
    pub(super) at: Duration,
    /// It was not before.
    pub(super) earliest: Duration,
    /// It was not after.
    pub(super) latest: Duration,
    /// Whether a log shows it; else there may have been none.
    pub(super) certain: bool,
}

/// The sweeps from the first request on. The timer of the beacon starts with that of the trial and has the same
/// interval. A sweep without a request to the beacon since the last one has no entry, but no two sweeps are closer than
/// the interval.
pub(super) fn sweeps(record: &TrialRecord, interval: Duration) -> Vec<SeenSweep> {
    let seen = seen(record, interval);
    let Some(first) = seen.first().copied() else {
        return Vec::new();
    };
    let begin = record
        .attempts
        .first()
        .map_or(first.at, |attempt| attempt.start);
    let mut found = Vec::new();
    let mut before = first.latest;
    while before > begin {
        before = before.saturating_sub(interval) + EARLY;
        found.push(SeenSweep {
            at: before,
            earliest: Duration::ZERO,
            latest: before,
            certain: false,
        });
    }
    found.reverse();
    let mut last: Option<SeenSweep> = None;
    for next in seen {
        if let Some(last) = last {
            found.extend(between(last, next, interval));
        }
        found.push(next);
        last = Some(next);
    }
    found
}

/// What the logs show. The entries of one sweep are far less than an interval apart.
fn seen(record: &TrialRecord, interval: Duration) -> Vec<SeenSweep> {
    let own = record.outliers.iter().filter(|entry| entry.is_of_sweep());
    let own = own.map(|entry| entry.at);
    let mut times: Vec<Duration> = record.sweeps.iter().copied().chain(own).collect();
    times.sort_unstable();
    let mut found: Vec<SeenSweep> = Vec::new();
    for at in times {
        match found.last_mut() {
            Some(last) if at < last.earliest + interval / 2 => last.latest = at,
            _ => found.push(SeenSweep {
                at,
                earliest: at,
                latest: at,
                certain: true,
            }),
        }
    }
    found
}

/// As many as fit.
fn between(
    last: SeenSweep,
    next: SeenSweep,
    interval: Duration,
) -> impl Iterator<Item = SeenSweep> {
    let gap = (next.at + EARLY).saturating_sub(last.at);
    let count = (gap.as_secs_f64() / interval.as_secs_f64()) as u32;
    (1..count).map(move |number| {
        let earliest = last.earliest + interval * number;
        let latest = next.latest.saturating_sub(interval * (count - number));
        SeenSweep {
            at: last.at + (next.at - last.at) / count * number,
            earliest: earliest.saturating_sub(EARLY),
            // If there were fewer, each of them could be later.
            latest: next.latest.saturating_sub(interval).max(latest) + EARLY,
            certain: false,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_sweeps_fit_between_seen_ones() {
        let ms = Duration::from_millis;
        let seen = |at| SeenSweep {
            at,
            earliest: at,
            latest: at,
            certain: true,
        };
        let missing = |next| between(seen(ms(1_000)), seen(next), ms(200)).collect::<Vec<_>>();
        let [first, second] = missing(ms(1_690))[..] else {
            panic!("two sweeps fit");
        };
        assert_eq!((first.earliest, second.earliest), (ms(1_197), ms(1_397)));
        assert_eq!((first.at, second.latest), (ms(1_230), ms(1_493)));
        assert!(missing(ms(1_203)).is_empty());
    }
}
