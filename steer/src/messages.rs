//! Log messages about configurations.

use alloc::{format, string::String};

/// The message about an invalid configuration, with one line for each fault.
#[must_use]
pub fn rejected(faults: &[String]) -> String {
    // The environment may try it in a new context, which knows of no previous one.
    let listed = listed(faults);
    format!("spillgate: configuration rejected; a previous one keeps serving; {listed}")
}

/// The message about settings without the expected effect, with one line for each; `None` without any.
#[must_use]
pub fn warned(warnings: &[String]) -> Option<String> {
    (!warnings.is_empty()).then(|| format!("spillgate: {}", listed(warnings)))
}

/// All findings, each on its own line.
fn listed(findings: &[String]) -> String {
    let noun = if findings.len() == 1 {
        "finding"
    } else {
        "findings"
    };
    format!("{} {noun}:\n{}", findings.len(), findings.join("\n"))
}
