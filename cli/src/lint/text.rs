//! `spillgate lint --format text`: findings with their lines in the configuration.

use annotate_snippets::Level;
use spillgate_answers::excerpt::Excerpts;
use spillgate_config::NamedText;
use spillgate_core::visible::{visible, visible_lines};
use spillgate_explain::format::{plain, plural};
use spillgate_lint::{ConfigEdit, Finding, NOT_MODELED, Severity};

use super::json::{FileFindings, FixPlan, value};
use crate::{
    report::{Problem, at},
    split::Style,
};

/// Values with more bytes are printed below their path.
const COMPACT: usize = 60;

/// All findings of a file and their number.
#[must_use]
pub fn to_text(file: &FileFindings, plan: FixPlan, style: Style) -> String {
    let FileFindings {
        file: NamedText { name, text },
        findings,
    } = file;
    let mut excerpts = Excerpts::new(text);
    let mut out = String::new();
    let (limits, problems): (Vec<&Finding>, Vec<&Finding>) =
        findings.iter().partition(|found| found.rule == NOT_MODELED);
    for finding in &problems {
        let excerpt = excerpts.at(finding.position);
        let problem = Problem {
            level: level(finding.severity),
            code: finding.rule,
            title: &finding.cause,
            file: name,
            position: Some(finding.position),
            excerpt: excerpt.as_ref(),
            notes: notes(finding, plan),
        };
        out.push_str(&problem.rendered(style));
        out.push_str("\n\n");
    }
    for limit in &limits {
        let mut place = format!("{name}:{}", limit.position);
        if !limit.path.is_empty() {
            place.push_str(&format!(" {}", limit.path));
        }
        let line = format!("can differ: {} ({place})\n", limit.message());
        out.push_str(&line);
    }
    out.push_str(&summary(&problems, &limits, name));
    out
}

const fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Info => Level::INFO,
    }
}

/// The effect of a finding, its remedy and its place.
fn notes(finding: &Finding, plan: FixPlan) -> Vec<(Level<'static>, String)> {
    let line = |text: &str| visible(text).into_owned();
    let mut notes = vec![
        (Level::NOTE, line(&finding.effect)),
        (Level::HELP, line(&finding.fix)),
        (at(), line(&finding.path)),
    ];
    if plan == FixPlan::Included {
        let edit = |edit| visible_lines(&planned(edit)).into_owned();
        let edits = finding.plan.iter().map(edit);
        notes.extend(edits.map(|text| (Level::HELP.with_name("plan"), text)));
    }
    notes
}

/// One change, with its new value.
fn planned(edit: &ConfigEdit) -> String {
    let of_file = edit.file.as_ref().map(|file| format!("in {file}: "));
    of_file.unwrap_or_default() + &change(edit)
}

/// One change within its file.
fn change(edit: &ConfigEdit) -> String {
    let Some(value) = value(edit) else {
        return format!("remove {}", edit.path);
    };
    let compact = value.to_string();
    if compact.len() <= COMPACT {
        return format!("set {} to {compact}", edit.path);
    }
    format!("set {} to\n{value:#}", edit.path)
}

/// The last line: the number of findings by severity, and the fields that no rule considers.
fn summary(findings: &[&Finding], limits: &[&Finding], file: &str) -> String {
    let counted = |severity, one: &str| {
        let count = findings.iter().filter(|f| f.severity == severity).count();
        (count > 0).then(|| plain(&plural(count, one)))
    };
    let parts = [
        counted(Severity::Error, "error"),
        counted(Severity::Warning, "warning"),
        counted(Severity::Info, "hint"),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    let mut fields: Vec<&str> = Vec::new();
    for limit in limits {
        // Most causes begin with what is not modeled.
        let name = match limit.cause.split_once(" is not modeled") {
            Some((name, _)) => name,
            None => match limit.path.rsplit('.').next() {
                Some(field) if !field.is_empty() => field,
                // The limit concerns the whole file.
                _ => &limit.cause,
            },
        };
        if !fields.contains(&name) {
            fields.push(name);
        }
    }
    let fields = fields.join(", ");
    match (parts.as_slice(), limits) {
        ([], []) => format!("{file}: no problems found\n"),
        ([], _) => {
            format!("{file}: no problems found in what is modeled; not modeled: {fields}\n")
        }
        (parts, []) => format!("{file}: {}\n", parts.join(", ")),
        (parts, _) => format!("{file}: {}; not modeled: {fields}\n", parts.join(", ")),
    }
}
