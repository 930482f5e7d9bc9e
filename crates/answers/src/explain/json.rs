//! The JSON of `spillgate explain --format json`: the decision as the filter and the playground write it, then the
//! status, the seed and all possible outcomes.

use crate::limits::Limits;
use spillgate_config::{SourceMap, envoy::ConfigPositions, node::Writer};
use spillgate_core::snapshot::Snapshot;
use spillgate_explain::decision::{ConfigPlace, DecisionJson, DecisionOutcome};

use super::verdict::RequestVerdict;

/// The decision of the filter's trace with its steps, then the status, the seed and every possible
/// outcome, with shares in 1/10000. `istio` is the version whose rules apply; `log` writes what is
/// found about the access log line that asks.
#[must_use]
pub fn to_json(
    snapshot: &Snapshot,
    verdict: &RequestVerdict<'_>,
    places: &ConfigPositions<'_>,
    (files, limits, istio): (&SourceMap, &Limits, Option<&str>),
    log: Option<&dyn Fn(&mut Writer)>,
) -> String {
    let decision = DecisionJson {
        snapshot,
        outcome: match &verdict.decision {
            Some(decision) => DecisionOutcome::Decided(decision),
            None => DecisionOutcome::Undecided {
                cluster: verdict.cluster.as_deref(),
                reason: verdict.reason(),
            },
        },
        candidates: &verdict.candidates,
        steps: Some(&verdict.steps),
        place: &|config| {
            let place = files.place(places.of(snapshot, config)?);
            Some(ConfigPlace {
                file: files.is_several().then_some(place.name),
                line: place.position.line,
                column: place.position.column,
            })
        },
    };
    let mut w = Writer::new();
    w.begin_object();
    decision.write_fields(&mut w);
    w.key("status");
    match verdict.status {
        Some(status) => w.uint(status.into()),
        None => w.null(),
    }
    w.key("seed");
    w.uint(verdict.seed);
    w.key("distribution");
    w.begin_list();
    for outcome in &verdict.outcomes {
        w.begin_object();
        w.key("owner");
        w.string(&outcome.owner);
        w.key("priority");
        w.uint(outcome.priority as u64);
        w.key("endpoint");
        w.string(&outcome.endpoint);
        w.key("share");
        w.uint(parts(outcome.share));
        w.end_object();
    }
    w.end_list();
    w.key("no_host");
    if verdict.is_unknown {
        w.null();
    } else {
        w.uint(parts(verdict.no_host));
    }
    if !verdict.replies.is_empty() {
        w.key("replies");
        w.begin_list();
        for reply in &verdict.replies {
            w.begin_object();
            w.key("status");
            w.uint(reply.status.into());
            w.key("reason");
            w.string(reply.reason.name());
            w.key("share");
            w.uint(parts(reply.share));
            w.end_object();
        }
        w.end_list();
    }
    let depends_on = verdict.reached.depends_on();
    if !depends_on.is_empty() {
        w.key("depends_on");
        w.begin_list();
        depends_on.iter().for_each(|text| w.string(text));
        w.end_list();
    }
    if let Some(success) = &verdict.success {
        success.write(&mut w);
    }
    if let Some(write) = log {
        write(&mut w);
    }
    if !limits.is_empty() {
        w.key("limits");
        limits.write(&mut w);
    }
    if let Some(version) = istio {
        w.key("istio_version");
        w.string(version);
    }
    w.end_object();
    w.finish() + "\n"
}

/// Percent as 1/10000.
fn parts(percent: f64) -> u64 {
    (percent * 100.0).round() as u64
}
