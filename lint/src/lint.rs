//! Running the catalogue.

use alloc::vec::Vec;

use spillgate_config::envoy::EnvoyConfig;
use spillgate_core::order;

use crate::{catalogue::RULES, context::Context, finding::Finding, rule::Sink};

/// Everything that the rules find, in the order of the text.
#[must_use]
pub fn lint(config: &EnvoyConfig) -> Vec<Finding> {
    let context = Context::new(config);
    let mut findings = Vec::new();
    for rule in RULES {
        let findings = &mut findings;
        (rule.check)(&context, &mut Sink { rule, findings });
    }
    order::sorted(findings, |a, b| a.position.cmp(&b.position))
}
