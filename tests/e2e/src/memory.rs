//! Memory of processes.

use std::fs;

use anyhow::{Context as _, Result};

/// The resident memory of a process in KiB.
///
/// # Errors
/// When there is no such process.
pub fn resident(process: u32) -> Result<f64> {
    let text = fs::read_to_string(format!("/proc/{process}/status"))?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let number = line.and_then(|line| line.split_whitespace().next());
    Ok(number.context("no VmRSS")?.parse()?)
}
