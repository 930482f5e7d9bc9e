//! The table of the checks in docs/reliability.md, and their last results in tools/xtask/reliability.json.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use serde_json::{Map, Value};

use super::check::LongCheck;
use super::checks::CHECKS;
use super::last_result::LastResult;
use crate::files;

const BEGIN: &str = "<!-- begin: checks -->\n";
const END: &str = "<!-- end -->";
/// The cell of a check that never ran in full.
const NOT_RUN: &str = "not run yet";

/// The last full result of each check, by its name.
#[derive(Debug, Default)]
pub struct RecordedResults(Map<String, Value>);

impl RecordedResults {
    /// Reads the recorded results.
    pub fn read(root: &Path) -> Result<Self> {
        let path = results_path(root);
        let results = serde_json::from_str(&files::read(&path)?);
        results
            .map(Self)
            .with_context(|| format!("cannot read {}", path.display()))
    }

    /// The date, the commit and the figures of a check.
    pub fn shown(&self, name: &str) -> String {
        let Some(result) = self.0.get(name) else {
            return NOT_RUN.to_owned();
        };
        let text = |key: &str| result.get(key).and_then(Value::as_str).unwrap_or_default();
        let figures = result.get("figures").and_then(Value::as_array);
        let figures = figures.into_iter().flatten().filter_map(Value::as_str);
        let figures: Vec<&str> = figures.collect();
        format!(
            "{}, {}: {}",
            text("date"),
            text("commit"),
            figures.join("; ")
        )
    }

    fn date(&self, name: &str) -> &str {
        let date = self.0.get(name).and_then(|result| result.get("date"));
        date.and_then(Value::as_str).unwrap_or(NOT_RUN)
    }
}

fn document_path(root: &Path) -> PathBuf {
    root.join("docs/reliability.md")
}

fn results_path(root: &Path) -> PathBuf {
    root.join("tools/xtask/reliability.json")
}

/// Records the result of a check, and its date in the table.
pub fn record(root: &Path, name: &str, result: &LastResult) -> Result<()> {
    let mut results = RecordedResults::read(root)?;
    results.0.insert(name.to_owned(), result.to_json());
    let text = serde_json::to_string_pretty(&results.0)? + "\n";
    files::write_atomically(&results_path(root), text)?;
    let path = document_path(root);
    let written = with_table(&files::read(&path)?, &results)?;
    fs::write(&path, written).with_context(|| format!("cannot write {}", path.display()))
}

/// The document with a table of all checks and the dates of their last results.
fn with_table(text: &str, results: &RecordedResults) -> Result<String> {
    let (before, rest) = text.split_once(BEGIN).context("no table begins")?;
    let (_, after) = rest.split_once(END).context("the table does not end")?;
    let mut table =
        String::from("| check | what it shows | takes | last full run |\n|---|---|---|---|\n");
    for check in CHECKS {
        table += &row(check, results.date(check.name));
    }
    Ok(format!("{before}{BEGIN}{table}{END}{after}"))
}

fn row(check: &LongCheck, date: &str) -> String {
    format!(
        "| `{}` | {} | {} | {date} |\n",
        check.name, check.shows, check.takes
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use spillgate_testkit::repository;

    use super::*;

    #[test]
    fn the_document_lists_every_check() -> Result<()> {
        let root = repository();
        let text = files::read(&document_path(root))?;
        let expected = with_table(&text, &RecordedResults::read(root)?)?;
        if std::env::var_os("SPILLGATE_GOLDEN").is_some_and(|value| value == "write") {
            fs::write(document_path(root), expected)?;
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
    fn every_result_is_that_of_a_check() -> Result<()> {
        for (name, result) in &RecordedResults::read(repository())?.0 {
            assert!(CHECKS.iter().any(|check| check.name == name), "{name}");
            for key in ["date", "commit"] {
                assert!(result.get(key).is_some_and(Value::is_string), "{name}");
            }
            let figures = result.get("figures").and_then(Value::as_array);
            assert!(figures.is_some_and(|list| !list.is_empty()), "{name}");
        }
        Ok(())
    }

    #[test]
    fn the_table_has_the_date_of_a_result_and_the_list_all_of_it() -> Result<()> {
        let first = CHECKS.first().context("no check")?;
        let text = format!("a\n{BEGIN}{END}\nb\n");
        let mut results = RecordedResults::default();
        assert_eq!(results.shown(first.name), NOT_RUN);
        let before = with_table(&text, &results)?;
        let result =
            json!({"date": "2026-01-02", "commit": "abc", "figures": ["7 cases", "0 failed"]});
        results.0.insert(first.name.to_owned(), result);
        let written = with_table(&before, &results)?;
        assert!(written.contains(&row(first, "2026-01-02")), "{written}");
        assert_eq!(
            before.matches(NOT_RUN).count(),
            written.matches(NOT_RUN).count() + 1
        );
        assert!(written.starts_with("a\n") && written.ends_with("\nb\n"));
        assert_eq!(
            results.shown(first.name),
            "2026-01-02, abc: 7 cases; 0 failed"
        );
        Ok(())
    }
}
