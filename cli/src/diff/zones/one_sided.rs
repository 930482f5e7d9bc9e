//! Expectations in zones that only one side has: nothing is known there.

use super::{DiffArgs, ExpectedChange, Zones};

/// What is said of a zone that only the new side has.
pub(super) const ADDED: &str = "only the new side has it";
/// What is said of a zone that only the old side has.
pub(super) const REMOVED: &str = "only the old side has it; its requests are gone";

/// Each expectation for the first such zone, which makes it fail; a removed zone comes first.
pub(super) fn expectations(args: &DiffArgs, zones: &Zones) -> Vec<ExpectedChange> {
    let removed = zones.removed.iter().map(|zone| (zone, REMOVED));
    let added = zones.added.iter().map(|zone| (zone, ADDED));
    let Some((zone, why)) = removed.chain(added).next() else {
        return Vec::new();
    };
    let failed = args.expect.iter().map(|text| ExpectedChange {
        expr: text.trim().to_owned(),
        ok: false,
        value: None,
        worst: None,
        unknown: Some(format!("zone {zone}: {why}")),
    });
    failed.collect()
}
