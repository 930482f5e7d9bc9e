//! A page for each code and each lint rule, and one that lists them. `spillgate explain-code` prints the same texts.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

/// The codes of messages: `## SECTION` with a table.
pub(crate) const CODES: &str = "cli/src/explain_code/codes.md";
/// The lint rules: `## SECTION` with a table, and `### RULE`.
pub(crate) const RULES: &str = "cli/src/explain_code/rules.md";
const MESSAGES: &str = "crates/config/tests/golden/messages.txt";
/// The folder of the pages in the site.
const FOLDER: &str = "codes";

/// A generated page.
pub(crate) struct CodePage {
    pub(crate) title: String,
    /// Its links are relative to this file of the repository.
    pub(crate) source: &'static str,
    pub(crate) content: String,
    /// Its place in the site.
    pub(crate) path: PathBuf,
}

struct PageRow<'t> {
    code: &'t str,
    severity: &'t str,
    meaning: String,
    example: Option<String>,
}

/// The pages of all codes and rules, after the one that lists them.
pub(crate) fn pages(root: &Path) -> Result<Vec<CodePage>> {
    let read = |file| fs::read_to_string(root.join(file)).with_context(|| format!("no {file}"));
    let (codes, rules, messages) = (read(CODES)?, read(RULES)?, read(MESSAGES)?);
    let mut index = String::from(
        "# Codes and lint rules\n\n`spillgate explain-code CODE` prints the page of a code or of a rule.\n\n",
    );
    let mut pages = Vec::new();
    for (source, text) in [(CODES, &codes), (RULES, &rules)] {
        for line in text.lines() {
            if line.starts_with("## ") {
                index.push_str(&format!(
                    "\n{line}\n\n| code | severity | meaning |\n|---|---|---|\n"
                ));
            }
            let Some(row) = row(line) else { continue };
            let code = row.code;
            // Links in a meaning are for the page of the code.
            let meaning = without_links(&row.meaning).replace('|', "\\|");
            index.push_str(&format!(
                "| [`{code}`]({code}.md) | {} | {meaning} |\n",
                row.severity
            ));
            pages.push(CodePage {
                title: code.to_owned(),
                source,
                content: content(&row, &rules, &messages),
                path: place(code),
            });
        }
    }
    pages.insert(
        0,
        CodePage {
            title: "Codes and lint rules".to_owned(),
            source: CODES,
            content: index,
            path: place("index"),
        },
    );
    Ok(pages)
}

/// The place in the site for a link to one of the two files, and the anchor there.
pub(crate) fn target(file: &Path, anchor: Option<&str>) -> Option<(PathBuf, Option<String>)> {
    let is_rules = file == Path::new(RULES);
    if !is_rules && file != Path::new(CODES) {
        return None;
    }
    Some(match anchor {
        None => (place("index"), None),
        // The others are sections of the list.
        Some(rule) if is_rules && !["rules", "mesh-rules"].contains(&rule) => (place(rule), None),
        Some(section) => (place("index"), Some(section.to_owned())),
    })
}

fn place(code: &str) -> PathBuf {
    Path::new(FOLDER).join(format!("{code}.md"))
}

fn row(line: &str) -> Option<PageRow<'_>> {
    let cells = line.strip_prefix("| ")?.strip_suffix(" |")?;
    let mut cells = cells.split(" | ").map(str::trim);
    // A rule is a link to its section.
    let code = cells.next()?.trim_start_matches('[').strip_prefix('`')?;
    let text = |cell: &str| cell.replace("\\|", "|");
    Some(PageRow {
        code: code.split('`').next()?,
        severity: cells.next()?,
        meaning: text(cells.next()?),
        example: cells.next().map(text),
    })
}

fn content(row: &PageRow<'_>, rules: &str, messages: &str) -> String {
    let mut page = format!("# {}\n\n**{}**: {}\n", row.code, row.severity, row.meaning);
    if let Some(example) = &row.example {
        page.push_str(&format!("\n## Example\n\n{}\n", block(example)));
    }
    let message = messages.lines().find_map(|line| {
        let (head, message) = line.split_once("]: ")?;
        let (_, code) = head.split_once('[')?;
        (code == row.code).then_some(message)
    });
    if let Some(message) = message {
        page.push_str(&format!("\n## Message\n\n```text\n{message}\n```\n"));
    }
    if let Some(section) = section(rules, row.code) {
        page.push_str(&format!("\n{section}\n"));
    }
    page
}

/// A cell of code as a block; other text as it is.
fn block(cell: &str) -> String {
    let code = cell
        .strip_prefix('`')
        .and_then(|cell| cell.strip_suffix('`'));
    match code.filter(|code| !code.contains('`')) {
        Some(code) => format!("```text\n{code}\n```"),
        None => cell.to_owned(),
    }
}

/// The section of a rule, without its heading.
fn section<'t>(rules: &'t str, rule: &str) -> Option<&'t str> {
    let (_, text) = rules.split_once(&format!("\n### {rule}\n"))?;
    let end = [text.find("\n### "), text.find("\n## ")];
    let end = end.into_iter().flatten().min();
    text.get(..end.unwrap_or(text.len())).map(str::trim)
}

/// A text with the labels of its links only.
fn without_links(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((head, tail)) = rest.split_once("](") {
        let Some(((before, label), (_, after))) = head.rsplit_once('[').zip(tail.split_once(')'))
        else {
            break;
        };
        out.push_str(before);
        out.push_str(label);
        rest = after;
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_becomes_a_page() {
        let row = row("| `a/b` | error | see [c](../d.md), `x \\| y` | `{e: f}` |").unwrap();
        assert_eq!(
            content(&row, "", "error[a/b]: no\nerror[a/c]: c\n"),
            "# a/b\n\n**error**: see [c](../d.md), `x | y`\n\n## Example\n\n```text\n{e: f}\n```\n\
             \n## Message\n\n```text\nno\n```\n"
        );
        assert_eq!(without_links(&row.meaning), "see c, `x | y`");
    }

    #[test]
    fn a_rule_has_its_section() {
        let rules = "\n## Rules\n| [`r`](#r) | info | what |\n\n### r\n**Cause.** x\n\n### s\ny\n";
        let row = rules.lines().find_map(row).unwrap();
        assert_eq!(
            content(&row, rules, ""),
            "# r\n\n**info**: what\n\n**Cause.** x\n"
        );
    }

    #[test]
    fn links_lead_to_the_pages() {
        let rules = Path::new(RULES);
        assert_eq!(target(rules, Some("r")), Some((place("r"), None)));
        let section = (place("index"), Some("mesh-rules".to_owned()));
        assert_eq!(target(rules, Some("mesh-rules")), Some(section));
        assert_eq!(target(Path::new(CODES), None), Some((place("index"), None)));
        assert_eq!(target(Path::new("docs/lint.md"), None), None);
    }
}
