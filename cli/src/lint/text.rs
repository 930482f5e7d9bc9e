//! Findings for people: each with its line.

use annotate_snippets::{
    Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet, renderer::DecorStyle,
};
use spillgate_lint::{ConfigEdit, Finding, Severity};

use super::json::value;

/// From how many bytes on a line is cut before it is rendered; the renderer cuts shorter ones.
const LONG: usize = 20_000;
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
    let mut cursor = Cursor::default();
    for finding in findings {
        let number = finding.position.line as usize;
        let line = lines.get(number.saturating_sub(1)).copied();
        let line = line.unwrap_or_default();
        let start = cursor.advance(line, number, finding.position.column as usize);
        let group = group(finding, file, (line, start), plan);
        out.push_str(&renderer.render(&[group]));
        out.push_str("\n\n");
    }
    out.push_str(&summary(findings, file));
    out
}

/// A place in a text that moves onwards, since columns count characters and lines may be long.
#[derive(Default)]
struct Cursor {
    line: usize,
    column: usize,
    byte: usize,
}

impl Cursor {
    /// The byte of a column of a line; places come in the order of the text.
    fn advance(&mut self, text: &str, line: usize, column: usize) -> usize {
        if line != self.line || column < self.column {
            *self = Self {
                line,
                column: 1,
                byte: 0,
            };
        }
        let rest = text.get(self.byte..).unwrap_or_default();
        let found = rest.char_indices().nth(column.saturating_sub(self.column));
        self.byte += found.map_or(rest.len(), |(byte, _)| byte);
        self.column = column;
        self.byte
    }
}

/// `start` is the byte of the line at which the place begins.
fn group<'f>(
    finding: &'f Finding,
    file: &'f str,
    (line, start): (&'f str, usize),
    plan: bool,
) -> Group<'f> {
    let level = match finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Info => Level::INFO,
    };
    let number = finding.position.line as usize;
    let (shown, annotation) = excerpt(line, start);
    let snippet = Snippet::source(shown).line_start(number);
    let mut group = level
        .primary_title(&finding.cause)
        .id(finding.rule)
        .elements(
            // The renderer tells the column by what it is shown.
            is_long(line).then(|| {
                Origin::path(file)
                    .line(number)
                    .char_column(finding.position.column as usize)
            }),
        );
    let snippet = match is_long(line) {
        true => snippet,
        false => snippet.path(file),
    };
    group = group
        .element(snippet.annotation(annotation))
        .element(Level::NOTE.message(&finding.effect))
        .element(Level::HELP.message(&finding.fix))
        .element(Level::NOTE.with_name("at").message(&finding.path));
    for edit in finding.plan.iter().filter(|_| plan) {
        group = group.element(Level::HELP.with_name("plan").message(planned(edit)));
    }
    group
}

/// Whether only a part of a line is shown.
const fn is_long(line: &str) -> bool {
    line.len() > LONG
}

/// The part of a line around a byte, and the mark under the value there.
fn excerpt(line: &str, start: usize) -> (String, Annotation<'_>) {
    let (before, rest) = line.split_at_checked(start).unwrap_or((line, ""));
    let (most_before, most_after) = match is_long(line) {
        true => (BEFORE, AFTER),
        false => (usize::MAX, usize::MAX),
    };
    let kept = before.char_indices().rev().take(most_before).last();
    let kept = before.get(kept.map_or(before.len(), |(byte, _)| byte)..);
    let mut shown = String::from(kept.unwrap_or_default());
    let from = shown.len();
    shown.extend(rest.chars().take(most_after));
    let length = value_length(rest);
    if length == 0 {
        // A value that begins where the line ends has nothing to stand under.
        shown.push(' ');
    }
    let to = (from + length.max(1)).min(shown.len());
    (shown, AnnotationKind::Primary.span(from..to))
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
fn planned(edit: &ConfigEdit) -> String {
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
