//! Updates that a running Envoy rejected, as findings.

use alloc::{format, string::ToString as _, vec::Vec};

use spillgate_config::{Diagnostic, Position, envoy::EnvoyConfig};

use crate::finding::{Finding, Severity};

/// The rule of these findings. It has no check of its own: the reader of the dump finds them.
pub const CONFIG_REJECTED: &str = "config-rejected";

/// Its description.
pub const CONFIG_REJECTED_SUMMARY: &str =
    "Envoy rejected the last update of a resource, and uses the previous version";

/// The code of the reader's warning.
const REFUSED: &str = "config/dump-refused";

/// The updates in a dump that its Envoy rejected. Envoy shows a rejected listener twice.
#[must_use]
pub fn rejected_updates(config: &EnvoyConfig) -> Vec<Finding> {
    let refused = |found: &&Diagnostic| found.code == REFUSED;
    let found = config.warnings.iter().filter(refused).map(finding);
    let mut findings: Vec<Finding> = found.collect();
    findings.dedup_by(|again, first| again.cause == first.cause);
    findings
}

fn finding(refused: &Diagnostic) -> Finding {
    Finding {
        rule: CONFIG_REJECTED,
        severity: Severity::Error,
        path: refused.path.clone(),
        position: refused.position.unwrap_or(Position::START),
        cause: format!(
            "Envoy rejected the last update: {}",
            refused.found.as_deref().unwrap_or_default()
        ),
        effect: "the previous version serves, and the change is not in place".to_string(),
        fix: "correct the resource, and deliver it again".to_string(),
        plan: Vec::new(),
    }
}
