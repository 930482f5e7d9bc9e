//! Trials with a wrong prediction, as files to read, and with the logs of their batch, which `--replay` reads.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use super::trial_record::TrialRecord;

/// Writes the trial, what was recorded, and what is wrong into a folder of its own.
///
/// # Errors
/// When they cannot be written.
pub(super) fn record(
    of: &TrialRecord,
    seed: u64,
    wrong: &[String],
    findings: &Path,
) -> Result<PathBuf> {
    let folder = findings.join(format!("health-{seed}-{}", of.trial.number));
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let write = |file: &str, text: String| {
        let path = folder.join(file);
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
    };
    write("wrong.txt", wrong.join("\n") + "\n")?;
    write("trial.txt", format!("{:#?}\n", of.trial))?;
    write("checks.txt", lines(of.checks.iter().flatten()))?;
    write("outliers.txt", lines(&of.outliers))?;
    write("attempts.txt", lines(&of.attempts))?;
    write("sweeps.txt", lines(&of.sweeps))?;
    for (address, calls) in of.addresses.iter().zip(&of.calls) {
        write(&format!("calls-{}.txt", address.ip()), lines(calls))?;
    }
    let logs = folder.join("logs");
    fs::create_dir_all(&logs)?;
    for file in fs::read_dir(&of.logs).with_context(|| of.logs.display().to_string())? {
        let file = file?;
        fs::copy(file.path(), logs.join(file.file_name()))?;
    }
    Ok(folder)
}

fn lines<T: std::fmt::Debug>(of: impl IntoIterator<Item = T>) -> String {
    of.into_iter().map(|line| format!("{line:?}\n")).collect()
}
