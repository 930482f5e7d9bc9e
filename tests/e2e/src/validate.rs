//! Whether Envoy accepts a configuration.

use std::process::Command;

use anyhow::{Context as _, Result};

use crate::{Need, Workdir, needed};

/// Runs `envoy --mode validate` on a text, YAML or JSON by the file's name. `Some` with Envoy's message
/// when it refuses the text.
///
/// # Errors
/// When `ENVOY` is not set or Envoy does not start.
pub fn refusal(workdir: &Workdir, file: &str, text: &str) -> Result<Option<String>> {
    let program = needed(Need::Envoy)?;
    let path = workdir.write(file, text)?;
    let output = Command::new(&program)
        .args(["--mode", "validate", "--config-path"])
        .arg(&path)
        .args(["--log-level", "error", "--skip-deprecated-logs"])
        .current_dir(workdir.path())
        .output()
        .with_context(|| format!("cannot start {}", program.display()))?;
    if output.status.success() {
        return Ok(None);
    }
    let message = String::from_utf8_lossy(&output.stderr);
    let message = format!("{}{message}", String::from_utf8_lossy(&output.stdout));
    Ok(Some(format!("{}: {}", path.display(), message.trim())))
}
