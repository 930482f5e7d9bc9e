//! What became of each change, kept between runs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

use super::list::{Mutant, read_mutant};
use crate::files;

/// What became of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// A test failed.
    Caught,
    /// All tests passed.
    Missed,
    /// The tests did not end, which a developer notices too.
    Timeout,
    /// It does not compile.
    Unviable,
}

/// The tests that a change is tried with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JudgedBy {
    /// Those of the changed crate.
    Own,
    /// The reference data.
    Vectors,
}

/// The outcomes of all changes that were tried.
#[derive(Debug)]
pub struct Outcomes {
    path: PathBuf,
    /// By the name of the change.
    entries: BTreeMap<String, Entry>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Entry {
    /// The hash of the file: another file has other changes.
    file: String,
    own: Outcome,
    vectors: Option<Outcome>,
}

impl Outcomes {
    /// Those of a file, which may be missing.
    pub fn read(path: PathBuf) -> Result<Self> {
        let entries = if path.is_file() {
            read_entries(&files::read(&path)?)
                .with_context(|| format!("cannot read {}", path.display()))?
        } else {
            BTreeMap::new()
        };
        Ok(Self { path, entries })
    }

    /// The outcome of a change, if its file is still the same.
    pub fn of(&self, mutant: &Mutant, step: JudgedBy, hash: &str) -> Option<Outcome> {
        let entry = self.entries.get(&mutant.name)?;
        if entry.file != hash {
            return None;
        }
        match step {
            JudgedBy::Own => Some(entry.own),
            JudgedBy::Vectors => entry.vectors,
        }
    }

    /// Takes over what cargo-mutants wrote, and writes the file. `hash` gives the hash of a file that was
    /// changed; without one, its outcomes are left out.
    pub fn take(
        &mut self,
        written: &str,
        step: JudgedBy,
        hash: impl Fn(&str) -> Option<String>,
    ) -> Result<()> {
        for (mutant, outcome) in read_written(written)? {
            let Some(file) = hash(&mutant.file) else {
                continue;
            };
            match (step, self.entries.get_mut(&mutant.name)) {
                (JudgedBy::Own, _) => {
                    let entry = Entry {
                        file,
                        own: outcome,
                        vectors: None,
                    };
                    self.entries.insert(mutant.name, entry);
                }
                (JudgedBy::Vectors, Some(entry)) if entry.file == file => {
                    entry.vectors = Some(outcome);
                }
                (JudgedBy::Vectors, _) => {}
            }
        }
        self.write()
    }

    fn write(&self) -> Result<()> {
        let entries = self.entries.iter().map(|(name, entry)| {
            let vectors = entry.vectors.map(Outcome::name);
            let value = json!({"file": entry.file, "own": entry.own.name(), "vectors": vectors});
            (name.clone(), value)
        });
        let text = Value::Object(entries.collect::<Map<_, _>>()).to_string();
        files::write_atomically(&self.path, text)
    }
}

impl Outcome {
    const ALL: [Self; 4] = [Self::Caught, Self::Missed, Self::Timeout, Self::Unviable];

    fn name(self) -> &'static str {
        match self {
            Self::Caught => "caught",
            Self::Missed => "missed",
            Self::Timeout => "timeout",
            Self::Unviable => "unviable",
        }
    }

    fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|outcome| outcome.name() == name)
    }
}

fn read_entries(text: &str) -> Result<BTreeMap<String, Entry>> {
    let value: Value = serde_json::from_str(text)?;
    let entries = value.as_object().context("no outcomes")?.iter();
    let read = entries.map(|(name, value)| {
        let outcome = |key: &str| value[key].as_str().and_then(Outcome::named);
        let entry = Entry {
            file: value["file"].as_str().context("no file")?.to_owned(),
            own: outcome("own").context("no outcome")?,
            vectors: outcome("vectors"),
        };
        Ok((name.clone(), entry))
    });
    read.collect()
}

/// Reads `outcomes.json` of cargo-mutants, which it writes after each change.
fn read_written(text: &str) -> Result<Vec<(Mutant, Outcome)>> {
    let value: Value = serde_json::from_str(text).context("the outcomes are not JSON")?;
    let outcomes = value["outcomes"].as_array().context("no outcomes")?;
    let mut read = Vec::new();
    for outcome in outcomes {
        let mutant = &outcome["scenario"]["Mutant"];
        // The unchanged code is tried first.
        if mutant.is_null() {
            continue;
        }
        let summary = match outcome["summary"].as_str() {
            Some("CaughtMutant") => Outcome::Caught,
            Some("MissedMutant") => Outcome::Missed,
            Some("Timeout") => Outcome::Timeout,
            Some("Unviable") => Outcome::Unviable,
            // An attempt that failed for another reason says nothing about the tests.
            _ => continue,
        };
        read.push((read_mutant(mutant)?, summary));
    }
    Ok(read)
}

/// The hash of a file, or none without the file.
pub fn hash_of(path: &Path) -> Option<String> {
    let bytes = std::fs::read(path).ok()?;
    let hash = Sha256::digest(bytes);
    Some(hash.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(summary: &str) -> String {
        json!({"outcomes": [
            {"scenario": "Baseline", "summary": "Success"},
            {"scenario": {"Mutant": {
                "name": "a.rs:2:5: delete !",
                "file": "a.rs",
                "span": {"start": {"line": 2}},
            }}, "summary": summary},
        ]})
        .to_string()
    }

    fn mutant() -> Mutant {
        Mutant {
            name: "a.rs:2:5: delete !".to_owned(),
            file: "a.rs".to_owned(),
            line: 2,
            change: "delete !".to_owned(),
        }
    }

    #[test]
    fn outcomes_last_until_the_file_changes() -> Result<()> {
        let folder = std::env::temp_dir().join(format!("mutants-{}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        let path = folder.join("outcomes.json");
        let mut outcomes = Outcomes::read(path.clone())?;
        outcomes.take(&written("MissedMutant"), JudgedBy::Own, |_| {
            Some("1".to_owned())
        })?;
        outcomes.take(&written("CaughtMutant"), JudgedBy::Vectors, |_| {
            Some("1".to_owned())
        })?;

        let read = Outcomes::read(path)?;
        assert_eq!(
            read.of(&mutant(), JudgedBy::Own, "1"),
            Some(Outcome::Missed)
        );
        assert_eq!(
            read.of(&mutant(), JudgedBy::Vectors, "1"),
            Some(Outcome::Caught)
        );
        assert_eq!(read.of(&mutant(), JudgedBy::Own, "2"), None);
        std::fs::remove_dir_all(folder)?;
        Ok(())
    }

    #[test]
    fn the_unchanged_code_and_failed_attempts_are_no_outcomes() -> Result<()> {
        assert_eq!(read_written(&written("Failure"))?, []);
        let caught = read_written(&written("CaughtMutant"))?;
        assert_eq!(caught, [(mutant(), Outcome::Caught)]);
        assert!(read_written("{}").is_err());
        Ok(())
    }

    #[test]
    fn every_outcome_has_a_name() {
        for outcome in Outcome::ALL {
            assert_eq!(Outcome::named(outcome.name()), Some(outcome));
        }
    }
}
