//! `spillgate lint --format text`: findings with their lines in the configuration.

use annotate_snippets::{
    Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet, renderer::DecorStyle,
};
use spillgate_core::visible::{visible, visible_lines};
use spillgate_explain::format::{plain, plural};
use spillgate_lint::{ConfigEdit, Finding, NOT_MODELED, Severity};

use super::json::{FileFindings, FixPlan, value};
use crate::{printed::painted, split::Style};

/// Lines with more bytes are cut before rendering; the renderer cuts shorter ones.
const LONG: usize = 20_000;
/// The number of shown characters of a long line before the place.
const BEFORE: usize = 60;
/// The number of shown characters of a long line after the place.
const AFTER: usize = 120;
/// Values with more bytes are printed below their path.
const COMPACT: usize = 60;

/// All findings of a file and their number.
#[must_use]
pub fn to_text(file: &FileFindings, plan: FixPlan, style: Style) -> String {
    let FileFindings {
        name,
        text,
        findings,
    } = file;
    let renderer = match style {
        Style::Colored => Renderer::styled(),
        Style::Plain | Style::Markdown => Renderer::plain(),
    };
    let renderer = renderer.decor_style(DecorStyle::Ascii);
    let lines: Vec<&str> = text.lines().collect();
    let mut out = String::new();
    let mut cursor = Cursor::default();
    let (limits, problems): (Vec<&Finding>, Vec<&Finding>) =
        findings.iter().partition(|found| found.rule == NOT_MODELED);
    for finding in &problems {
        let number = finding.position.line as usize;
        let line = lines
            .get(number.saturating_sub(1))
            .copied()
            .unwrap_or_default();
        let start = cursor.advance(line, number, finding.position.column as usize);
        let group = group(finding, name, (line, start), plan);
        out.push_str(&painted(renderer.render(&[group])));
        out.push_str("\n\n");
    }
    for limit in &limits {
        let (at, path) = (limit.position, &limit.path);
        let line = format!("can differ: {} ({name}:{at} {path})\n", limit.message());
        out.push_str(&line);
    }
    out.push_str(&summary(&problems, &limits, name));
    out
}

/// A position that only moves forward, because columns count characters and lines can be long.
#[derive(Default)]
struct Cursor {
    line: usize,
    column: usize,
    byte: usize,
}

impl Cursor {
    /// The byte offset of a column of a line; positions come in the order of the text.
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

/// One finding. `start` is the byte offset of the place in its line.
fn group<'f>(
    finding: &'f Finding,
    file: &'f str,
    (line, start): (&'f str, usize),
    plan: FixPlan,
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
        .primary_title(visible(&finding.cause))
        .id(finding.rule)
        .elements(
            // The renderer derives the column from the excerpt, which is wrong for a cut line.
            is_long(line).then(|| {
                Origin::path(visible(file))
                    .line(number)
                    .char_column(finding.position.column as usize)
            }),
        );
    let snippet = if is_long(line) {
        snippet
    } else {
        snippet.path(visible(file))
    };
    group = group
        .element(snippet.annotation(annotation))
        .element(Level::NOTE.message(visible(&finding.effect)))
        .element(Level::HELP.message(visible(&finding.fix)))
        .element(Level::NOTE.with_name("at").message(visible(&finding.path)));
    for edit in finding.plan.iter().filter(|_| plan == FixPlan::Included) {
        group = group.element(
            Level::HELP
                .with_name("plan")
                .message(visible_lines(&planned(edit)).into_owned()),
        );
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
    let (most_before, most_after) = if is_long(line) {
        (BEFORE, AFTER)
    } else {
        (usize::MAX, usize::MAX)
    };
    let kept = before.char_indices().rev().take(most_before).last();
    let kept = before.get(kept.map_or(before.len(), |(byte, _)| byte)..);
    let mut shown = String::from(kept.unwrap_or_default());
    let from = shown.len();
    shown.extend(rest.chars().take(most_after));
    let length = value_length(rest);
    if length == 0 {
        // A value at the end of the line has no character to mark.
        shown.push(' ');
    }
    let to = (from + length.max(1)).min(shown.len());
    (shown, AnnotationKind::Primary.span(from..to))
}

/// The length in bytes of the scalar, key or bracket at the start of a text.
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
        let field = limit.path.rsplit('.').next().unwrap_or_default();
        // Most causes begin with what is not modeled.
        let cause = limit.cause.split_once(" is not modeled");
        let name = cause.map_or(field, |(name, _)| name);
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
