//! Why a configuration has no answer.

use alloc::{format, string::String};

use spillgate_config::Diagnostic;

/// The sentence about an error of a configuration.
pub(crate) fn rejection(error: &Diagnostic) -> String {
    let line = error.position.map(|at| format!(", line {}", at.line));
    let line = line.unwrap_or_default();
    format!("Envoy rejects the configuration{line}: {}", error.message)
}
