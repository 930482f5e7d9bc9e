//! The result of a run: each count with its prediction, and their sums.

use std::fmt;
use std::time::Duration;

use super::judge::{Figure, JudgedFigure};
use super::pauses::Pauses;
use crate::fleet::FAMILY_WISE;

/// A recorded trial is at least so unlikely.
const FAR: f64 = 1e-4;
/// One of so many trials can be without a result, because the machine paused each time.
const MOST_PAUSED: usize = 10;

/// A trial with its counts.
#[derive(Debug, Clone)]
pub struct JudgedTrial {
    /// Its number.
    pub number: u64,
    /// Requests from the first failure on.
    pub requests: u64,
    /// The noise of the machine.
    pub pauses: Pauses,
    /// Failed requests, retries, and with sessions those that moved.
    pub figures: Vec<JudgedFigure>,
}

/// The summary of a run.
#[derive(Debug, Clone, Default)]
pub struct RequestsSummary {
    /// The trials.
    pub trials: Vec<JudgedTrial>,
    /// Trials without a result, because the machine paused each time.
    pub paused: usize,
    /// Its duration.
    pub took: Duration,
}

impl JudgedTrial {
    /// Whether it is worth a look.
    pub(super) fn is_far(&self) -> bool {
        self.figures.iter().any(|figure| figure.p < FAR)
    }
}

impl RequestsSummary {
    /// The sums over all trials: failed requests, retries, and sessions that moved.
    #[must_use]
    pub fn totals(&self) -> [JudgedFigure; 3] {
        let figures = [
            (Figure::Failed, 0),
            (Figure::Retried(1), 1),
            (Figure::SessionsMoved, 2),
        ];
        figures.map(|(figure, place)| {
            let all = self.trials.iter();
            let all = all.filter_map(|trial| trial.figures.get(place).copied());
            JudgedFigure::total(figure, &all.collect::<Vec<_>>())
        })
    }

    /// The counts outside of their bands, if all of them together are outside by chance with at most 1 %.
    #[must_use]
    pub fn outside(&self) -> usize {
        self.below(FAMILY_WISE / self.counts() as f64)
    }

    /// How many counts there are, with their sums.
    fn counts(&self) -> usize {
        let all = self.trials.iter().map(|trial| trial.figures.len());
        all.sum::<usize>() + self.totals().len()
    }

    /// The counts with a lower probability than this one, with their sums.
    #[must_use]
    pub fn below(&self, significance: f64) -> usize {
        let each = self
            .trials
            .iter()
            .flat_map(|trial| trial.figures.iter().copied());
        let all = each.chain(self.totals());
        all.filter(|figure| figure.p < significance).count()
    }

    /// Whether almost all trials have a result, and requests failed and were retried.
    #[must_use]
    pub fn has_compared(&self) -> bool {
        let all = self.trials.len() + self.paused;
        self.paused * MOST_PAUSED <= all && self.totals().iter().all(|total| total.counted > 0)
    }

    /// The result in one line.
    #[must_use]
    pub fn figure(&self) -> String {
        let requests: u64 = self.trials.iter().map(|trial| trial.requests).sum();
        let [failed, retried, sessions] = self.totals();
        let moved = self.trials.iter().flat_map(|trial| &trial.figures);
        let longest = self.trials.iter().map(|trial| trial.pauses.longest);
        format!(
            "{} trials, {requests} requests: {} failed, predicted {:.0} ± {:.0}; {} retries, predicted {:.0} ± {:.0}; {} sessions \
             moved, predicted {:.0} ± {:.0}; {} of {} \
             counts outside of the 99 % band; noise of up to {:.1} ms, at most {:.0} requests of a trial; {} trials without a \
             result; {:.0} s",
            self.trials.len(),
            failed.counted,
            failed.expected,
            failed.deviation,
            retried.counted,
            retried.expected,
            retried.deviation,
            sessions.counted,
            sessions.expected,
            sessions.deviation,
            self.outside(),
            self.counts(),
            longest.max().unwrap_or_default().as_secs_f64() * 1e3,
            moved.map(|figure| figure.moved).fold(0.0, f64::max),
            self.paused,
            self.took.as_secs_f64(),
        )
    }
}

impl fmt::Display for JudgedTrial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "trial {}: {} requests", self.number, self.requests)?;
        for figure in &self.figures {
            write!(
                f,
                ", {:?} {} of {:.1} ± {:.1} (noise {:.1}, p {:.1e})",
                figure.figure,
                figure.counted,
                figure.expected,
                figure.deviation,
                figure.moved,
                figure.p
            )?;
        }
        Ok(())
    }
}

impl fmt::Display for RequestsSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for trial in self.trials.iter().filter(|trial| trial.is_far()) {
            writeln!(f, "{trial}")?;
        }
        f.write_str(&self.figure())
    }
}
