//! The active toolchain: the `rustc` that cargo uses here.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};

use crate::process;

/// How long rustup may take; without a network it would try for much longer.
const RUSTUP_LIMIT: Duration = Duration::from_secs(120);

/// `rustc 1.95.0`.
pub fn version() -> Result<String> {
    let text = process::output(rustc().arg("--version"))?;
    short_version(&text).with_context(|| format!("`rustc --version` prints `{text}`"))
}

/// What `rustc -vV` prints: its version, commit and host.
pub fn compiler() -> Result<String> {
    process::output(rustc().arg("-vV"))
}

/// `rustc 1.95.0 (59807616e 2026-04-14)` without what is in parentheses.
pub fn short_version(text: &str) -> Option<String> {
    let mut words = text.split_whitespace();
    Some(format!("{} {}", words.next()?, words.next()?))
}

/// Whether the toolchain has the `library` (`std` or `core`) for `target`.
pub fn has(target: &str, library: &str) -> bool {
    let mut rustc = rustc();
    rustc.args(["--print", "target-libdir", "--target", target]);
    let Ok(dir) = process::output(&mut rustc) else {
        return false;
    };
    let prefix = format!("lib{library}-");
    fs::read_dir(dir).is_ok_and(|entries| {
        entries
            .flatten()
            .any(|entry| entry.file_name().to_string_lossy().starts_with(&prefix))
    })
}

/// Whether there is a rustup to add targets with.
pub fn has_rustup() -> bool {
    process::on_path("rustup").is_some()
}

/// Makes sure that the toolchain has the `library` for `target`; the error names the command.
pub fn add(target: &str, library: &str) -> Result<()> {
    if has(target, library) {
        return Ok(());
    }
    let by_hand = format!("rustup target add {target}");
    if !has_rustup() {
        bail!("the active toolchain has no {target}; install rustup, then run `{by_hand}`");
    }
    println!("  installing the target {target} with rustup");
    let mut rustup = process::command("rustup", ["target", "add", target]);
    if let Err(error) = process::run_within(&mut rustup, RUSTUP_LIMIT) {
        bail!("the active toolchain has no {target} and {error:#}; run it by hand");
    }
    if !has(target, library) {
        bail!("`{by_hand}` changed another toolchain than the active one; run it for that one");
    }
    Ok(())
}

/// The name of the machine's target, such as `x86_64-unknown-linux-gnu`.
pub fn host() -> Result<String> {
    let text = process::output(rustc().arg("-vV"))?;
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).context("`rustc -vV` names no host")
}

/// Makes sure that the toolchain has the source of the standard library; the error names the command.
pub fn add_source() -> Result<()> {
    let by_hand = "rustup component add rust-src";
    let sysroot = process::output(rustc().args(["--print", "sysroot"]))?;
    let source = Path::new(&sysroot).join("lib/rustlib/src/rust/library");
    if source.is_dir() {
        return Ok(());
    }
    if !has_rustup() {
        bail!("the active toolchain has no source; install rustup, then run `{by_hand}`");
    }
    println!("  installing the source of the standard library with rustup");
    let mut rustup = process::command("rustup", ["component", "add", "rust-src"]);
    if let Err(error) = process::run_within(&mut rustup, RUSTUP_LIMIT) {
        bail!("the active toolchain has no source and {error:#}; run it by hand");
    }
    if !source.is_dir() {
        bail!("`{by_hand}` changed another toolchain than the active one; run it for that one");
    }
    Ok(())
}

fn rustc() -> Command {
    Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_version_has_no_commit() {
        let short = short_version("rustc 1.95.0 (59807616e 2026-04-14)");
        assert_eq!(short.as_deref(), Some("rustc 1.95.0"));
        assert_eq!(short_version("rustc"), None);
    }
}
