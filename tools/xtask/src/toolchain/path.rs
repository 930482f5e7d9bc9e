//! Which toolchain builds WebAssembly: what the user can request, and the rule that decides.
//!
//! The rule is a function of facts about the machine, so that tests cover machines that we do not
//! have. [`super::choose`] collects the facts and carries out the steps.

use std::ffi::{OsStr, OsString};
use std::{env, fmt};

use anyhow::{Context as _, Result, bail};

/// The option of every command.
pub const OPTION: &str = "--toolchain";
/// The environment variable for the same; child processes get the decision through it.
pub const VARIABLE: &str = "SPILLGATE_TOOLCHAIN";

/// The two ways to build for WebAssembly. Their modules differ in size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ToolchainPath {
    /// The active toolchain and its prebuilt standard library, as `rustup target add` installs it.
    Rustup,
    /// Debian's toolchain, which builds the standard library from source (`-Zbuild-std`).
    Debian,
}

impl ToolchainPath {
    /// The name in options, variables and output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rustup => "rustup",
            Self::Debian => "debian",
        }
    }
}

/// A path that the user chose, and where.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ToolchainRequest {
    pub path: ToolchainPath,
    /// [`OPTION`] or [`VARIABLE`].
    pub source: &'static str,
}

impl ToolchainRequest {
    /// Removes the option from `arguments`, wherever it is, and reads it; without it, the
    /// environment variable decides.
    pub fn take(arguments: &mut Vec<OsString>) -> Result<Option<Self>> {
        let variable = env::var_os(VARIABLE).filter(|value| !value.is_empty());
        match (take_option(arguments)?, variable) {
            (Some(value), _) => Self::parse(&value, OPTION).map(Some),
            (None, Some(value)) => Self::parse(&value, VARIABLE).map(Some),
            (None, None) => Ok(None),
        }
    }

    fn parse(value: &OsStr, source: &'static str) -> Result<Self> {
        let path = match value.to_str() {
            Some("rustup") => ToolchainPath::Rustup,
            Some("debian") => ToolchainPath::Debian,
            _ => bail!(
                "{source}: unknown toolchain `{}`, expected rustup or debian",
                value.display()
            ),
        };
        Ok(Self { path, source })
    }
}

impl fmt::Display for ToolchainRequest {
    /// As the user typed it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let separator = if self.source == VARIABLE { '=' } else { ' ' };
        write!(f, "{}{separator}{}", self.source, self.path.name())
    }
}

fn take_option(arguments: &mut Vec<OsString>) -> Result<Option<OsString>> {
    let mut found = None;
    let mut at = 0;
    while let Some(argument) = arguments.get(at).filter(|argument| *argument != "--") {
        let joined = argument.to_str().and_then(|text| text.strip_prefix(OPTION));
        match joined.map(|rest| rest.strip_prefix('=').ok_or(rest)) {
            Some(Ok(value)) => {
                found = Some(value.into());
                arguments.remove(at);
            }
            Some(Err("")) => {
                arguments.remove(at);
                let value = (at < arguments.len()).then(|| arguments.remove(at));
                found = Some(value.context("--toolchain needs a value: rustup or debian")?);
            }
            _ => at += 1,
        }
    }
    Ok(found)
}

/// What decides.
#[derive(Clone, Copy)]
pub struct ToolchainFacts {
    pub request: Option<ToolchainPath>,
    /// The active toolchain has a standard library for the target.
    pub active_has_target: bool,
    /// Debian's toolchain is installed with all its parts and new enough.
    pub debian_complete: bool,
    pub rustup_present: bool,
}

/// One attempt to get a toolchain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ToolchainStep {
    UseActive,
    UseDebian,
    /// `rustup target add`, then the active toolchain.
    AddTarget,
    InstallDebian,
}

/// The attempts in order; the first that succeeds decides. A request never falls back to the other
/// path. Without one, an installed toolchain comes before one that must be downloaded.
pub fn steps(facts: &ToolchainFacts) -> &'static [ToolchainStep] {
    use ToolchainPath::{Debian, Rustup};
    use ToolchainStep::{AddTarget, InstallDebian, UseActive, UseDebian};
    match facts.request {
        Some(Rustup) | None if facts.active_has_target => &[UseActive],
        Some(Rustup) if facts.rustup_present => &[AddTarget],
        Some(Rustup) => &[],
        Some(Debian) | None if facts.debian_complete => &[UseDebian],
        None if facts.rustup_present => &[AddTarget, InstallDebian],
        Some(Debian) | None => &[InstallDebian],
    }
}

#[cfg(test)]
#[path = "path_tests.rs"]
mod tests;
