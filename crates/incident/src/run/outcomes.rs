//! The results of the attempts at one host: runs of equal results, drawn ahead as far as a detector needs.

use alloc::{collections::VecDeque, vec::Vec};

use spillgate_core::draw::Draw;

/// The most rows of answers that are picked ahead.
const AHEAD: usize = 256;

/// Equal results in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ResultRun {
    pub(super) failed: bool,
    pub(super) count: u64,
}

/// The results of a host that fails a part of its attempts.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Outcomes {
    fails: f64,
    ahead: VecDeque<ResultRun>,
    /// Whether the last drawn run has failures: the next one has the other results.
    last_failed: Option<bool>,
}

/// When a row of failures is complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RowEnd {
    /// After this many attempts.
    After(u64),
    /// Not before this many attempts: look again then.
    NotBefore(u64),
    /// Never, as long as the host behaves so.
    Never,
}

impl Outcomes {
    /// With this probability of a failure.
    pub(super) fn of(fails: f64) -> Self {
        let mut outcomes = Self::default();
        outcomes.set(fails);
        outcomes
    }

    /// Changes the probability of a failure, 0 to 1.
    pub(super) fn set(&mut self, fails: f64) {
        if self.fails != fails {
            self.fails = fails;
            self.ahead.clear();
            self.last_failed = None;
        }
    }

    /// Whether all results are the same.
    pub(super) fn is_certain(&self) -> bool {
        self.fails <= 0.0 || self.fails >= 1.0
    }

    /// The results of the next attempts.
    pub(super) fn take(&mut self, mut count: u64, draw: &mut impl Draw) -> Vec<ResultRun> {
        let mut taken = Vec::new();
        if self.is_certain() {
            if count > 0 {
                taken.push(ResultRun {
                    failed: self.fails > 0.0,
                    count,
                });
            }
            return taken;
        }
        while count > 0 {
            let run = match self.ahead.pop_front() {
                Some(run) => run,
                None => {
                    self.draw_run(draw);
                    continue;
                }
            };
            let part = run.count.min(count);
            taken.push(ResultRun { count: part, ..run });
            count -= part;
            if part < run.count {
                self.ahead.push_front(ResultRun {
                    count: run.count - part,
                    ..run
                });
            }
        }
        taken
    }

    /// When `missing` more failures in a row complete a row, and `whole` failures in a row after a success.
    pub(super) fn row_end(&mut self, missing: u64, whole: u64, draw: &mut impl Draw) -> RowEnd {
        if self.fails <= 0.0 {
            return RowEnd::Never;
        }
        if self.fails >= 1.0 {
            return RowEnd::After(missing);
        }
        let (mut before, mut missing) = (0_u64, missing);
        let mut at = 0;
        loop {
            let Some(run) = self.ahead.get(at).copied() else {
                if at >= AHEAD {
                    return RowEnd::NotBefore(before);
                }
                self.draw_run(draw);
                continue;
            };
            if run.failed && run.count >= missing {
                return RowEnd::After(before + missing);
            }
            missing = if run.failed {
                missing - run.count
            } else {
                whole
            };
            before += run.count;
            at += 1;
        }
    }

    /// Draws the next run. A success and a failure in turn, except that the first one is random.
    fn draw_run(&mut self, draw: &mut impl Draw) {
        let failed = match self.last_failed {
            Some(last) => !last,
            None => unit(draw) < self.fails,
        };
        self.last_failed = Some(failed);
        let goes_on = if failed { self.fails } else { 1.0 - self.fails };
        let further = libm::log(1.0 - unit(draw)) / libm::log(goes_on);
        self.ahead.push_back(ResultRun {
            failed,
            count: 1 + libm::floor(further.clamp(0.0, 1e12)) as u64,
        });
    }
}

/// A number from 0 to below 1.
pub(super) fn unit(draw: &mut impl Draw) -> f64 {
    /// 2^53: the numbers of a double.
    const STEPS: f64 = 9_007_199_254_740_992.0;
    (draw.draw() >> 11) as f64 / STEPS
}

#[cfg(test)]
mod tests {
    use spillgate_core::draw::SplitMix64;

    use super::*;

    #[test]
    fn all_or_no_failures_need_no_draw() {
        let mut draw = SplitMix64::new(1);
        let mut outcomes = Outcomes::default();
        assert_eq!(outcomes.row_end(5, 5, &mut draw), RowEnd::Never);
        outcomes.set(1.0);
        assert_eq!(outcomes.row_end(3, 5, &mut draw), RowEnd::After(3));
        let run = ResultRun {
            failed: true,
            count: 7,
        };
        assert_eq!(outcomes.take(7, &mut draw), [run]);
    }

    /// The mean number of attempts to the first row of n failures is (1 - p^n) / ((1 - p) p^n).
    #[test]
    fn rows_take_the_known_mean() {
        let mut draw = SplitMix64::new(7);
        let (runs, mut sum) = (4_000, 0);
        for _ in 0..runs {
            let mut outcomes = Outcomes::default();
            outcomes.set(0.5);
            match outcomes.row_end(5, 5, &mut draw) {
                RowEnd::After(count) => sum += count,
                other => panic!("{other:?}"),
            }
        }
        let mean = sum as f64 / f64::from(runs);
        assert!((mean - 62.0).abs() < 3.0, "{mean}");
    }

    #[test]
    fn the_row_is_where_it_was_seen() {
        let mut draw = SplitMix64::new(3);
        let mut outcomes = Outcomes::default();
        outcomes.set(0.6);
        let RowEnd::After(count) = outcomes.row_end(4, 4, &mut draw) else {
            panic!("no row");
        };
        let taken = outcomes.take(count, &mut draw);
        assert_eq!(taken.iter().map(|run| run.count).sum::<u64>(), count);
        let last = taken.last().unwrap();
        assert!(last.failed && last.count == 4, "{taken:?}");
    }
}
