//! `tests/mutants.json`: the changes that no test can notice, with reasons.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use super::list::Mutant;
use crate::files;

/// The file.
pub const FILE: &str = "tests/mutants.json";

/// The listed changes.
#[derive(Debug)]
pub struct KnownMutants {
    /// What each kind of reason means.
    pub reasons: BTreeMap<String, String>,
    entries: Vec<KnownMutant>,
}

/// A listed change. Line numbers change with every edit, so its line is named by its text.
#[derive(Debug)]
struct KnownMutant {
    file: String,
    /// The text of the first changed line, without indentation.
    line: String,
    change: String,
    /// A key of the reasons.
    reason: String,
}

impl KnownMutants {
    /// Reads the file of a checkout.
    pub fn of(root: &Path) -> Result<Self> {
        read_known(&files::read(&root.join(FILE))?).with_context(|| FILE)
    }

    /// The kind of reason why no test notices a change, if it is listed. `line` is the text of its line.
    pub fn reason(&self, mutant: &Mutant, line: &str) -> Option<&str> {
        let found = self.entries.iter().find(|it| {
            it.file == mutant.file && it.change == mutant.change && it.line == line.trim()
        });
        found.map(|it| it.reason.as_str())
    }
}

fn read_known(text: &str) -> Result<KnownMutants> {
    let value: Value = serde_json::from_str(text)?;
    let reasons = value["reasons"].as_object().context("no reasons")?.iter();
    let reasons: BTreeMap<_, _> = reasons
        .map(|(kind, text)| Ok((kind.clone(), text.as_str().context("no text")?.to_owned())))
        .collect::<Result<_>>()?;
    let mut entries = Vec::new();
    for entry in value["mutants"].as_array().context("no mutants")? {
        let text = |key: &str| {
            let text = entry[key].as_str().filter(|text| !text.is_empty());
            let text = text.with_context(|| format!("an entry without {key}: {entry}"));
            text.map(str::to_owned)
        };
        // The kind classes the change; this says why it is of that kind.
        text("because")?;
        let known = KnownMutant {
            file: text("file")?,
            line: text("line")?,
            change: text("change")?,
            reason: text("reason")?,
        };
        if !reasons.contains_key(&known.reason) {
            bail!("unknown reason: {entry}");
        }
        entries.push(known);
    }
    Ok(KnownMutants { reasons, entries })
}

#[cfg(test)]
mod tests {
    use spillgate_testkit::repository;

    use super::*;

    #[test]
    fn every_listed_line_is_in_its_file() -> Result<()> {
        let root = repository();
        for known in KnownMutants::of(root)?.entries {
            let text = files::read(&root.join(&known.file))?;
            assert!(
                text.lines().any(|line| line.trim() == known.line),
                "{FILE}: {} has no line `{}`",
                known.file,
                known.line
            );
        }
        Ok(())
    }

    #[test]
    fn a_change_is_known_by_file_line_and_text() -> Result<()> {
        let known = read_known(
            r#"{"reasons": {"same": "the same result"}, "mutants": [
                {"file": "a.rs", "line": "if a < b {", "change": "replace < with <= in f",
                 "reason": "same", "because": "a is never b"}
            ]}"#,
        )?;
        let mutant = |change: &str| Mutant {
            name: String::new(),
            file: "a.rs".to_owned(),
            line: 3,
            change: change.to_owned(),
        };
        let listed = mutant("replace < with <= in f");
        assert_eq!(known.reason(&listed, "    if a < b {"), Some("same"));
        assert_eq!(known.reason(&listed, "if a < c {"), None);
        assert_eq!(
            known.reason(&mutant("replace < with > in f"), "if a < b {"),
            None
        );
        Ok(())
    }

    #[test]
    fn an_entry_needs_a_reason() {
        let with = |reason: &str| {
            format!(
                r#"{{"reasons": {{"same": "a"}}, "mutants": [
                    {{"file": "a.rs", "line": "a", "change": "b", {reason}}}]}}"#
            )
        };
        assert!(read_known(&with(r#""reason": "same", "because": "c""#)).is_ok());
        assert!(read_known(&with(r#""reason": "same""#)).is_err());
        assert!(read_known(&with(r#""reason": "other", "because": "c""#)).is_err());
    }
}
