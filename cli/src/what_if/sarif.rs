//! `spillgate what-if --format sarif`: one result for each expectation that does not hold.

use spillgate_config::Position;

use super::{WhatIfArgs, loss_report::Expected};
use crate::{
    config::Config,
    sarif::{SarifLevel, SarifResult, SarifRule, sarif_log},
};

/// The only rule: the expectations are the user's.
const RULE: SarifRule = SarifRule {
    id: "what-if/expectation",
    summary: "an expectation of --expect does not hold after the loss",
    level: SarifLevel::Error,
};

/// Where the results are shown.
#[derive(Debug, Clone, Copy)]
pub(super) struct SarifPlace<'p> {
    /// The file as given.
    pub(super) file: &'p str,
    /// The cluster in it; the start of the file if it is about several.
    pub(super) position: Position,
    /// The name of the cluster, or empty.
    pub(super) cluster: &'p str,
}

impl<'p> SarifPlace<'p> {
    /// The place of a cluster.
    pub(super) fn of(config: &'p Config, cluster: &'p str) -> Self {
        let marks = config.envoy.marks.cluster(cluster);
        let position = marks.map_or(Position::START, |marks| marks.cluster);
        let place = config.files().place(position);
        Self {
            file: place.name,
            position: place.position,
            cluster,
        }
    }
}

/// The log about one cluster.
pub(super) fn write<'e>(
    place: SarifPlace<'_>,
    args: &WhatIfArgs,
    expectations: impl IntoIterator<Item = &'e Expected>,
) -> String {
    let failed = expectations.into_iter().filter(|expected| !expected.ok);
    let results = failed.map(|expected| result(place, message(expected, args)));
    sarif_log("spillgate what-if", place.file, &[RULE], results)
}

/// The log about several clusters of an input, whose results name them.
pub(super) fn write_all<'e>(
    file: &str,
    args: &WhatIfArgs,
    expectations: impl Iterator<Item = (SarifPlace<'e>, &'e Expected)>,
) -> String {
    let failed = expectations.filter(|(_, expected)| !expected.ok);
    let results = failed.map(|(place, expected)| {
        let message = message(expected, args);
        result(place, format!("{}: {message}", place.cluster))
    });
    sarif_log("spillgate what-if", file, &[RULE], results)
}

fn result(place: SarifPlace<'_>, message: String) -> SarifResult<'_> {
    SarifResult {
        rule: RULE.id,
        level: RULE.level,
        message,
        file: place.file,
        position: place.position,
        path: place.cluster,
    }
}

fn message(expected: &Expected, args: &WhatIfArgs) -> String {
    let mut changes = Vec::new();
    for (verb, texts) in [
        ("setting", &args.set),
        ("adding", &args.add),
        ("losing", &args.lose),
    ] {
        if !texts.is_empty() {
            changes.push(format!("{verb} {}", texts.join(" and ")));
        }
    }
    let change = match changes.as_slice() {
        [] => "without a loss".to_owned(),
        changes => format!("after {}", changes.join(", ")),
    };
    let found = match (&expected.reason, expected.value) {
        (Some(reason), _) => format!(" Reason: {reason}."),
        (None, Some(value)) => format!(" The value is {value}."),
        (None, None) => String::new(),
    };
    format!("`{}` does not hold {change}.{found}", expected.expr)
}
