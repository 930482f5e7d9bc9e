//! Timeouts of open connections that follow each other without a new request between them.
//!
//! With `split_external_local_origin_errors`, only they are in a row. Requests that are chosen at random arrive at a silent
//! host as often as earlier ones time out, in any order: after each timeout, the next one comes first in half of the cases.

use alloc::{collections::VecDeque, vec::Vec};

use spillgate_core::draw::Draw;
use spillgate_health::outlier::TimeoutsInRow;

/// The most rows that are picked ahead.
const AHEAD: usize = 256;

/// The timeouts of one host, in rows that are picked at random, as far ahead as a detector needs.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct TimeoutRows {
    ahead: VecDeque<u64>,
    /// Whether some timeouts of the first row are over.
    has_begun: bool,
}

impl TimeoutRows {
    /// The next timeouts.
    pub(super) fn take(&mut self, mut count: u64, draw: &mut impl Draw) -> Vec<TimeoutsInRow> {
        let mut taken = Vec::new();
        while count > 0 {
            let row = self.ahead.pop_front().unwrap_or_else(|| length(draw));
            let part = row.min(count);
            taken.push(TimeoutsInRow {
                count: part,
                go_on: self.has_begun,
            });
            count -= part;
            self.has_begun = part < row;
            if self.has_begun {
                self.ahead.push_front(row - part);
            }
        }
        taken
    }

    /// The number of timeouts until a row has `whole` of them; the row that has begun needs `missing` more. Not the number
    /// itself, but fewer, if it is far: look again then.
    pub(super) fn row_end(&mut self, missing: u64, whole: u64, draw: &mut impl Draw) -> u64 {
        let mut before = 0_u64;
        for at in 0..AHEAD {
            let row = match self.ahead.get(at) {
                Some(row) => *row,
                None => {
                    let row = length(draw);
                    self.ahead.push_back(row);
                    row
                }
            };
            let needed = if at == 0 && self.has_begun {
                missing
            } else {
                whole
            };
            if row >= needed {
                return before + needed;
            }
            before += row;
        }
        before
    }
}

/// How many timeouts follow each other: each one is the last in half of the cases.
fn length(draw: &mut impl Draw) -> u64 {
    1 + u64::from(draw.draw().trailing_zeros())
}

#[cfg(test)]
mod tests {
    use spillgate_core::draw::SplitMix64;

    use super::*;

    /// The mean number of tosses of a coin to the first n heads in a row is 2 (2^n - 1), half of them heads.
    #[test]
    fn rows_take_the_known_mean() {
        let mut draw = SplitMix64::new(7);
        let (runs, mut sum) = (4_000, 0);
        for _ in 0..runs {
            sum += TimeoutRows::default().row_end(4, 4, &mut draw);
        }
        // After the timeout that begins a row, 3 more must follow.
        let mean = sum as f64 / f64::from(runs);
        assert!((mean - 15.0).abs() < 0.8, "{mean}");
    }

    #[test]
    fn the_row_is_where_it_was_seen() {
        let mut draw = SplitMix64::new(3);
        let mut rows = TimeoutRows::default();
        let end = rows.row_end(4, 4, &mut draw);
        let taken = rows.take(end - 1, &mut draw);
        let last = *taken.last().unwrap();
        assert_eq!(taken.iter().map(|row| row.count).sum::<u64>(), end - 1);
        assert_eq!(last.count, 3);
        assert_eq!(rows.row_end(1, 4, &mut draw), 1);
        assert!(rows.take(1, &mut draw)[0].go_on);
    }
}
