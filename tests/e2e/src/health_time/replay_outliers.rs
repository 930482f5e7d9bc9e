//! The results of requests, as recorded, through the detector of `spillgate-health`: it must write the very entries of
//! Envoy's event log.
//!
//! Requests end in a worker, sweeps and health checks in the main thread, so the records do not have the order of
//! events that are close to each other. All orders are tried until one explains the whole log. So the load of this
//! machine changes what happens, but not what must follow from it.

use std::time::Duration;

use super::replay_checks::PassedCheck;
use super::search::{Explanation, explain};
use super::timeline::Timeline;
use super::trial_record::TrialRecord;

/// What the replay of a trial found.
#[derive(Debug, Clone, Default)]
pub struct ReplayedOutliers {
    /// Results of requests.
    pub attempts: usize,
    /// Sweeps.
    pub sweeps: usize,
    /// Log entries that were compared.
    pub entries: usize,
    /// Ejections among them, with those that were not enforced.
    pub ejections: usize,
    /// Ends of ejections among them.
    pub returns: usize,
    /// Wrong predictions.
    pub wrong: Vec<String>,
    /// Where a search for an order of events ended at its limit.
    pub undecided: Option<String>,
}

/// Replays a trial with outlier detection. Events that are less than `near` apart can have happened in any order.
#[must_use]
pub fn replay_outliers(
    record: &TrialRecord,
    passed: &[PassedCheck],
    near: Duration,
) -> ReplayedOutliers {
    let Some(settings) = &record.trial.outlier else {
        return ReplayedOutliers::default();
    };
    let Some(timeline) = Timeline::new(record, settings, passed, near) else {
        return ReplayedOutliers {
            wrong: vec!["no sweep was seen".to_owned()],
            ..ReplayedOutliers::default()
        };
    };
    let compared = record
        .outliers
        .iter()
        .filter(|entry| entry.at <= timeline.end);
    let of = |action: &str| {
        compared
            .clone()
            .filter(|entry| entry.action == action)
            .count()
    };
    let (wrong, undecided) = match explain(record, settings, &timeline) {
        Explanation::Found => (None, None),
        Explanation::Impossible(what) => (Some(what), None),
        Explanation::Undecided(what) => (None, Some(what)),
    };
    ReplayedOutliers {
        attempts: record.attempts.len(),
        sweeps: timeline
            .sweeps()
            .iter()
            .filter(|sweep| sweep.certain)
            .count(),
        entries: compared.clone().count(),
        ejections: of("EJECT"),
        returns: of("UNEJECT"),
        wrong: wrong.into_iter().collect(),
        undecided,
    }
}
