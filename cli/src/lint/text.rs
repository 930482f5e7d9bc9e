//! Findings for people: each with its line.

use annotate_snippets::{
    Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet, renderer::DecorStyle,
};
use spillgate_lint::{Edit, Finding, Severity};

use super::json::value;

/// How much of a long line is shown before and after the place.
const BEFORE: usize = 60;
const AFTER: usize = 120;
/// The longest value that stands beside its path.
const COMPACT: usize = 60;

/// All findings of a file and their number. `text` is the file's; with `plan` each finding has the
/// changes that mend it.
#[must_use]
pub fn to_text(findings: &[Finding], file: &str, text: &str, plan: bool, colours: bool) -> String {
    let renderer = if colours {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    let renderer = renderer.decor_style(DecorStyle::Ascii);
    let lines: Vec<&str> = text.lines().collect();
    let mut out = String::new();
    for finding in findings {
        let group = group(finding, file, &lines, plan);
        out.push_str(&renderer.render(&[group]));
        out.push_str("\n\n");
    }
    out.push_str(&summary(findings, file));
    out
}

fn group<'f>(finding: &'f Finding, file: &'f str, lines: &[&'f str], plan: bool) -> Group<'f> {
    let level = match finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Info => Level::INFO,
    };
    let number = finding.position.line as usize;
    let line = lines
        .get(number.saturating_sub(1))
        .copied()
        .unwrap_or_default();
    let (shown, annotation) = excerpt(line, finding.position.column as usize);
    let origin = Origin::path(file)
        .line(number)
        .char_column(finding.position.column as usize);
    let snippet = Snippet::source(shown).line_start(number);
    let mut group = level
        .primary_title(&finding.cause)
        .id(finding.rule)
        .element(origin)
        .element(snippet.annotation(annotation))
        .element(Level::NOTE.message(&finding.effect))
        .element(Level::HELP.message(&finding.fix))
        .element(Level::NOTE.with_name("at").message(&finding.path));
    for edit in finding.plan.iter().filter(|_| plan) {
        group = group.element(Level::HELP.with_name("plan").message(planned(edit)));
    }
    group
}

/// The part of a line around a column, and the mark under the value there.
fn excerpt(line: &str, column: usize) -> (String, Annotation<'_>) {
    let at = column.saturating_sub(1);
    let from = at.saturating_sub(BEFORE);
    let cut = line.chars().count() > BEFORE + AFTER;
    let (skipped, taken) = if cut {
        (from, BEFORE + AFTER)
    } else {
        (0, usize::MAX)
    };
    let mut shown: String = line.chars().skip(skipped).take(taken).collect();
    let start = shown
        .char_indices()
        .nth(at - skipped)
        .map_or(shown.len(), |(start, _)| start);
    let rest = shown.get(start..).unwrap_or_default();
    let length = value_length(rest);
    if length == 0 {
        // A value that begins where the line ends has nothing to stand under.
        shown.push(' ');
    }
    let span = start..start + length.max(1);
    (shown, AnnotationKind::Primary.span(span))
}

/// How many bytes the scalar, key or bracket at the start of a text has.
fn value_length(text: &str) -> usize {
    let mut characters = text.char_indices();
    let Some((_, first)) = characters.next() else {
        return 0;
    };
    if matches!(first, '"' | '\'') {
        let end = characters.find(|(_, c)| *c == first);
        return end.map_or(text.len(), |(end, quote)| end + quote.len_utf8());
    }
    let ends = |c: char| c.is_whitespace() || matches!(c, ',' | ':' | ']' | '}' | '{' | '[');
    let end = characters.find(|(_, c)| ends(*c));
    end.map_or(text.len(), |(end, _)| end)
}

/// One change, with its new value.
fn planned(edit: &Edit) -> String {
    let Some(value) = value(edit) else {
        return format!("remove {}", edit.path);
    };
    let compact = value.to_string();
    if compact.len() <= COMPACT {
        return format!("set {} to {compact}", edit.path);
    }
    let pretty = serde_json::to_string_pretty(&value).unwrap_or_default();
    format!("set {} to\n{pretty}", edit.path)
}

fn summary(findings: &[Finding], file: &str) -> String {
    let counted = |severity, one: &str, several: &str| {
        let count = findings.iter().filter(|f| f.severity == severity).count();
        match count {
            0 => None,
            1 => Some(format!("1 {one}")),
            _ => Some(format!("{count} {several}")),
        }
    };
    let parts = [
        counted(Severity::Error, "error", "errors"),
        counted(Severity::Warning, "warning", "warnings"),
        counted(Severity::Info, "hint", "hints"),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    match parts.as_slice() {
        [] => format!("{file}: nothing found\n"),
        parts => format!("{file}: {}\n", parts.join(", ")),
    }
}
