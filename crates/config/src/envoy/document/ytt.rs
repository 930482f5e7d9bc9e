//! Templates of ytt: their values and conditions are comments of YAML, so that the rest can be valid.

use alloc::string::String;

use crate::{Diagnostic, Position, node::quote};

/// Begins of the comments that ytt executes, at the start of a line.
const STATEMENTS: [&str; 9] = [
    "#@ load(",
    "#@ if ",
    "#@ if/end ",
    "#@ for ",
    "#@ for/end ",
    "#@ def ",
    "#@data/",
    "#@overlay/",
    "#@schema/",
];

/// The error about a template of ytt, if the text is one.
pub(super) fn ytt_template(text: &str) -> Option<Diagnostic> {
    // Few texts have such a comment at all.
    text.find("#@")?;
    let (number, line, at) = text.lines().zip(1..).find_map(|(line, number)| {
        let at = line.find("#@")?;
        let (before, comment) = line.split_at_checked(at)?;
        let statement =
            before.trim().is_empty() && STATEMENTS.iter().any(|s| comment.starts_with(s));
        // A value: nothing else is between the key or the dash and the comment.
        let begins = before.trim_end();
        let value = comment.starts_with("#@ ") && (begins.ends_with(':') || begins.ends_with('-'));
        (statement || value).then_some((number, line, at))
    })?;
    let before = line.get(..at).unwrap_or_default();
    let column = u32::try_from(before.chars().count()).unwrap_or(u32::MAX);
    let position = Position {
        line: number,
        column: column.saturating_add(1),
    };
    let comment: String = line.get(at..).unwrap_or_default().trim_end().into();
    let fault = Diagnostic::error("config/template", "input is a template; render it first")
        .at("", position)
        .found(quote(&comment));
    Some(fault.expected("the output of `ytt`"))
}
