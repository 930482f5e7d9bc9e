//! The parts of policies for the inbound side of proxies, `from` and `rules`: what the proxies of the hosts do.

use crate::{
    mesh::duration::go_duration,
    node::{Node, NodeValue},
    proto::{
        Irrelevance::{Transport, UsedByOthers},
        Message, Report, Schema, field_of, limit,
    },
};

/// What limits of inbound proxies do.
const LIMITS: &str = "the proxies of hosts refuse requests beyond their own limits";

pub(super) static BREAKER_FROM: Schema = Schema::new("from", "")
    .ignored(&[(UsedByOthers, "targetRef"), (Transport, "default")])
    .over_time(&[limit("default", LIMITS).with("connectionLimits")])
    .of("MeshCircuitBreaker.from");
pub(super) static BREAKER_RULE: Schema = Schema::new("rules", "")
    .ignored(&[(Transport, "default")])
    .over_time(&[limit("default", LIMITS).with("connectionLimits")])
    .of("MeshCircuitBreaker.rules");
pub(super) static TIMEOUT_FROM: Schema = Schema::new("from", "default")
    .ignored(&[(UsedByOthers, "targetRef")])
    .of("MeshTimeout.from");
pub(super) static TIMEOUT_RULE: Schema = Schema::new("rules", "default")
    .ignored(&[(UsedByOthers, "matches")])
    .of("MeshTimeout.rules");

/// Reads the inbound side of a MeshCircuitBreaker.
pub(super) fn read_breakers(spec: &Message<'_, '_>, report: &mut Report) {
    for (field, schema) in [("from", &BREAKER_FROM), ("rules", &BREAKER_RULE)] {
        spec.messages(field, schema, report);
    }
}

/// Reads the inbound side of a MeshTimeout. Kuma creates one without a request timeout for each mesh.
pub(super) fn read_timeouts(spec: &Message<'_, '_>, report: &mut Report) {
    for (field, schema) in [("from", &TIMEOUT_FROM), ("rules", &TIMEOUT_RULE)] {
        for entry in spec.messages(field, schema, report) {
            let conf = entry.get("default");
            let Some(http) = conf.and_then(|conf| field_of(conf, "http")) else {
                continue;
            };
            for field in ["requestTimeout", "maxStreamDuration"] {
                let Some(node) = field_of(http, field).filter(|node| is_positive(node)) else {
                    continue;
                };
                let path = entry.path.field("default").field("http").field(field);
                let effect = alloc::format!(
                    "{field} of inbound proxies is not modeled; requests that take that long fail"
                );
                report.limit_over_time(effect, &path, node.position);
            }
        }
    }
}

/// Whether a duration is more than 0.
fn is_positive(node: &Node<'_>) -> bool {
    match &node.value {
        NodeValue::String(text) => go_duration(text).is_some_and(|time| !time.is_zero()),
        _ => false,
    }
}
