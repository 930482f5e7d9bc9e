//! `spillgate lint --format sarif`.

use spillgate_config::Position;
use spillgate_lint::{
    CONFIG_REJECTED, CONFIG_REJECTED_SUMMARY, FILTER_REJECTED, FILTER_REJECTED_SUMMARY, Finding,
    MESH_RULES, NOT_MODELED, NOT_MODELED_SUMMARY, RULES, Severity,
};

use super::json::FileFindings;
use crate::sarif::{SarifLevel, SarifResult, SarifRule, sarif_log};

/// One run over all files, with all rules.
#[must_use]
pub fn to_sarif(files: &[FileFindings]) -> String {
    let placed = files.iter().flat_map(|file| {
        let findings = file.findings.iter();
        findings.map(|finding| (file.file.name.as_str(), finding.position, finding))
    });
    let file = files.first().map_or("", |file| &file.file.name);
    sarif_of("spillgate lint", file, placed)
}

/// The log of a tool's run on `file`: findings with their files, and positions in them.
pub(crate) fn sarif_of<'f>(
    tool: &str,
    file: &str,
    placed: impl Iterator<Item = (&'f str, Position, &'f Finding)>,
) -> String {
    let envoy = RULES.iter().map(|rule| SarifRule {
        id: rule.id,
        summary: rule.summary,
        level: level(rule.severity),
    });
    let mesh = MESH_RULES.iter().map(|rule| SarifRule {
        id: rule.id,
        summary: rule.summary,
        level: level(rule.severity),
    });
    let unmodeled = SarifRule {
        id: NOT_MODELED,
        summary: NOT_MODELED_SUMMARY,
        level: level(Severity::Info),
    };
    let rejected = SarifRule {
        id: FILTER_REJECTED,
        summary: FILTER_REJECTED_SUMMARY,
        level: level(Severity::Error),
    };
    let update = SarifRule {
        id: CONFIG_REJECTED,
        summary: CONFIG_REJECTED_SUMMARY,
        level: level(Severity::Error),
    };
    let of_readers = [unmodeled, rejected, update];
    let rules: Vec<SarifRule> = envoy.chain(mesh).chain(of_readers).collect();
    let results = placed.map(|(file, position, finding)| result(finding, file, position));
    sarif_log(tool, file, &rules, results)
}

/// One finding as a SARIF result.
fn result<'f>(finding: &'f Finding, file: &'f str, position: Position) -> SarifResult<'f> {
    SarifResult {
        rule: finding.rule,
        level: level(finding.severity),
        message: format!("{}. Fix: {}.", finding.message(), finding.fix),
        file,
        position,
        path: &finding.path,
    }
}

/// The SARIF level of a severity.
const fn level(severity: Severity) -> SarifLevel {
    match severity {
        Severity::Error => SarifLevel::Error,
        Severity::Warning => SarifLevel::Warning,
        Severity::Info => SarifLevel::Note,
    }
}
