//! Runs the catalog.

use alloc::vec::Vec;

use spillgate_config::envoy::EnvoyConfig;
use spillgate_core::order;

use crate::{catalog::RULES, context::Context, finding::Finding, sink::Sink};

/// All findings of all rules, in text order.
///
/// The configuration must come from `read_for_lint`, which keeps the settings that rules need.
///
/// # Examples
/// ```
/// use spillgate_config::envoy::{Format, ReadOptions, read_for_lint};
/// use spillgate_lint::lint;
///
/// let text = r#"{"name": "c", "lb_policy": "RANDOM", "load_assignment": {"cluster_name": "c",
///     "endpoints": [{"lb_endpoints": [{"load_balancing_weight": 5, "endpoint": {"address":
///         {"socket_address": {"address": "10.0.0.1", "port_value": 80}}}},
///         {"load_balancing_weight": 1, "endpoint": {"address":
///         {"socket_address": {"address": "10.0.0.2", "port_value": 80}}}}]}]}}"#;
/// let config = read_for_lint(text, Format::Json, &ReadOptions::default())?;
/// let findings = lint(&config);
/// assert!(findings.iter().any(|finding| finding.rule == "random-ignores-weights"));
/// # Ok::<(), Vec<spillgate_config::Diagnostic>>(())
/// ```
#[must_use]
pub fn lint(config: &EnvoyConfig) -> Vec<Finding> {
    let context = Context::new(config);
    let findings = RULES
        .iter()
        .flat_map(|rule| Sink::collect(rule.id, rule.severity, |sink| (rule.check)(&context, sink)))
        .map(|(_, mut finding)| {
            finding.name_files(&config.sources);
            finding
        })
        .collect();
    order::sorted(findings, |a: &Finding, b| a.position.cmp(&b.position))
}
