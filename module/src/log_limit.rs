//! A limit on the lines that requests can write to Envoy's log.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

/// The lines of a kind in one [`PERIOD`].
const MOST_LINES: u32 = 10;
/// In nanoseconds.
const PERIOD: u64 = 60_000_000_000;

/// Admits ten lines of each kind a minute, of all threads.
pub(crate) struct LogLimit(Mutex<BTreeMap<&'static str, LimitedLines>>);

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
        Self(Mutex::new(BTreeMap::new()))
    }

    /// Admits a line at this time of [`crate::abi::monotonic_clock`]: the number of lines of its kind that
    /// were omitted before it. `None` omits the line.
    pub(crate) fn admit(&self, kind: &'static str, now: u64) -> Option<u64> {
        let mut kinds = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let lines = kinds.entry(kind).or_default();
        if lines.written == 0 || now.saturating_sub(lines.since) >= PERIOD {
            (lines.since, lines.written) = (now, 0);
        }
        if lines.written >= MOST_LINES {
            lines.omitted += 1;
            return None;
        }
        lines.written += 1;
        Some(std::mem::take(&mut lines.omitted))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_lines_a_minute_are_admitted_and_the_rest_is_counted() {
        let limit = LogLimit::new();
        let second = PERIOD / 60;
        let admitted = (0..100_000).filter(|_| limit.admit("a", 5 * second).is_some());
        assert_eq!(admitted.count(), 10);
        assert_eq!(limit.admit("a", 64 * second), None);
        assert_eq!(limit.admit("b", 64 * second), Some(0));
        assert_eq!(limit.admit("a", 65 * second), Some(99_991));
        assert_eq!(limit.admit("a", 65 * second), Some(0));
    }
}
