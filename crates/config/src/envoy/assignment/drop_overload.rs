//! `ClusterLoadAssignment.Policy.drop_overloads`.

use spillgate_core::model::DropOverload;

use crate::{
    Diagnostic,
    envoy::{
        marks::ClusterMarks,
        schema::{DROP_OVERLOAD, FRACTIONAL_PERCENT},
    },
    proto::{Message, Report},
};

/// The values of `FractionalPercent.DenominatorType`, each with its unit in millionths.
pub(crate) const DENOMINATOR: [(&str, i64, u32); 3] = [
    ("HUNDRED", 0, 10_000),
    ("TEN_THOUSAND", 1, 100),
    ("MILLION", 2, 1),
];

/// Reads the dropped share of requests. Envoy accepts one category and rejects more.
pub(super) fn read_drop_overload(
    policy: &Message<'_, '_>,
    marks: &mut ClusterMarks,
    report: &mut Report,
) -> DropOverload {
    let mut drop = DropOverload::default();
    for (index, (path, node)) in policy.list("drop_overloads", report).enumerate() {
        if index > 0 {
            Diagnostic::error(
                "config/drop-overload",
                "more than one drop_overloads category",
            )
            .at(path.text(), node.position)
            .expected("one category")
            .push_to(report);
        }
        let Some(message) = Message::open(node, path, &DROP_OVERLOAD, report) else {
            continue;
        };
        message.required_string("category", report);
        if let Some(percent) = message.message("drop_percentage", &FRACTIONAL_PERCENT, report) {
            drop = read_fraction(&percent, report);
        }
        marks.drop_overload = Some(node.position);
    }
    limited(drop, marks, report)
}

/// Names the drops of a cluster whose hosts are those of other clusters.
pub(crate) fn limit_own_drops(cluster: &Message<'_, '_>, report: &mut Report) {
    const EFFECT: &str = "drop_overloads of a cluster with member clusters is not modeled; that part of its requests gets 503";
    let fields = ["load_assignment", "policy", "drop_overloads"];
    if let Some((node, path)) = cluster.nested(&fields) {
        report.limit("config/not-modeled", EFFECT, &path, node.position);
    }
}

/// The dropped share, at most the percentage in `load_balancing_policy.drop_overload_limit`. Envoy
/// rejects more than 100 %.
fn limited(drop: DropOverload, marks: &mut ClusterMarks, report: &mut Report) -> DropOverload {
    const KEY: &str = "load_balancing_policy.drop_overload_limit";
    let Some((percent, position)) = report.runtime_integer(KEY) else {
        return drop;
    };
    let limit = u32::try_from(percent)
        .unwrap_or(u32::MAX)
        .saturating_mul(10_000);
    if limit > 1_000_000 {
        Diagnostic::error("config/runtime-value", "drop_overload_limit exceeds 100 %")
            .at(KEY, position)
            .found(alloc::format!("{percent}"))
            .expected("an integer from 0 to 100")
            .push_to(report);
        return drop;
    }
    if limit < drop.millionths() {
        marks.drop_overload = Some(position);
        return DropOverload::from_millionths(limit);
    }
    drop
}

fn read_fraction(percent: &Message<'_, '_>, report: &mut Report) -> DropOverload {
    let numerator = percent.u32("numerator", report).unwrap_or(0);
    let unit = percent
        .enumeration("denominator", &DENOMINATOR, report)
        .unwrap_or(10_000);
    let millionths = numerator.saturating_mul(unit);
    if millionths > 1_000_000 {
        percent
            .error("numerator", "config/value", "drop percentage exceeds 100 %")
            .expected("at most the denominator")
            .push_to(report);
    }
    DropOverload::from_millionths(millionths)
}
