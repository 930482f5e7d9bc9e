//! Markdown as plain text.

use super::links::in_words;

const FENCE: &str = "```";
const INDENT: &str = "    ";

/// A text without links, emphasis and fences. Code blocks are indented.
pub(super) fn plain(text: &str) -> String {
    let mut out = String::new();
    // Every second part is in a fence, after the name of its language.
    for (index, part) in text.split(FENCE).enumerate() {
        match part.split_once('\n') {
            Some((_, code)) if index % 2 == 1 => out.push_str(&indented(code)),
            _ => out.push_str(&prose(part)),
        }
    }
    out.trim_end().to_owned()
}

/// The code of a cell, without its backticks.
pub(super) fn code(cell: &str) -> &str {
    let inside = cell
        .strip_prefix('`')
        .and_then(|cell| cell.strip_suffix('`'));
    inside
        .filter(|inside| !inside.contains('`'))
        .unwrap_or(cell)
}

fn indented(code: &str) -> String {
    let lines: Vec<String> = code
        .trim_end()
        .lines()
        .map(|line| format!("{INDENT}{line}"))
        .collect();
    lines.join("\n")
}

/// Prose without emphasis, which code can have as a glob.
fn prose(text: &str) -> String {
    let text = in_words(text);
    let parts = text.split('`').enumerate().map(|(index, part)| {
        if index % 2 == 0 {
            part.replace("**", "")
        } else {
            part.to_owned()
        }
    });
    parts.collect::<Vec<_>>().join("`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_becomes_plain_text() {
        let text =
            "**Cause.** A `**` of\n[a page](https://x.example).\n\n```yaml\na:\n  b: [c]\n```\n";
        assert_eq!(
            plain(text),
            "Cause. A `**` of\na page (https://x.example).\n\n    a:\n      b: [c]"
        );
    }

    #[test]
    fn a_cell_of_code_has_no_backticks() {
        assert_eq!(code("`{a: b}`"), "{a: b}");
        assert_eq!(code("`a` or `b`"), "`a` or `b`");
        assert_eq!(code("an EDS cluster"), "an EDS cluster");
    }
}
