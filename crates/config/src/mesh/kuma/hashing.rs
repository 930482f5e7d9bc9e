//! `hashPolicies`.

use alloc::{string::String, vec::Vec};

use spillgate_mesh::kuma::{KumaHashCookie, KumaHashPolicy};

use crate::proto::{Message, Report, Schema};

pub(super) static HASH_POLICY: Schema = Schema::new(
    "hashPolicy",
    "type terminal header cookie connection queryParameter filterState",
)
.of("MeshLoadBalancingStrategy.to.default.hashPolicies");
pub(super) static HEADER: Schema =
    Schema::new("header", "name").of("MeshLoadBalancingStrategy.to.default.hashPolicies.header");
pub(super) static COOKIE: Schema = Schema::new("cookie", "name ttl path")
    .of("MeshLoadBalancingStrategy.to.default.hashPolicies.cookie");
pub(super) static CONNECTION: Schema = Schema::new("connection", "sourceIP")
    .of("MeshLoadBalancingStrategy.to.default.hashPolicies.connection");
pub(super) static QUERY_PARAMETER: Schema = Schema::new("queryParameter", "name")
    .of("MeshLoadBalancingStrategy.to.default.hashPolicies.queryParameter");
pub(super) static FILTER_STATE: Schema = Schema::new("filterState", "key")
    .of("MeshLoadBalancingStrategy.to.default.hashPolicies.filterState");

/// Reads `hashPolicies`, if the field is present.
pub(super) fn read_hash_policies(
    parent: &Message<'_, '_>,
    report: &mut Report,
) -> Option<Vec<KumaHashPolicy>> {
    if !parent.has("hashPolicies") {
        return None;
    }
    let mut policies = Vec::new();
    for (path, node) in parent.items("hashPolicies", report) {
        let policy = Message::open(node, path, &HASH_POLICY, report);
        policies.push(policy.map_or_else(KumaHashPolicy::default, |policy| {
            read_hash_policy(&policy, report)
        }));
    }
    Some(policies)
}

fn read_hash_policy(policy: &Message<'_, '_>, report: &mut Report) -> KumaHashPolicy {
    let cookie = policy.message("cookie", &COOKIE, report);
    let connection = policy.message("connection", &CONNECTION, report);
    let mut name = |block, schema, field| -> Option<String> {
        let block = policy.message(block, schema, report)?;
        Some(block.text(field, report))
    };
    let header = name("header", &HEADER, "name");
    let query_parameter = name("queryParameter", &QUERY_PARAMETER, "name");
    let filter_state = name("filterState", &FILTER_STATE, "key");
    KumaHashPolicy {
        kind: policy.text("type", report),
        terminal: policy.bool("terminal", report),
        header,
        cookie: cookie.map(|cookie| KumaHashCookie {
            name: cookie.text("name", report),
            ttl_ms: cookie.milliseconds("ttl", report),
            path: cookie.string("path", report).map(Into::into),
        }),
        connection: connection.map(|block| block.bool("sourceIP", report).unwrap_or(false)),
        query_parameter,
        filter_state,
    }
}
