//! How late requests reached Envoy: the scheduling noise of a trial, without any prediction.

use std::time::Duration;

use super::counts::LoggedRequest;
use super::load::OpenLoad;
use super::trial::{RequestTrial, SCRIPT};

/// Later requests show a machine that paused: hosts and checks were late, too, and timeouts can have ended what works.
const MOST: Duration = Duration::from_millis(30);
/// The part of the requests that are as late as usual, in percent.
const USUAL: usize = 90;

/// How late requests were.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Pauses {
    /// The latest one.
    pub longest: Duration,
    /// What nine of ten do not exceed.
    pub usual: Duration,
    /// Requests without a line in the log, or without an answer.
    pub lost: usize,
}

impl Pauses {
    /// Of the requests of a trial that started then.
    pub(super) fn of(
        trial: &RequestTrial,
        started: Duration,
        requests: &[LoggedRequest],
        unanswered: usize,
    ) -> Self {
        let mut starts: Vec<Duration> = requests.iter().map(|request| request.start).collect();
        starts.sort_unstable();
        let due: Vec<Duration> = OpenLoad::times(trial.rps, SCRIPT).collect();
        let pairs = starts.iter().zip(&due);
        let mut late: Vec<Duration> = pairs
            .map(|(start, due)| start.saturating_sub(started + *due))
            .collect();
        late.sort_unstable();
        let usual = late.get(late.len() * USUAL / 100);
        Self {
            longest: late.last().copied().unwrap_or_default(),
            usual: usual.copied().unwrap_or_default(),
            lost: unanswered.max(due.len().abs_diff(starts.len())),
        }
    }

    /// Whether what happened is what the script says.
    #[must_use]
    pub fn are_short(&self) -> bool {
        self.lost == 0 && self.longest <= MOST
    }

    /// How many requests can have met another state of the hosts than that of their time: the change that a pause delays
    /// the most, and all others as usual.
    pub(super) fn moved(&self, rps: u32, changes: f64) -> f64 {
        f64::from(rps) * (self.longest.as_secs_f64() + changes * self.usual.as_secs_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_request_counts_once_and_the_usual_ones_for_each_change() {
        let pauses = Pauses {
            longest: Duration::from_millis(20),
            usual: Duration::from_millis(1),
            lost: 0,
        };
        assert!(pauses.are_short());
        let moved = pauses.moved(100, 5.0);
        assert!((moved - 2.5).abs() < 1e-9, "{moved}");
        assert!(!Pauses { lost: 1, ..pauses }.are_short());
    }
}
