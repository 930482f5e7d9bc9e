//! The times of a detector's sweeps, from the log of its beacon.

use std::time::Duration;

use super::batch::TrialRecord;

/// The sweeps from the first result of a request on. The timer of the beacon starts with that of the trial and has the
/// same interval. A sweep without a request to the beacon since the last one has no entry: it is in the middle.
pub(super) fn sweeps(record: &TrialRecord, interval: Duration) -> Vec<Duration> {
    let mut seen = record.sweeps.clone();
    seen.dedup();
    let Some(first) = seen.first().copied() else {
        return seen;
    };
    let mut found = Vec::new();
    let begin = record
        .attempts
        .first()
        .map_or(first, |attempt| attempt.start);
    let mut before = first;
    while before > begin {
        before = before.saturating_sub(interval);
        found.push(before);
    }
    found.reverse();
    found.push(first);
    for next in seen.into_iter().skip(1) {
        let last = found.last().copied().unwrap_or(first);
        found.extend(between(last, next, interval));
        found.push(next);
    }
    found
}

/// Evenly, as many as fit.
fn between(last: Duration, next: Duration, interval: Duration) -> impl Iterator<Item = Duration> {
    let gap = next.saturating_sub(last);
    let count = (gap.as_secs_f64() / interval.as_secs_f64())
        .round()
        .max(1.0) as u32;
    (1..count).map(move |number| last + gap / count * number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_sweeps_are_in_the_middle() {
        let ms = Duration::from_millis;
        let missing: Vec<Duration> = between(ms(1_000), ms(1_604), ms(200)).collect();
        assert_eq!(
            missing,
            [ms(1_000) + ms(604) / 3, ms(1_000) + ms(604) / 3 * 2]
        );
        assert_eq!(between(ms(1_000), ms(1_203), ms(200)).count(), 0);
    }
}
