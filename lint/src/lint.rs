//! Running the catalogue.

use alloc::{format, vec::Vec};

use spillgate_config::envoy::EnvoyConfig;
use spillgate_core::order;

use crate::{
    catalogue::RULES,
    context::Context,
    finding::Finding,
    rule::{Rule, Sink},
};

/// How many findings of a rule are kept: a text with more is beyond reading them one by one.
const MAXIMUM: usize = 1000;

/// Everything that the rules find, in the order of the text.
#[must_use]
pub fn lint(config: &EnvoyConfig) -> Vec<Finding> {
    let context = Context::new(config);
    let findings = RULES.iter().flat_map(|rule| of_rule(&context, rule));
    order::sorted(findings.collect(), |a, b| a.position.cmp(&b.position))
}

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
        let more = format!(" (and {further} further findings of this rule)");
        last.effect.push_str(&more);
    }
    findings
}
