//! The table in docs/reliability.md: the checks, and the last result of each.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use super::check::LongCheck;
use super::checks::CHECKS;
use super::last_result::{LastResult, NOT_RUN};
use crate::files;

const BEGIN: &str = "<!-- begin: checks -->\n";
const END: &str = "<!-- end -->";

/// The file.
pub fn path(root: &Path) -> PathBuf {
    root.join("docs/reliability.md")
}

/// Writes the result of a check into its row.
pub fn record(root: &Path, name: &str, result: &LastResult) -> Result<()> {
    let path = path(root);
    let text = files::read(&path)?;
    let written = with_table(&text, |check| {
        if check.name == name {
            result.to_string()
        } else {
            last_of(&text, check)
        }
    })?;
    fs::write(&path, written).with_context(|| format!("cannot write {}", path.display()))
}

/// The document with a table of all checks and their last results.
fn with_table(text: &str, last: impl Fn(&LongCheck) -> String) -> Result<String> {
    let (before, rest) = text.split_once(BEGIN).context("no table begins")?;
    let (_, after) = rest.split_once(END).context("the table does not end")?;
    let mut table = String::from(
        "| check | what it shows | with every test run | in full | takes | last full result |\n\
         |---|---|---|---|---|---|\n",
    );
    for check in CHECKS {
        table += &format!("{}{} |\n", head(check), last(check));
    }
    Ok(format!("{before}{BEGIN}{table}{END}{after}"))
}

/// The cells of a row before the last one.
fn head(check: &LongCheck) -> String {
    format!(
        "| `{}` | {} | {} | {} | {} | ",
        check.name, check.shows, check.short, check.full, check.takes
    )
}

/// The last result of a check, as the document has it.
pub fn last_of(text: &str, check: &LongCheck) -> String {
    let begin = format!("| `{}` |", check.name);
    let row = text.lines().find(|line| line.starts_with(&begin));
    let cell = row.and_then(|row| row.trim_end_matches(" |").rsplit_once(" | "));
    cell.map_or_else(|| NOT_RUN.to_owned(), |(_, last)| last.to_owned())
}

#[cfg(test)]
mod tests {
    use spillgate_testkit::repository;

    use super::*;

    #[test]
    fn the_document_lists_every_check() -> Result<()> {
        let root = repository();
        let text = files::read(&path(root))?;
        let expected = with_table(&text, |check| last_of(&text, check))?;
        if std::env::var_os("SPILLGATE_GOLDEN").is_some_and(|value| value == "write") {
            fs::write(path(root), expected)?;
        } else {
            assert!(
                text == expected,
                "docs/reliability.md does not list the checks of tools/xtask/src/reliability/checks.rs; \
                 run this test with SPILLGATE_GOLDEN=write"
            );
        }
        Ok(())
    }

    #[test]
    fn a_result_replaces_only_its_cell() -> Result<()> {
        let text = format!("a\n{BEGIN}{END}\nb\n");
        let first = CHECKS.first().context("no check")?;
        let text = with_table(&text, |check| last_of(&text, check))?;
        assert_eq!(last_of(&text, first), NOT_RUN);
        let written = with_table(&text, |check| {
            if check.name == first.name {
                "2026-01-02, abc: 7 cases".to_owned()
            } else {
                last_of(&text, check)
            }
        })?;
        assert_eq!(last_of(&written, first), "2026-01-02, abc: 7 cases");
        assert_eq!(
            text.matches(NOT_RUN).count(),
            written.matches(NOT_RUN).count() + 1
        );
        assert!(written.starts_with("a\n") && written.ends_with("\nb\n"));
        Ok(())
    }
}
