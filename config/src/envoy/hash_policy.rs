//! `RouteAction.hash_policy`.

use alloc::{format, vec::Vec};

use spillgate_core::route::{HashPolicy, HashSource};

use super::schema::{HASH_POLICY, HASH_POLICY_HEADER};
use crate::proto::{Message, Report};

const KINDS: [&str; 5] = [
    "header",
    "cookie",
    "connection_properties",
    "query_parameter",
    "filter_state",
];

/// The header policies of a list. A policy of another kind is named and left out: requests that
/// it would hash are then balanced by the policies that remain.
pub(crate) fn read_hash_policies(
    parent: &Message<'_, '_>,
    field: &'static str,
    report: &mut Report,
) -> Vec<HashPolicy> {
    let mut policies = Vec::new();
    for (path, node) in parent.list(field, report) {
        let Some(message) = Message::open(node, path, &HASH_POLICY, report) else {
            continue;
        };
        message.one_of(&KINDS, report);
        let terminal = message.bool("terminal", report).unwrap_or(false);
        if let Some(source) = read_source(&message, report) {
            policies.push(HashPolicy { source, terminal });
        }
    }
    policies
}

fn read_source(message: &Message<'_, '_>, report: &mut Report) -> Option<HashSource> {
    let Some(kind) = KINDS.into_iter().find(|kind| message.has(kind)) else {
        report.push(
            message
                .error(
                    "header",
                    "config/missing",
                    "a hash policy that hashes nothing",
                )
                .expected("header"),
        );
        return None;
    };
    if kind != "header" {
        not_yet(message, kind, report);
        return None;
    }
    let header = message.message("header", &HASH_POLICY_HEADER, report)?;
    let name = header.required_string("header_name", report);
    if header.has("regex_rewrite") {
        not_yet(&header, "regex_rewrite", report);
        return None;
    }
    Some(HashSource::Header {
        name: name.map(str::to_ascii_lowercase)?,
        rewrite: None,
    })
}

fn not_yet(message: &Message<'_, '_>, what: &'static str, report: &mut Report) {
    report.missing_feature(
        "config/hash-policy-not-modelled",
        &format!("a hash policy with {what}"),
        "the policy is left out",
        &message.path.field(what),
        message.position_of(what),
    );
}
