//! `spillgate conformance --format json` (docs/schemas/conformance.schema.json).

use serde::Serialize;
use spillgate_answers::split::json_text;

use super::{ConformanceReport, Unit};

/// The whole report.
#[derive(Serialize)]
struct ReportJson<'a> {
    passed: usize,
    failed: usize,
    units: Vec<UnitJson<'a>>,
    not_replayed: Vec<NotReplayedJson<'a>>,
}

/// One unit.
#[derive(Serialize)]
struct UnitJson<'a> {
    name: &'a str,
    family: &'a str,
    source: &'a str,
    outcome: &'static str,
    faults: &'a [String],
}

/// One unit that cannot be replayed.
#[derive(Serialize)]
struct NotReplayedJson<'a> {
    name: &'a str,
    reason: &'a str,
}

/// All units, including the passed ones, with every difference.
#[must_use]
pub fn to_json(report: &ConformanceReport) -> String {
    let json = ReportJson {
        passed: report.passed(),
        failed: report.failed(),
        units: report.units.iter().map(unit).collect(),
        not_replayed: report.left_out.iter().map(not_replayed).collect(),
    };
    json_text(&json)
}

fn not_replayed((name, reason): &(String, String)) -> NotReplayedJson<'_> {
    NotReplayedJson { name, reason }
}

fn unit(unit: &Unit) -> UnitJson<'_> {
    UnitJson {
        name: &unit.name,
        family: &unit.family,
        source: &unit.source,
        outcome: if unit.faults.is_empty() {
            "passed"
        } else {
            "failed"
        },
        faults: &unit.faults,
    }
}
