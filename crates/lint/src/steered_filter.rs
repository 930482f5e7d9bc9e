//! Configurations of Spillgate filters, as findings.

use alloc::{string::ToString as _, vec::Vec};

use spillgate_config::{
    Diagnostic, Position,
    envoy::EnvoyConfig,
    steered::{rejected_poller, steering_configs},
};

use crate::finding::{Finding, Severity};

/// The rule of these findings. It has no check of its own: the reader of the filter finds them.
pub const FILTER_REJECTED: &str = "filter-rejected";

/// Its description.
pub const FILTER_REJECTED_SUMMARY: &str =
    "Spillgate filter rejects its configuration, or a setting of it acts for some requests only";

/// The filters that reject their configuration, and their settings that act for some requests only.
#[must_use]
pub fn rejected_filters(config: &EnvoyConfig) -> Vec<Finding> {
    let read = config.listeners.iter().map(steering_configs);
    let found = read.flat_map(|read| read.warnings);
    // Rules of their own report these.
    const OTHERS: [&str; 2] = ["config/hosts-not-published", "config/polls-blocked"];
    let found = found.filter(|warning| !OTHERS.contains(&warning.code));
    let extensions = config.facts.extensions.iter().flatten();
    let pollers = extensions.filter_map(rejected_poller);
    found
        .map(|warning| finding(&warning, REFUSED))
        .chain(pollers.map(|warning| finding(&warning, UNPOLLED)))
        .collect()
}

/// The code of plugins that reject their configuration.
const REJECTED: &str = "config/filter-rejected";
const REFUSED: &str =
    "Envoy refuses the listener or the update, so this configuration is not in place";
const UNPOLLED: &str = "nothing polls hosts and health for the filters that read this poller";

/// The effect of a rejected configuration is `refused`.
fn finding(warning: &Diagnostic, refused: &str) -> Finding {
    let (severity, effect) = if warning.code == REJECTED {
        (Severity::Error, refused)
    } else {
        (Severity::Warning, "these requests can reach all hosts")
    };
    let expected = warning.expected.as_deref();
    Finding {
        rule: FILTER_REJECTED,
        severity,
        path: warning.path.clone(),
        position: warning.position.unwrap_or(Position::START),
        cause: warning.message.clone(),
        effect: effect.to_string(),
        fix: expected.unwrap_or("correct the configuration").to_string(),
        plan: Vec::new(),
    }
}
