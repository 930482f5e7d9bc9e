//! Running one target: its inputs, its limits, its corpus.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context as _, Result};

use super::build::Programs;
use super::{Target, corpus};

/// Longer inputs find nothing that shorter ones do not: bytes.
const LONGEST: usize = 8 * 1024;

/// The result of one target.
pub struct TargetRun {
    name: &'static str,
    /// The number of inputs that ran.
    pub inputs: u64,
    each_second: u64,
    peak_memory: u64,
    corpus: usize,
    /// The file with an input that failed.
    pub finding: Option<String>,
}

impl TargetRun {
    /// The names of the columns.
    pub const HEADER: &str =
        "target               inputs   per second   peak memory, MiB   corpus, files   finding";
}

impl fmt::Display for TargetRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let finding = self.finding.as_deref().unwrap_or("none");
        write!(
            f,
            "{:16} {:>10} {:>12} {:>18} {:>15}   {finding}",
            self.name, self.inputs, self.each_second, self.peak_memory, self.corpus
        )
    }
}

/// Runs a target, then keeps the smallest corpus with the same coverage.
pub fn target(programs: &Programs, target: &'static Target, time: Duration) -> Result<TargetRun> {
    let work = programs.work.join(target.name);
    let inputs = programs.root.join(corpus::FOLDER).join(target.name);
    let seeds = work.join("seeds");
    for folder in [&inputs, &seeds] {
        fs::create_dir_all(folder)?;
    }
    copy_seeds(&programs.root, target, &seeds)?;
    let mut command = programs.command(target);
    command.arg(&inputs).arg(&seeds).args([
        format!("-max_total_time={}", time.as_secs()),
        format!("-max_len={LONGEST}"),
        format!("-rss_limit_mb={}", target.memory),
        // Seeds are long from the start.
        "-len_control=0".to_owned(),
        "-timeout=10".to_owned(),
        "-print_final_stats=1".to_owned(),
        format!("-artifact_prefix={}/", work.display()),
    ]);
    let output = command
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot start {}", target.name))?;
    let text = String::from_utf8_lossy(&output.stderr);
    let number = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name));
        line.and_then(|line| line.trim().parse().ok()).unwrap_or(0)
    };
    let finding = (!output.status.success()).then(|| finding(target, &work, &text));
    if finding.is_none() {
        minimize(programs, target, &inputs, &work)?;
    }
    Ok(TargetRun {
        name: target.name,
        inputs: number("stat::number_of_executed_units:"),
        each_second: number("stat::average_exec_per_sec:"),
        peak_memory: number("stat::peak_rss_mb:"),
        corpus: fs::read_dir(&inputs)?.count(),
        finding: finding.transpose()?,
    })
}

/// Saves the output of a failed run, and names the input that failed.
fn finding(target: &Target, work: &Path, text: &str) -> Result<String> {
    let log = work.join("output.txt");
    fs::write(&log, text)?;
    let file = text
        .lines()
        .find_map(|line| line.split_once("Test unit written to "));
    let file = file.map_or_else(|| log.display().to_string(), |(_, file)| file.to_owned());
    Ok(format!(
        "cargo xtask fuzz --target {} --file {file}",
        target.name
    ))
}

/// Replaces the corpus by the smallest one with the same coverage.
fn minimize(programs: &Programs, target: &Target, corpus: &Path, work: &Path) -> Result<()> {
    let smaller = work.join("smaller");
    if smaller.exists() {
        fs::remove_dir_all(&smaller)?;
    }
    fs::create_dir_all(&smaller)?;
    let mut merge = programs.command(target);
    merge.arg("-merge=1").arg(&smaller).arg(corpus);
    let output = merge.stdin(Stdio::null()).output()?;
    anyhow::ensure!(
        output.status.success(),
        "cannot minimize the corpus of {}: {}",
        target.name,
        String::from_utf8_lossy(&output.stderr)
    );
    fs::remove_dir_all(corpus)?;
    fs::rename(&smaller, corpus)?;
    Ok(())
}

/// Copies the project's own files that fit into an input.
fn copy_seeds(root: &Path, target: &Target, to: &Path) -> Result<()> {
    for (folder, end) in target.seeds {
        let mut folders = vec![root.join(folder)];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder)? {
                let path: PathBuf = entry?.path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let name = path.to_string_lossy().into_owned();
                let fits = fs::metadata(&path)?.len() <= LONGEST as u64;
                if name.ends_with(end) && fits {
                    let inside = path.strip_prefix(root)?.to_string_lossy();
                    fs::copy(&path, to.join(inside.replace('/', "-")))?;
                }
            }
        }
    }
    Ok(())
}
