//! Checkers against a second implementation that looks at every millisecond.

use proptest::prelude::*;
use spillgate_core::draw::SplitMix64;
use spillgate_health::check::{
    ActiveCheck, CheckDue, Checker, HealthCheckKind, HealthCheckOutcome, HostAtStart, HttpStatuses,
};

use crate::common::ms;

const END: u64 = 3_000;

/// What the host does with a check, and how long that takes.
#[derive(Debug, Clone, Copy)]
enum Answer {
    Pass,
    Unexpected,
    Retriable,
    Refuse,
    Never,
}

#[derive(Debug, Clone)]
struct Case {
    timeout: u64,
    intervals: [u64; 4],
    thresholds: (u32, u32),
    /// One for each check, again and again.
    answers: Vec<(Answer, u64)>,
}

/// The times at which the health changes, in ms, with whether the host is unhealthy.
type Changes = Vec<(u64, bool)>;

fn case() -> impl Strategy<Value = Case> {
    let answer = prop::sample::select(vec![
        Answer::Pass,
        Answer::Pass,
        Answer::Unexpected,
        Answer::Retriable,
        Answer::Refuse,
        Answer::Never,
    ]);
    let answers = prop::collection::vec((answer, 0_u64..40), 1..12);
    let thresholds = (0_u32..4, 0_u32..4);
    (
        1_u64..40,
        [1_u64..60, 1..60, 1..60, 1..60],
        thresholds,
        answers,
    )
        .prop_map(|(timeout, intervals, thresholds, answers)| Case {
            timeout,
            intervals,
            thresholds,
            answers,
        })
}

fn by_checker(case: &Case) -> Changes {
    let [interval, edge, unhealthy, unhealthy_edge] = case.intervals.map(ms);
    let statuses = HttpStatuses {
        retriable: std::iter::once(503..504).collect(),
        ..HttpStatuses::default()
    };
    let kind = HealthCheckKind::Http(statuses);
    let check = ActiveCheck {
        healthy_edge_interval: Some(edge),
        unhealthy_interval: Some(unhealthy),
        unhealthy_edge_interval: Some(unhealthy_edge),
        ..ActiveCheck::new(kind, ms(case.timeout), interval)
            .with_thresholds(case.thresholds.0, case.thresholds.1)
    };
    let draw = &mut SplitMix64::new(0);
    let mut checker = Checker::new(&check, ms(0), HostAtStart::default(), draw);
    let mut answers = case.answers.iter().cycle();
    let mut changes = Vec::new();
    let mut unhealthy = true;
    while checker.next_at() < ms(END) {
        let mut now = checker.next_at();
        if checker.on_due(&check, now, true, draw) == CheckDue::Send {
            let (answer, delay) = answers.next().unwrap();
            let outcome = match answer {
                Answer::Pass => Some(HealthCheckOutcome::status(200)),
                Answer::Unexpected => Some(HealthCheckOutcome::status(500)),
                Answer::Retriable => Some(HealthCheckOutcome::status(503)),
                Answer::Refuse => Some(HealthCheckOutcome::NetworkFailure),
                Answer::Never => None,
            };
            if let Some(outcome) = outcome.filter(|_| *delay < case.timeout) {
                now += ms(*delay);
                checker.on_result(&check, now, &outcome, true, draw);
            }
        }
        if checker.flags().failed_active_hc != unhealthy {
            unhealthy = !unhealthy;
            changes.push((u64::try_from(now.as_millis()).unwrap(), unhealthy));
        }
    }
    changes.retain(|(at, _)| *at < END);
    changes
}

/// Two countdowns, and the whole history of results instead of counters.
fn by_ticks(case: &Case) -> Changes {
    let mut to_next = Some(0);
    let mut answered: Option<(u64, Option<bool>)> = None;
    let mut sent = 0;
    // Each counted result: whether it passed. A change of the health starts it again.
    let mut history: Vec<bool> = Vec::new();
    let mut first = true;
    let mut unhealthy = true;
    let mut changes = Vec::new();
    for now in 0..END {
        // A check that is sent can have its answer in the same millisecond.
        if to_next == Some(0) {
            let (answer, delay) = case.answers[sent % case.answers.len()];
            sent += 1;
            to_next = None;
            let counted = match answer {
                Answer::Unexpected => Some(None),
                Answer::Pass => Some(Some(true)),
                Answer::Retriable | Answer::Refuse => Some(Some(false)),
                Answer::Never => None,
            };
            answered = Some(match counted {
                Some(result) if delay < case.timeout => (delay, result),
                _ => (case.timeout, Some(false)),
            });
        }
        if let Some((0, result)) = answered {
            answered = None;
            let passed = result == Some(true);
            history.push(passed);
            let row = history
                .iter()
                .rev()
                .take_while(|past| **past == passed)
                .count();
            let threshold = if passed {
                case.thresholds.1
            } else {
                case.thresholds.0
            };
            let row = row == threshold as usize;
            let changed = match (unhealthy, result) {
                (true, Some(true)) => first || row,
                (false, None) => true,
                (false, Some(false)) => row,
                _ => false,
            };
            let pending = !changed && unhealthy == passed;
            if changed {
                unhealthy = !unhealthy;
                changes.push((now, unhealthy));
                history.clear();
            }
            // Only results that could change the health make a row.
            if !pending {
                history.clear();
            }
            first = false;
            let [interval, edge, failed, failed_edge] = case.intervals;
            to_next = Some(match (passed, pending) {
                (true, false) => interval,
                (true, true) => edge,
                (false, false) => failed,
                (false, true) => failed_edge,
            });
        }
        let answer = answered.as_mut().map(|(left, _)| left);
        for left in to_next.as_mut().into_iter().chain(answer) {
            *left -= 1;
        }
    }
    changes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn every_change_is_that_of_the_ticks(case in case()) {
        prop_assert_eq!(by_checker(&case), by_ticks(&case));
    }
}
