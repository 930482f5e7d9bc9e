//! `spillgate what-if --format sarif`: one result for each expectation that does not hold.

use spillgate_config::Position;

use super::{loss_report::Expected, question::Question};
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
    /// The place of the cluster of a question.
    pub(super) fn of(config: &'p Config, question: &'p Question) -> Self {
        let marks = config.envoy.marks.cluster(&question.name);
        let position = marks.map_or(Position::START, |marks| marks.cluster);
        let place = config.files().place(position);
        Self {
            file: place.name,
            position: place.position,
            cluster: &question.name,
        }
    }
}

/// The log. `losses` are the values of `--lose`.
pub(super) fn write<'e>(
    place: SarifPlace<'_>,
    losses: &[String],
    expectations: impl IntoIterator<Item = &'e Expected>,
) -> String {
    let failed = expectations.into_iter().filter(|expected| !expected.ok);
    let results = failed.map(|expected| SarifResult {
        rule: RULE.id,
        level: RULE.level,
        message: message(expected, losses),
        file: place.file,
        position: place.position,
        path: place.cluster,
    });
    sarif_log("spillgate what-if", place.file, &[RULE], results)
}

fn message(expected: &Expected, losses: &[String]) -> String {
    let loss = match losses {
        [] => "without a loss".to_owned(),
        _ => format!("after losing {}", losses.join(" and ")),
    };
    let found = expected
        .value
        .map(|value| format!(" The value is {value}."))
        .unwrap_or_default();
    format!("`{}` does not hold {loss}.{found}", expected.expr)
}
