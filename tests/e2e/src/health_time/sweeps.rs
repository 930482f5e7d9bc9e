//! The times of a detector's sweeps, from the log of its beacon and from its own.

use std::time::Duration;

use super::trial_record::TrialRecord;

/// The time of an entry can be later than that of its timer: so much is usual.
const EARLY: Duration = Duration::from_millis(20);

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
/// interval. A sweep without a request to the beacon since the last one has no entry.
pub(super) fn sweeps(record: &TrialRecord, interval: Duration) -> Vec<SeenSweep> {
    let seen = seen(record, interval);
    let Some(first) = seen.first().copied() else {
        return Vec::new();
    };
    let begin = record.attempts.first();
    let begin = begin.map_or(first.at, |attempt| attempt.sent);
    let before = SeenSweep::at(begin.min(first.at));
    let mut found: Vec<SeenSweep> = between(before, first, interval).collect();
    let mut last = first;
    for next in seen {
        found.extend(between(last, next, interval));
        found.push(next);
        last = next;
    }
    found
}

impl SeenSweep {
    const fn at(at: Duration) -> Self {
        Self {
            at,
            earliest: at,
            latest: at,
            certain: true,
        }
    }
}

/// What the logs show: each entry of the beacon is a sweep, and own entries are of the next one.
fn seen(record: &TrialRecord, interval: Duration) -> Vec<SeenSweep> {
    let mut found: Vec<SeenSweep> = record.sweeps.iter().copied().map(SeenSweep::at).collect();
    let ends = record.trial.checks.is_empty();
    let own = record.outliers.iter().filter(|entry| {
        // Without health checks, only a sweep ends an ejection.
        entry.is_of_sweep() || ends && entry.action == "UNEJECT"
    });
    for at in own.map(|entry| entry.at) {
        let nearest = found.iter_mut().min_by_key(|sweep| sweep.at.abs_diff(at));
        match nearest.filter(|sweep| sweep.at.abs_diff(at) < interval / 2) {
            Some(sweep) => {
                sweep.earliest = sweep.earliest.min(at);
                sweep.latest = sweep.latest.max(at);
            }
            None => found.push(SeenSweep::at(at)),
        }
    }
    found.sort_unstable_by_key(|sweep| sweep.at);
    found
}

/// As many as fit. On a busy machine, entries can be later than their sweep, and the next sweep is not.
fn between(
    last: SeenSweep,
    next: SeenSweep,
    interval: Duration,
) -> impl Iterator<Item = SeenSweep> {
    let gap = next.at.saturating_sub(last.at);
    let count = ((gap + EARLY).as_secs_f64() / interval.as_secs_f64()) as u32;
    (1..count.max(1)).map(move |number| SeenSweep {
        at: next.at.saturating_sub(interval * (count - number)),
        earliest: last.latest,
        latest: next.earliest,
        certain: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_sweeps_fit_between_seen_ones() {
        let ms = Duration::from_millis;
        let missing = |next| {
            let missing = between(SeenSweep::at(ms(1_000)), SeenSweep::at(next), ms(200));
            missing.map(|sweep| sweep.at).collect::<Vec<_>>()
        };
        assert_eq!(missing(ms(1_690)), [ms(1_290), ms(1_490)]);
        assert!(missing(ms(1_203)).is_empty() && missing(ms(1_000)).is_empty());
    }
}
