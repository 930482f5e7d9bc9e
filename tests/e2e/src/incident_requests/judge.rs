//! Whether a count is in the distribution that a prediction has over its runs.
//!
//! Given a run, a count is a sum over requests that are independent (RANDOM) or more even (ROUND_ROBIN). Hoeffding's
//! inequality bounds its tails by the mean of the run alone; the mean over the runs is the bound of the prediction.

use super::counts::RequestCounts;
use super::predict::PredictedRun;
use crate::fleet::CountedLoad;

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Figure {
    /// Failed requests.
    Failed,
    /// Retries; at most so many of a request.
    Retried(u32),
    /// Sessions that moved to another host.
    SessionsMoved,
}

/// A count with its prediction.
#[derive(Debug, Clone, Copy)]
pub struct JudgedFigure {
    /// What is counted.
    pub figure: Figure,
    /// The count.
    pub counted: u64,
    /// The mean of all runs.
    pub expected: f64,
    /// The standard deviation: that between the runs, and at most that within them.
    pub deviation: f64,
    /// How much the noise of the machine can change the count.
    pub moved: f64,
    /// A bound of the probability of a count at least so far from the expectation.
    pub p: f64,
}

impl Figure {
    fn counted(self, of: &RequestCounts) -> u64 {
        match self {
            Self::Failed => of.failed,
            Self::Retried(_) => of.retried,
            Self::SessionsMoved => of.sessions_moved,
        }
    }

    /// The expected part of the requests; of retries, it can exceed 1.
    fn part(self, of: &PredictedRun) -> f64 {
        let totals = &of.totals;
        let expected = match self {
            Self::Failed => totals.failed,
            Self::Retried(_) => totals.retried,
            Self::SessionsMoved => totals.moved,
        };
        expected / totals.requests.max(1.0)
    }

    /// How often a request counts at most.
    fn most(self) -> f64 {
        match self {
            Self::Failed | Self::SessionsMoved => 1.0,
            Self::Retried(most) => f64::from(most.max(1)),
        }
    }
}

impl JudgedFigure {
    /// Judges a count. `moved` is the number of requests that can have met another state of the hosts.
    pub(super) fn new(
        figure: Figure,
        counts: &RequestCounts,
        runs: &[PredictedRun],
        moved: f64,
    ) -> Self {
        let (counted, most) = (figure.counted(counts), figure.most());
        let requests = counts.requests as f64;
        let moved = moved * most;
        let (mut low, mut high) = (0.0, 0.0);
        let (mut sum, mut squares, mut within) = (0.0, 0.0, 0.0);
        for run in runs {
            let part = figure.part(run);
            let expected = part * requests;
            low += below(counted as f64 + moved, expected, (counts.requests, most));
            high += above(counted as f64 - moved, expected, (counts.requests, most));
            sum += expected;
            squares += expected * expected;
            within += requests * part * (most - part).max(0.0);
        }
        let number = runs.len().max(1) as f64;
        let expected = sum / number;
        let between = (squares / number - expected * expected).max(0.0);
        Self {
            figure,
            counted,
            expected,
            deviation: (between + within / number).sqrt(),
            moved,
            p: (2.0 * f64::min(low, high) / number).min(1.0),
        }
    }

    /// The same for the sum of several counts, by their variances.
    pub(super) fn total(figure: Figure, all: &[Self]) -> Self {
        let sum = |of: fn(&Self) -> f64| all.iter().map(of).sum::<f64>();
        let (expected, moved) = (sum(|of| of.expected), sum(|of| of.moved));
        let deviation = sum(|of| of.deviation * of.deviation).sqrt();
        let counted: u64 = all.iter().map(|of| of.counted).sum();
        let far = ((counted as f64 - expected).abs() - moved).max(0.0);
        let p = if far > 0.0 {
            (2.0 * (-0.5 * (far / deviation).powi(2)).exp()).min(1.0)
        } else {
            1.0
        };
        Self {
            figure,
            counted,
            expected,
            deviation,
            moved,
            p,
        }
    }
}

/// A bound of the probability of at most this count.
fn below(counted: f64, expected: f64, (requests, most): (u64, f64)) -> f64 {
    if counted >= expected {
        return 1.0;
    }
    tail(counted, expected, (requests, most))
}

/// A bound of the probability of at least this count.
fn above(counted: f64, expected: f64, (requests, most): (u64, f64)) -> f64 {
    if counted <= expected {
        return 1.0;
    }
    tail(counted, expected, (requests, most))
}

fn tail(counted: f64, expected: f64, (requests, most): (u64, f64)) -> f64 {
    let load = CountedLoad {
        what: String::new(),
        requests,
        expected: expected / most,
        counted: 0,
    };
    load.tail_of(counted / most)
}

#[cfg(test)]
mod tests {
    use spillgate_incident::RequestTotals;

    use super::*;

    fn run(failed: f64) -> PredictedRun {
        PredictedRun {
            totals: RequestTotals {
                requests: 1_000.0,
                failed,
                ..RequestTotals::default()
            },
            changes: 0,
        }
    }

    fn p(failed: u64, runs: &[f64], moved: f64) -> f64 {
        let counts = RequestCounts {
            requests: 1_000,
            failed,
            ..RequestCounts::default()
        };
        let runs: Vec<PredictedRun> = runs.iter().map(|failed| run(*failed)).collect();
        JudgedFigure::new(Figure::Failed, &counts, &runs, moved).p
    }

    #[test]
    fn a_count_is_far_if_it_is_far_from_all_runs() {
        assert!(p(100, &[100.0], 0.0) > 0.9);
        assert!(p(200, &[100.0], 0.0) < 1e-9);
        assert!(p(200, &[100.0, 200.0], 0.0) > 0.4);
        // Between two runs, it is in neither tail.
        assert!(p(150, &[100.0, 200.0], 0.0) > 0.9);
        assert!(p(300, &[100.0, 200.0], 0.0) < 1e-9);
    }

    #[test]
    fn moved_requests_widen_the_band_on_both_sides() {
        assert!(p(3, &[0.0], 0.0) == 0.0 && p(3, &[0.0], 3.0) > 0.9);
        assert!(p(900, &[1_000.0], 0.0) == 0.0 && p(900, &[1_000.0], 100.0) > 0.9);
    }

    #[test]
    fn a_small_bias_of_all_counts_shows_in_their_sum() {
        let counts = RequestCounts {
            requests: 1_000,
            failed: 110,
            ..RequestCounts::default()
        };
        let one = JudgedFigure::new(Figure::Failed, &counts, &[run(100.0)], 0.0);
        assert!(one.p > 0.1);
        assert!(JudgedFigure::total(Figure::Failed, &[one; 100]).p < 1e-9);
    }
}
