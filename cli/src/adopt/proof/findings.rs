//! The errors of lint.

use spillgate_answers::input::Faults;
use spillgate_config::Diagnostic;
use spillgate_lint::{Finding, Severity, lint, rejected_filters};

use crate::config::Config;

/// Checks that the new configuration has no errors that the old one does not have.
///
/// # Errors
/// The new errors.
pub(super) fn check(before: &Config, after: &Config) -> Result<(), Faults> {
    let known = errors(before);
    let mut faults = Faults::default();
    for finding in errors(after) {
        if known.iter().any(|other| other.rule == finding.rule) {
            continue;
        }
        let line = format!("{}: {}", finding.rule, finding.message());
        let fault =
            Diagnostic::error("adopt/lint", line).at(finding.path.as_str(), finding.position);
        faults.push(after, &fault);
    }
    if faults.is_empty() {
        Ok(())
    } else {
        Err(faults)
    }
}

fn errors(config: &Config) -> Vec<Finding> {
    let mut found = lint(&config.envoy);
    found.extend(rejected_filters(&config.envoy));
    found.retain(|finding| finding.severity == Severity::Error);
    found
}
