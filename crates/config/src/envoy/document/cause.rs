//! The common cause of many faults: a template that was not rendered, or an old API.

use alloc::{string::String, vec::Vec};

use crate::{
    Diagnostic, Position,
    envoy::common::{version_1, version_2},
    node::quote,
};

/// Begins and ends of expressions in templates, and what renders each.
const TEMPLATES: [(&str, &str, &str); 7] = [
    ("{{ .Values", "}}", "the output of `helm template`"),
    ("{{ include", "}}", "the output of `helm template`"),
    (
        "{{",
        "}}",
        "the output of its program, such as `helm template`",
    ),
    (
        "{%",
        "%}",
        "the output of its program, such as Jinja or Ansible",
    ),
    ("<%", "%>", "the output of its program, such as ERB"),
    ("${", "}", "the output of `envsubst` or its program"),
    ("(@", "@)", "the output of `ytt`"),
];

/// What a placeholder is rendered to.
const VALUE: &str = "the value in place of the placeholder";

/// Longer lines are whole files: a template elsewhere on the line does not explain a fault.
const LONGEST_LINE: usize = 400;

/// Replaces faults by their common cause, if they have one.
pub(crate) fn explain(text: &str, faults: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let cause = old_version(&faults).or_else(|| template(text, &faults));
    match cause {
        Some(cause) => Vec::from([cause]),
        None => faults,
    }
}

/// The first message of the v2 API, or the first field that only v2 has.
fn old_version(faults: &[Diagnostic]) -> Option<Diagnostic> {
    /// The ends of a path and of a message, and whether v1 has such a field; the others are of v2.
    const FIELDS: [(&str, &str, bool); 6] = [
        ("listeners", "Bootstrap", true),
        (".filters", "Listener", true),
        (".hosts", "Cluster", false),
        (".tls_context", "Cluster", false),
        (".tlsContext", "Cluster", false),
        (".config", "Filter", false),
    ];
    let mut all = faults.iter();
    if let Some(typed) = all.find(|fault| fault.code == "config/api-version") {
        return Some(typed.clone());
    }
    let (fault, is_version_1) = faults.iter().find_map(|fault| {
        let is_old = |(field, message, _): &&(&str, &str, bool)| {
            fault.code == "config/unknown-field"
                && fault.path.ends_with(field)
                && fault.message.ends_with(message)
        };
        let (_, _, is_version_1) = FIELDS.iter().find(is_old)?;
        Some((fault, *is_version_1))
    })?;
    let field = fault.path.rsplit('.').next().unwrap_or_default();
    let cause = if is_version_1 {
        version_1(field)
    } else {
        version_2(field)
    };
    let cause = cause.at(fault.path.clone(), fault.position);
    Some(cause.expected("fields of the v3 API"))
}

/// The expression of a template that caused a fault.
fn template(text: &str, faults: &[Diagnostic]) -> Option<Diagnostic> {
    let syntax = |code: &str| {
        matches!(code, "config/truncated") || code.ends_with("-syntax") || code.contains("/yaml-")
    };
    let (position, expression, rendered) = faults.iter().find_map(|fault| {
        let position = fault.position?;
        if let Some(name) = placeholder(fault) {
            return Some((position, name.into(), VALUE));
        }
        if let Some((expression, rendered)) = fault.found.as_deref().and_then(|it| first(it, false))
        {
            return Some((position, expression, rendered));
        }
        let at = usize::try_from(position.line).unwrap_or(usize::MAX);
        let line = text.lines().nth(at.saturating_sub(1)).unwrap_or_default();
        if fault.code == "config/json-syntax"
            && let Some((expression, rendered)) = in_json(from_column(line, position.column))
        {
            return Some((position, expression, rendered));
        }
        let found = Some(line).filter(|line| line.len() <= LONGEST_LINE);
        if let Some((expression, rendered)) = found.and_then(|line| first(line, false)) {
            return Some((position, expression, rendered));
        }
        // An unquoted expression ends the reading anywhere.
        syntax(fault.code).then(|| unquoted(text))?
    })?;
    let fault = Diagnostic::error("config/template", "input is a template; render it first");
    Some(
        fault
            .at("", position)
            .found(quote(&expression))
            .expected(rendered),
    )
}

/// The placeholder in place of a number or an address, such as `$port`, `HOST_PORT`, `__port__`,
/// `@PORT@`, `%PORT%` or `<port>`.
fn placeholder(fault: &Diagnostic) -> Option<&str> {
    if !matches!(fault.code, "config/type" | "config/address") {
        return None;
    }
    let found = fault.found.as_deref()?.trim_matches('"');
    is_placeholder(found).then_some(found)
}

/// Whether a text is a placeholder.
fn is_placeholder(found: &str) -> bool {
    let variable = found.strip_prefix('$').is_some_and(|name| !name.is_empty());
    let is_upper = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    let name = found.contains('_') && found.chars().all(is_upper);
    let between = |begin: &str, end: &str| {
        let inner = found
            .strip_prefix(begin)
            .and_then(|rest| rest.strip_suffix(end));
        inner.is_some_and(|inner| !inner.is_empty())
    };
    let marks = [("__", "__"), ("@", "@"), ("%", "%"), ("<", ">")];
    let marked = marks.iter().any(|(begin, end)| between(begin, end));
    variable || name || marked
}

/// A line from a column on.
fn from_column(line: &str, column: u32) -> &str {
    let before = usize::try_from(column).unwrap_or(usize::MAX);
    let at = line.char_indices().nth(before.saturating_sub(1));
    at.and_then(|(at, _)| line.get(at..)).unwrap_or_default()
}

/// The expression or the placeholder without quotes at which the reading of JSON ended.
fn in_json(rest: &str) -> Option<(String, &'static str)> {
    let begins = |(begin, ..): &&(&str, &str, &str)| rest.starts_with(begin);
    if let Some((_, end, rendered)) = TEMPLATES.iter().find(begins) {
        return Some((whole(rest, end), rendered));
    }
    let ends = |c: char| matches!(c, ',' | ':' | '}' | ']' | '"') || c.is_whitespace();
    let token = rest.split(ends).next().unwrap_or_default();
    // Outside of strings, JSON has no dollar sign.
    let embedded = token.len() > 1 && token.contains('$');
    (embedded || is_placeholder(token)).then(|| (String::from(token), VALUE))
}

/// The first expression that is a value or a line of its own.
fn unquoted(text: &str) -> Option<(Position, String, &'static str)> {
    text.lines().zip(1..).find_map(|(line, number)| {
        let (expression, rendered) = first(line, true).or_else(|| reserved(line))?;
        let position = Position {
            line: number,
            column: 1,
        };
        Some((position, expression, rendered))
    })
}

/// A value between characters that YAML reserves, such as `@PORT@` or `%PORT%`.
fn reserved(line: &str) -> Option<(String, &'static str)> {
    let (_, value) = line.split_once(": ")?;
    let value = value.trim();
    let between = |mark| value.len() > 2 && value.starts_with(mark) && value.ends_with(mark);
    (between('@') || between('%')).then(|| (String::from(value), VALUE))
}

/// The first expression in a text; with `alone`, only one that begins a line or a value.
fn first(text: &str, alone: bool) -> Option<(String, &'static str)> {
    TEMPLATES.iter().find_map(|(begin, end, rendered)| {
        let at = text.find(begin)?;
        let (before, expression) = text.split_at_checked(at)?;
        let begins = before.trim().is_empty() || before.ends_with(": ") || before.ends_with("- ");
        if alone && !begins {
            return None;
        }
        Some((whole(expression, end), *rendered))
    })
}

/// The expression at the begin of a text, to its end.
fn whole(text: &str, end: &str) -> String {
    let end = text.find(end).map_or(text.len(), |at| at + end.len());
    String::from(text.get(..end).unwrap_or(text))
}
