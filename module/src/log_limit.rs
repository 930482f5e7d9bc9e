//! A limit on the lines that requests can cause in Envoy's log.

use std::{collections::BTreeMap, sync::Mutex};

use crate::lock::locked;

/// The limit of all of them: each line of the module has the target [`spillgate_steer::messages::REQUESTS`], and
/// Envoy writes some of its own.
pub(crate) static REQUEST_LINES: LogLimit = LogLimit::new();

/// The lines of a kind in one [`PERIOD`].
const MOST_OF_KIND: u32 = 10;
/// In nanoseconds.
const PERIOD: u64 = 60_000_000_000;
/// The lines of all kinds at once, after a time without any.
const MOST_AT_ONCE: i32 = 40;
/// One more line is admitted after this time, in nanoseconds: 3 a minute, less than 100 lines for 100,000
/// requests even at 100 requests a second.
const ONE_MORE: u64 = 20_000_000_000;
/// The lines that a repeated question leaves to others.
const LEFT_TO_OTHERS: i32 = MOST_AT_ONCE / 2;
/// The most lines of questions that are asked although no line is left, which the next admitted lines make up
/// for.
const MOST_OWED: i32 = 3;

/// Admits ten lines of each kind a minute, and of all kinds as many as the constants above say, of all
/// threads.
pub(crate) struct LogLimit(Mutex<AdmittedLines>);

struct AdmittedLines {
    /// The lines that may be written now; negative if too many were.
    left: i32,
    /// The time up to which lines were added.
    since: u64,
    kinds: BTreeMap<&'static str, LimitedLines>,
}

#[derive(Default)]
struct LimitedLines {
    /// When the first line of the period was written.
    since: u64,
    written: u32,
    /// The omitted lines since the last admitted one.
    omitted: u64,
}

impl LogLimit {
    /// A limit that has admitted nothing yet.
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(AdmittedLines {
            left: MOST_AT_ONCE,
            since: 0,
            kinds: BTreeMap::new(),
        }))
    }

    /// Admits a line at this time of [`crate::abi::monotonic_clock`]: the number of lines of its kind that
    /// were omitted before it. `None` omits the line.
    pub(crate) fn admit(&self, kind: &'static str, now: u64) -> Option<u64> {
        self.locked(now, |AdmittedLines { left, kinds, .. }| {
            let lines = kinds.entry(kind).or_default();
            if lines.written == 0 || now.saturating_sub(lines.since) >= PERIOD {
                (lines.since, lines.written) = (now, 0);
            }
            if lines.written >= MOST_OF_KIND || *left <= 0 {
                lines.omitted += 1;
                return None;
            }
            lines.written += 1;
            *left -= 1;
            Some(std::mem::take(&mut lines.omitted))
        })
    }

    /// Whether a question that makes Envoy write as many lines may be repeated now.
    pub(crate) fn may_repeat(&self, lines: u32, now: u64) -> bool {
        let needed = LEFT_TO_OTHERS.saturating_add_unsigned(lines);
        self.locked(now, |admitted| admitted.left >= needed)
    }

    /// Counts lines that Envoy has written for a question.
    pub(crate) fn count(&self, lines: u32, now: u64) {
        self.locked(now, |admitted| {
            let left = admitted.left.saturating_sub_unsigned(lines);
            admitted.left = left.max(-MOST_OWED);
        });
    }

    fn locked<T>(&self, now: u64, then: impl FnOnce(&mut AdmittedLines) -> T) -> T {
        let mut admitted = locked(&self.0);
        let more = now.saturating_sub(admitted.since) / ONE_MORE;
        admitted.since += more * ONE_MORE;
        let more = u32::try_from(more).unwrap_or(u32::MAX);
        let left = admitted.left.saturating_add_unsigned(more);
        admitted.left = left.min(MOST_AT_ONCE);
        then(&mut admitted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: u64 = 1_000_000_000;

    #[test]
    fn ten_lines_a_minute_are_admitted_and_the_rest_is_counted() {
        let limit = LogLimit::new();
        let admitted = (0..100_000).filter(|_| limit.admit("a", 5 * SECOND).is_some());
        assert_eq!(admitted.count(), 10);
        assert_eq!(limit.admit("a", 64 * SECOND), None);
        assert_eq!(limit.admit("b", 64 * SECOND), Some(0));
        assert_eq!(limit.admit("a", 65 * SECOND), Some(99_991));
        assert_eq!(limit.admit("a", 65 * SECOND), Some(0));
    }

    #[test]
    fn all_kinds_together_have_at_most_100_lines_in_100_000_requests() {
        const KINDS: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "h"];
        for a_second in [100, 1_000, 10_000] {
            let limit = LogLimit::new();
            let mut lines = 0;
            for request in 0..100_000_u64 {
                let now = request * SECOND / a_second;
                let written = KINDS.iter().filter(|kind| limit.admit(kind, now).is_some());
                lines += written.count() as u32;
                if limit.may_repeat(3, now) {
                    limit.count(3, now);
                    lines += 3;
                }
            }
            assert!((40..=100).contains(&lines), "{a_second} a second: {lines}");
        }
    }

    #[test]
    fn questions_leave_lines_to_others() {
        let limit = LogLimit::new();
        while limit.may_repeat(3, 0) {
            limit.count(3, 0);
        }
        assert_eq!(limit.admit("a", 0), Some(0));
        limit.count(1_000, 0);
        assert_eq!(limit.admit("a", 0), None);
        // Three lines are owed.
        assert_eq!(limit.admit("a", 60 * SECOND), None);
        assert_eq!(limit.admit("a", 80 * SECOND), Some(2));
    }
}
