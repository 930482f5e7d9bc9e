//! `subset_chain`: the subset fallback chain.

use alloc::{sync::Arc, vec::Vec};

use spillgate_core::model::{ChainHosts, ChainStep, FallbackChain, PanicThreshold};

use crate::{
    Diagnostic,
    envoy::read_metadata,
    node::NodeValue,
    proto::{Message, Report, Schema},
};

/// A step of the subset fallback chain.
pub(super) static STEP: Schema = Schema::new(
    "subset_chain[]",
    "keys match any min_healthy_hosts min_healthy_percent panic_threshold last_resort retry",
);

/// The hosts that follow the chosen one in the host list (`subset_chain[].retry`).
pub(super) static RETRY: [(&str, i64, bool); 2] = [("same_step", 0, false), ("next_step", 1, true)];

/// Reads the chain; empty if it is absent, or after an error.
#[expect(
    clippy::disallowed_methods,
    reason = "every error of a chain is reported by its field"
)]
pub fn read_chain(parent: &Message<'_, '_>, report: &mut Report) -> FallbackChain {
    let nodes: Vec<_> = parent.list("subset_chain", report).collect();
    let last = nodes.len().saturating_sub(1);
    let mut steps = Vec::new();
    for (at, (path, node)) in nodes.into_iter().enumerate() {
        let Some(message) = Message::open(node, path, &STEP, report) else {
            continue;
        };
        let step = read_step(&message, report);
        if at != last && step.as_ref().is_some_and(|step| step.last_resort) {
            let fault = "last_resort is allowed only in the last step";
            report.push(message.error("last_resort", "config/value", fault));
        }
        if at == last && step.as_ref().is_some_and(|step| step.retry_next_step) {
            let fault = "the last step has no next step";
            report.push(message.error("retry", "config/value", fault));
        }
        steps.extend(step);
    }
    FallbackChain::new(steps).unwrap_or_default()
}

fn read_step(message: &Message<'_, '_>, report: &mut Report) -> Option<ChainStep> {
    let hosts = read_hosts(message, report);
    let percent = |field, report: &mut Report| {
        let percent = message.u32(field, report)?;
        if percent > 100 {
            message.out_of_range(field, "an integer from 0 to 100", report);
        }
        Some(percent)
    };
    let min_healthy_percent = percent("min_healthy_percent", report).unwrap_or(0);
    let panic_threshold = percent("panic_threshold", report).unwrap_or(0);
    Some(ChainStep {
        hosts: hosts?,
        min_healthy_hosts: message.u32("min_healthy_hosts", report).unwrap_or(1),
        min_healthy_percent,
        panic_threshold: PanicThreshold::from_percent(panic_threshold.into()),
        last_resort: message.bool("last_resort", report).unwrap_or(false),
        retry_next_step: message
            .enumeration("retry", &RETRY, report)
            .unwrap_or(false),
    })
}

fn read_hosts(message: &Message<'_, '_>, report: &mut Report) -> Option<ChainHosts> {
    for pair in [["keys", "match"], ["keys", "any"], ["match", "any"]] {
        message.one_of(&pair, report);
    }
    if message.has("keys") {
        let mut keys: Vec<Arc<str>> = Vec::new();
        for node in message.strings("keys", report) {
            if let NodeValue::String(key) = &node.value {
                keys.push((&**key).into());
            }
        }
        if keys.is_empty() {
            let fault = "step without keys";
            message
                .error("keys", "config/value", fault)
                .expected("at least one key")
                .push_to(report);
        }
        return Some(ChainHosts::Keys(keys));
    }
    if message.has("match") {
        let wanted = read_metadata(message, "match", report);
        if wanted.is_empty() {
            let fault = "empty match";
            message
                .error("match", "config/value", fault)
                .expected("any: true to match all hosts")
                .push_to(report);
        }
        return Some(ChainHosts::Match(wanted));
    }
    if message.bool("any", report) == Some(true) {
        return Some(ChainHosts::Any);
    }
    Diagnostic::error("config/missing", "step without hosts")
        .at(message.path.text(), message.position)
        .expected("keys, match or any: true")
        .push_to(report);
    None
}
