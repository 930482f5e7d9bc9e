//! Settings that are not modeled, as findings.

use alloc::{string::ToString as _, vec::Vec};

use spillgate_config::{Diagnostic, Position, envoy::EnvoyConfig};

use crate::finding::{Finding, Severity};

/// The rule of these findings. It has no check of its own: the reader of the configuration finds them.
pub const NOT_MODELED: &str = "not-modeled";

/// Its description.
pub const NOT_MODELED_SUMMARY: &str = "setting that is not modeled: the rules do not consider it";

/// The settings that are not modeled, in text order: no rule considers them, and predicted figures can
/// differ from Envoy.
#[must_use]
pub fn not_modeled(config: &EnvoyConfig) -> Vec<Finding> {
    config.limits().map(finding).collect()
}

fn finding(limit: &Diagnostic) -> Finding {
    let text = limit.message.as_str();
    let (cause, effect) = text
        .split_once("; ")
        .unwrap_or((text, "the figures can differ from Envoy"));
    Finding {
        rule: NOT_MODELED,
        severity: Severity::Info,
        path: limit.path.clone(),
        position: limit.position.unwrap_or(Position::START),
        cause: cause.to_string(),
        effect: effect.to_string(),
        fix: "check the effect of this setting with a running Envoy".to_string(),
        plan: Vec::new(),
    }
}
