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

/// The values of `FractionalPercent.DenominatorType`, each with what one of it is in millionths.
pub(crate) const DENOMINATOR: [(&str, i64, u32); 3] = [
    ("HUNDRED", 0, 10_000),
    ("TEN_THOUSAND", 1, 100),
    ("MILLION", 2, 1),
];

/// The part of the requests that is dropped. Envoy takes one category and refuses more.
pub(super) fn read_drop_overload(
    policy: &Message<'_, '_>,
    marks: &mut ClusterMarks,
    report: &mut Report,
) -> DropOverload {
    let mut drop = DropOverload::default();
    for (index, (path, node)) in policy.list("drop_overloads", report).enumerate() {
        if index > 0 {
            Diagnostic::error("config/drop-overload", "Envoy takes one category only")
                .at(path.text(), node.position)
                .expected("one drop_overload")
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
    drop
}

fn read_fraction(percent: &Message<'_, '_>, report: &mut Report) -> DropOverload {
    let numerator = percent.u32("numerator", report).unwrap_or(0);
    let unit = percent.enumeration("denominator", &DENOMINATOR, report);
    let unit = unit.unwrap_or(10_000);
    let millionths = numerator.saturating_mul(unit);
    if millionths > 1_000_000 {
        percent
            .error(
                "numerator",
                "config/value",
                "more than all requests would be dropped",
            )
            .expected("at most the denominator")
            .push_to(report);
    }
    DropOverload::from_millionths(millionths)
}
