//! `spillgate lint --format json`: findings as a JSON list (docs/schemas/lint.schema.json).

use serde::Serialize;
use serde_json::Value;
use spillgate_answers::split::json_text;
use spillgate_config::NamedText;
use spillgate_lint::{ConfigEdit, Finding};

/// Whether each finding has the changes that fix it (`--fix-plan`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FixPlan {
    /// Without the changes.
    Omitted,
    /// With the changes.
    Included,
}

/// The findings in one file.
#[derive(Debug, Clone)]
pub struct FileFindings {
    /// The file as given.
    pub file: NamedText,
    /// The findings, in text order.
    pub findings: Vec<Finding>,
}

/// One finding.
#[derive(Serialize)]
struct Row<'f> {
    /// The file, if there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'f str>,
    rule: &'static str,
    severity: &'static str,
    path: &'f str,
    line: u32,
    column: u32,
    message: String,
    fix: &'f str,
    #[serde(skip_serializing_if = "Option::is_none")]
    plan: Option<Vec<Change<'f>>>,
}

/// One change of a fix plan.
#[derive(Serialize)]
struct Change<'f> {
    /// The file, if it is not that of the finding.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'f str>,
    path: &'f str,
    /// `set` or `remove`.
    change: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<Value>,
}

/// The findings of all files as one list.
#[must_use]
pub fn to_json(files: &[FileFindings], plan: FixPlan) -> String {
    let several = files.len() > 1;
    let rows: Vec<Row<'_>> = files
        .iter()
        .flat_map(|file| {
            let name = several.then_some(file.file.name.as_str());
            let findings = file.findings.iter();
            findings.map(move |finding| row(name, finding, plan))
        })
        .collect();
    json_text(&rows)
}

fn row<'f>(file: Option<&'f str>, finding: &'f Finding, plan: FixPlan) -> Row<'f> {
    Row {
        file,
        rule: finding.rule,
        severity: finding.severity.name(),
        path: &finding.path,
        line: finding.position.line,
        column: finding.position.column,
        message: finding.message(),
        fix: &finding.fix,
        plan: (plan == FixPlan::Included).then(|| finding.plan.iter().map(change).collect()),
    }
}

fn change(edit: &ConfigEdit) -> Change<'_> {
    Change {
        file: edit.file.as_deref(),
        path: &edit.path,
        change: if edit.value.is_some() {
            "set"
        } else {
            "remove"
        },
        value: value(edit),
    }
}

/// The new value of a change.
pub(super) fn value(edit: &ConfigEdit) -> Option<Value> {
    serde_json::from_str(edit.value.as_deref()?).ok()
}
