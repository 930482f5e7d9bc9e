//! Sessions leave a host only while it has more than its share, no more of them than necessary,
//! and until it has its share again.

use alloc::format;

use spillgate_core::{affinity::SessionShares, decide::OnLost, trace::SessionMove};

use super::{super::Period, Evidence, Finding};

/// The minimum number of requests of a period that counts.
const LEAST: u64 = 100;
/// The number of periods after which a host must have recovered.
const RECOVERY: usize = 4;

pub(super) fn find(evidence: &Evidence<'_>) -> Option<Finding> {
    let limit = evidence.scenario.sessions.max_share?;
    match evidence.answer.decision.moved {
        Some(SessionMove::Hot) => unneeded(evidence, limit),
        _ => overloaded(evidence, limit),
    }
}

/// A session that left its host without need.
fn unneeded(evidence: &Evidence<'_>, limit: u32) -> Option<Finding> {
    let finding = |expected: &str| Some(Finding::new(evidence.outcome(), expected));
    let from = evidence.valid()?.host;
    let load = &evidence.answering()?.load;
    if evidence.scenario.sessions.on_lost == OnLost::Refuse {
        return finding("the session's host: its sessions must not move");
    }
    let (Some(last), Some(present)) = (load.complete().first(), load.present()) else {
        return finding("the session's host, which has had no full period");
    };
    if !last.is_above(from, limit) {
        return finding(&format!(
            "the session's host, which had {} of {} requests in the last period",
            last.requests(from),
            last.all()
        ));
    }
    let to = evidence.answer.host?;
    // Apart from this request.
    let (own, all) = (
        present.requests(to).saturating_sub(1),
        present.all().saturating_sub(1),
    );
    if all >= LEAST && own * 100 > all * u64::from(limit) {
        return finding(&format!(
            "a host below the limit: this one had {own} of {all} requests"
        ));
    }
    // Each session above the limit leaves with the same probability: five standard deviations.
    let (own, all) = (last.requests(from) as f64, last.all() as f64);
    let share = 1.0 - f64::from(limit) * all / (own * 100.0);
    let clients = load.clients(from) as f64;
    let (mean, variance) = (clients * share, clients * share * (1.0 - share));
    let left = present.left(from);
    let more = left as f64 - mean - 1.0;
    (more > 0.0 && more * more > 25.0 * variance).then(|| {
        Finding::new(
            format!("{}, session {left} to leave", evidence.outcome()),
            format!("about {mean:.0} sessions leave in a period"),
        )
    })
}

/// A session that stays on a host which should have recovered.
fn overloaded(evidence: &Evidence<'_>, limit: u32) -> Option<Finding> {
    let load = &evidence.answering()?.load;
    let host = evidence.answer.host?;
    let periods = load.steady(RECOVERY)?;
    let stays_hot = periods.iter().all(|period| {
        period.all() >= LEAST && period.is_above(host, SessionShares::leaving_begins(limit))
    });
    let movable = evidence.scenario.sessions.on_lost == OnLost::Rebalance;
    if !stays_hot || !movable || !evidence.is_one_priority() {
        return None;
    }
    let hosts = 0..evidence.scenario.layout.hosts.len();
    let mut free = hosts.filter(|&other| {
        let few = |period: &Period| !period.is_above(other, limit / 2);
        other != host && evidence.is_healthy(other) && periods.iter().all(few)
    });
    let other = free.next()?;
    Some(Finding::new(
        evidence.outcome(),
        format!(
            "at most {limit} % of the requests after {RECOVERY} periods: {} could take sessions",
            evidence.name(Some(other))
        ),
    ))
}
