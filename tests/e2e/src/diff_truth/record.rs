//! Pairs with a wrong verdict, as files.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use super::pair::ConfigPair;

/// Writes both sides, the requests and what is wrong into a folder of their own.
///
/// # Errors
/// When they cannot be written.
pub(super) fn record(
    pair: &ConfigPair,
    seed: u64,
    wrong: &[String],
    findings: &Path,
) -> Result<PathBuf> {
    let folder = findings.join(format!("diff-{seed}-{}", pair.number));
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let write = |file: &str, text: String| {
        let path = folder.join(file);
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
    };
    write(
        "old.json",
        serde_json::to_string_pretty(&pair.old.alone())? + "\n",
    )?;
    write(
        "new.json",
        serde_json::to_string_pretty(&pair.new.alone())? + "\n",
    )?;
    write("requests.jsonl", pair.old.rows())?;
    write(
        "wrong.txt",
        format!(
            "{}\n{}\n{:#?}\n",
            pair.change.name(),
            wrong.join("\n"),
            pair.report
        ),
    )?;
    Ok(folder)
}
