//! The explanation as one line of JSON: the decision as filter and page write it, then what a
//! single decision does not know.

use spillgate_config::{decision, envoy::Places, node::Writer};
use spillgate_core::snapshot::Snapshot;

use super::verdict::Verdict;

/// The decision of the filter's trace with its steps, and behind them the status, the seed and all
/// that might have come out, with shares in 1/10000.
pub(super) fn to_json(snapshot: &Snapshot, verdict: &Verdict<'_>, places: &Places<'_>) -> String {
    let steps = &verdict.steps;
    let head = match &verdict.decision {
        Some(decision) => {
            let candidates = &verdict.candidates;
            decision::to_json(snapshot, decision, candidates, Some(steps), Some(places))
        }
        None => undecided(snapshot, verdict, places),
    };
    let mut tail = Writer::new();
    tail.begin_object();
    tail.key("status");
    match verdict.status {
        Some(status) => tail.uint(status.into()),
        None => tail.null(),
    }
    tail.key("seed");
    tail.uint(verdict.seed);
    tail.key("distribution");
    tail.begin_list();
    for outcome in &verdict.outcomes {
        tail.begin_object();
        tail.key("owner");
        tail.string(&outcome.owner);
        tail.key("priority");
        tail.uint(outcome.priority as u64);
        tail.key("endpoint");
        tail.string(&outcome.endpoint);
        tail.key("share");
        tail.uint(parts(outcome.share));
        tail.end_object();
    }
    tail.end_list();
    tail.key("no_host");
    tail.uint(parts(verdict.no_host));
    tail.end_object();
    // Two objects become one: the brackets between them give way to a comma.
    let tail = tail.finish();
    let head = head.strip_suffix('}').unwrap_or(&head);
    let tail = tail.strip_prefix('{').unwrap_or(&tail);
    format!("{head},{tail}\n")
}

/// Percent in whole parts of 10,000.
fn parts(percent: f64) -> u64 {
    (percent * 100.0).round() as u64
}

/// The same keys where no balancer was asked.
fn undecided(snapshot: &Snapshot, verdict: &Verdict<'_>, places: &Places<'_>) -> String {
    let mut w = Writer::new();
    w.begin_object();
    w.key("cluster");
    match &verdict.cluster {
        Some(cluster) => w.string(cluster),
        None => w.null(),
    }
    for key in ["owner", "priority"] {
        w.key(key);
        w.null();
    }
    for key in ["degraded", "panic"] {
        w.key(key);
        w.bool(false);
    }
    w.key("endpoint");
    w.null();
    w.key("candidates");
    w.begin_list();
    w.end_list();
    w.key("reason");
    w.string(verdict.reason());
    w.key("steps");
    decision::write_steps(&mut w, snapshot, &verdict.steps, Some(places));
    w.end_object();
    w.finish()
}
