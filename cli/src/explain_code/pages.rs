//! The codes and rules with their meaning, and the example messages.

/// The codes of messages.
const DIAGNOSTICS: &str = include_str!("codes.md");
/// An example of each message: `severity[code]: message`.
const MESSAGES: &str = include_str!("../../../crates/config/tests/golden/messages.txt");
/// The rules of `lint`.
const LINT: &str = include_str!("rules.md");

/// A row of a table: `| code | severity | meaning | example |`.
#[derive(Debug, Clone, Copy)]
pub(super) struct CodeRow {
    /// The code, or the name of a rule.
    pub(super) code: &'static str,
    /// `error`, `warning`, `limit` or `info`.
    pub(super) severity: &'static str,
    /// What it means.
    pub(super) meaning: &'static str,
    /// An input that causes it.
    pub(super) example: Option<&'static str>,
}

/// The codes of messages.
pub(super) fn code_rows() -> impl Iterator<Item = CodeRow> {
    rows(DIAGNOSTICS)
}

/// An example of the message with a code.
pub(super) fn message(code: &str) -> Option<&'static str> {
    MESSAGES.lines().find_map(|line| {
        let (head, message) = line.split_once("]: ")?;
        let (_, of) = head.split_once('[')?;
        (of == code).then_some(message)
    })
}

/// The rules of `lint`.
pub(super) fn rule_rows() -> impl Iterator<Item = CodeRow> {
    rows(LINT)
}

fn rows(page: &'static str) -> impl Iterator<Item = CodeRow> {
    page.lines().filter_map(|line| {
        let cells = line.strip_prefix("| ")?.strip_suffix(" |")?;
        let mut cells = cells.split(" | ").map(str::trim);
        // A rule is a link to its section.
        let code = cells.next()?.trim_start_matches('[').strip_prefix('`')?;
        Some(CodeRow {
            code: code.split('`').next()?,
            severity: cells.next()?,
            meaning: cells.next()?,
            example: cells.next(),
        })
    })
}

/// The section of a rule, without its heading.
pub(super) fn section(rule: &str) -> Option<&'static str> {
    let start = LINT.find(&format!("\n### {rule}\n"))? + 1;
    let (_, text) = LINT.get(start..)?.split_once('\n')?;
    let end = [text.find("\n### "), text.find("\n## ")];
    let end = end.into_iter().flatten().min();
    text.get(..end.unwrap_or(text.len())).map(str::trim)
}
