//! The hash policy of a TCP or UDP proxy.

use alloc::{string::ToString as _, vec::Vec};

use spillgate_core::route::{HashPolicy, HashSource};

use crate::{
    Diagnostic,
    proto::{Message, Report, Schema},
};

/// Reads the policies of a list, of which Envoy accepts one. `source` reports a policy without a source.
pub(super) fn read_hash_policies(
    message: &Message<'_, '_>,
    field: &'static str,
    schema: &Schema,
    source: impl Fn(&Message<'_, '_>, &mut Report) -> Option<HashSource>,
    report: &mut Report,
) -> Vec<HashPolicy> {
    let mut policies = Vec::new();
    for (path, node) in message.list(field, report) {
        let policy = Message::open(node, path, schema, report);
        policies.extend(policy.and_then(|policy| {
            Some(HashPolicy {
                source: source(&policy, report)?,
                terminal: false,
            })
        }));
    }
    if policies.len() > 1 {
        let fault = message.error(field, "config/value", "several hash policies");
        report.push(Diagnostic {
            found: Some(policies.len().to_string()),
            ..fault.expected("at most one")
        });
    }
    policies
}
