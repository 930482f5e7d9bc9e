//! What is wrong with a text, or doubtful in it, as JSON.

use spillgate_config::{Diagnostic, Position, Severity, node::Writer};
use spillgate_lint::Finding;

/// A diagnostic of the text called `text`.
pub(crate) fn diagnostic(diagnostic: &Diagnostic, text: &str, out: &mut Writer) {
    out.begin_object();
    string(out, "text", text);
    string(
        out,
        "severity",
        match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
    );
    string(out, "code", diagnostic.code);
    string(out, "path", &diagnostic.path);
    place(out, diagnostic.position);
    string(out, "message", &diagnostic.message);
    optional(out, "found", diagnostic.found.as_deref());
    optional(out, "expected", diagnostic.expected.as_deref());
    optional(out, "suggestion", diagnostic.suggestion.as_deref());
    out.end_object();
}

/// A finding of a lint rule, with the fields that the command line gives it.
pub(crate) fn finding(finding: &Finding, out: &mut Writer) {
    out.begin_object();
    string(out, "rule", finding.rule);
    string(out, "severity", finding.severity.name());
    string(out, "path", &finding.path);
    place(out, Some(finding.position));
    string(out, "message", &finding.message());
    string(out, "fix", &finding.fix);
    out.end_object();
}

fn place(out: &mut Writer, position: Option<Position>) {
    for (name, value) in [
        ("line", position.map(|position| position.line)),
        ("column", position.map(|position| position.column)),
    ] {
        out.key(name);
        match value {
            Some(value) => out.uint(u64::from(value)),
            None => out.null(),
        }
    }
}

fn string(out: &mut Writer, name: &str, value: &str) {
    out.key(name);
    out.string(value);
}

fn optional(out: &mut Writer, name: &str, value: Option<&str>) {
    out.key(name);
    match value {
        Some(value) => out.string(value),
        None => out.null(),
    }
}
