//! Commands that the playground offers to copy.

use std::fs;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use spillgate::Done;

use crate::{Workdir, spillgate};

/// Runs a pipe of commands, split into words by a shell; `envoy.yaml` is the import.
///
/// # Errors
/// If a shell refuses the line, or a command its input.
pub fn run_copied(workdir: &Workdir, line: &str, import: &str) -> Result<Done> {
    let folder = workdir.path();
    fs::write(folder.join("envoy.yaml"), import)?;
    let mut done = Done::default();
    for command in line.split(" | ") {
        let script = format!("for word in {command}; do printf '%s\\0' \"$word\"; done");
        let words = Command::new("sh").args(["-c", &script]).output()?;
        ensure!(words.status.success(), "a shell refuses {command}");
        let words = String::from_utf8(words.stdout)?;
        let words = words.split_terminator('\0').map(|word| match word {
            "-" => folder.join("passed-on").into_os_string(),
            "envoy.yaml" => folder.join(word).into_os_string(),
            word => word.into(),
        });
        done = spillgate(words.skip(1)).with_context(|| command.to_owned())?;
        fs::write(folder.join("passed-on"), &done.output)?;
    }
    Ok(done)
}
