//! Runs the catalog.

use alloc::{format, vec::Vec};

use spillgate_config::envoy::EnvoyConfig;
use spillgate_core::order;

use crate::{
    catalog::RULES,
    context::Context,
    finding::Finding,
    rule::{Rule, Sink},
};

/// Maximum findings per rule; no one reads more.
const MAXIMUM: usize = 1000;

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
    let findings = RULES.iter().flat_map(|rule| of_rule(&context, rule));
    order::sorted(findings.collect(), |a, b| a.position.cmp(&b.position))
}

/// The findings of one rule.
fn of_rule(context: &Context<'_>, rule: &'static Rule) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut sink = Sink {
        rule,
        findings: &mut findings,
    };
    (rule.check)(context, &mut sink);
    let further = findings.len().saturating_sub(MAXIMUM);
    findings.truncate(MAXIMUM);
    if let (1.., Some(last)) = (further, findings.last_mut()) {
        let more = format!(" (and {further} more findings of this rule)");
        last.effect.push_str(&more);
    }
    findings
}
