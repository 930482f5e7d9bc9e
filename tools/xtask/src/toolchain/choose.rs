//! Carries out the decision of [`super::path`] and prints it. [`Project::toolchain`] keeps it, so
//! that this happens once in a process.
//!
//! [`Project::toolchain`]: crate::project::Project::toolchain

use anyhow::{Result, anyhow};

use super::path::{self, ToolchainFacts, ToolchainStep};
use super::{Debian, TARGET, ToolchainPath, ToolchainRequest, active};

/// A toolchain that builds for [`TARGET`].
pub enum Toolchain {
    /// The active toolchain has the standard library. The version is like `rustc 1.95.0`.
    Rustup { rustc: String },
    /// Debian's toolchain builds the standard library.
    Debian(Debian),
}

impl Toolchain {
    /// Which of the two paths it is.
    pub fn path(&self) -> ToolchainPath {
        match self {
            Self::Rustup { .. } => ToolchainPath::Rustup,
            Self::Debian(_) => ToolchainPath::Debian,
        }
    }

    /// The compiler and its version, like `rustc 1.95.0`.
    pub fn rustc(&self) -> &str {
        match self {
            Self::Rustup { rustc } => rustc,
            Self::Debian(debian) => &debian.rustc,
        }
    }
}

/// Finds or installs the toolchain and prints which one and why, in one line.
pub fn choose(request: Option<ToolchainRequest>) -> Result<Toolchain> {
    let facts = ToolchainFacts {
        request: request.map(|request| request.path),
        active_has_target: active::has(TARGET, "std"),
        debian_complete: Debian::find().is_some(),
        rustup_present: active::has_rustup(),
    };
    let mut reasons = Vec::new();
    for step in path::steps(&facts) {
        match take(*step) {
            Ok(toolchain) => {
                let reason = reason(request, *step);
                let (name, rustc) = (toolchain.path().name(), toolchain.rustc());
                println!("toolchain: {name}, {rustc} ({reason})");
                return Ok(toolchain);
            }
            Err(error) => reasons.push(format!("{error:#}")),
        }
    }
    if !facts.rustup_present && facts.request != Some(ToolchainPath::Debian) {
        // There was no step for rustup, but the user can install it.
        let missing = active::add(TARGET, "std").err();
        reasons.splice(0..0, missing.map(|error| error.to_string()));
    }
    let reasons = reasons.join("; or: ");
    Err(match request {
        Some(request) => anyhow!("{request}: {reasons}"),
        None => anyhow!("no toolchain builds {TARGET}: {reasons}"),
    })
}

fn take(step: ToolchainStep) -> Result<Toolchain> {
    match step {
        ToolchainStep::UseActive | ToolchainStep::AddTarget => {
            active::add(TARGET, "std")?;
            let rustc = active::version()?;
            Ok(Toolchain::Rustup { rustc })
        }
        ToolchainStep::UseDebian | ToolchainStep::InstallDebian => {
            Debian::find_or_install().map(Toolchain::Debian)
        }
    }
}

fn reason(request: Option<ToolchainRequest>, step: ToolchainStep) -> String {
    match (request, step) {
        (Some(request), _) => format!("chosen by {}", request.source),
        (None, ToolchainStep::UseActive) => format!("has {TARGET}"),
        (None, ToolchainStep::AddTarget) => format!("rustup added {TARGET}"),
        (None, ToolchainStep::UseDebian) => format!("the active toolchain has no {TARGET}"),
        (None, ToolchainStep::InstallDebian) => format!("installed; nothing else builds {TARGET}"),
    }
}
