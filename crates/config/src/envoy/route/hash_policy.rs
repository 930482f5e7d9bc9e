//! `RouteAction.hash_policy`.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use spillgate_core::route::{CookieSource, HashPolicy, HashSource};

use crate::{
    envoy::{
        facts::CookieFacts,
        matcher::read_rewrite,
        schema::{
            CONNECTION_PROPERTIES, COOKIE_ATTRIBUTE, HASH_POLICY, HASH_POLICY_COOKIE,
            HASH_POLICY_HEADER, HASH_POLICY_KEY, HASH_POLICY_NAME,
        },
    },
    proto::{Message, Report, Schema},
};

const KINDS: [&str; 5] = [
    "header",
    "cookie",
    "connection_properties",
    "query_parameter",
    "filter_state",
];

/// Reads a list of policies. A policy that is not modeled gets a warning and is omitted: its
/// requests are hashed by the remaining policies.
pub(crate) fn read_hash_policies(
    parent: &Message<'_, '_>,
    field: &'static str,
    report: &mut Report,
) -> Vec<HashPolicy> {
    read_with_cookies(parent, field, &mut Vec::new(), report)
}

/// As [`read_hash_policies`]. `cookies`: for lint, those of the policies.
pub(super) fn read_with_cookies(
    parent: &Message<'_, '_>,
    field: &'static str,
    cookies: &mut Vec<CookieFacts>,
    report: &mut Report,
) -> Vec<HashPolicy> {
    let mut policies = Vec::new();
    for (path, node) in parent.list(field, report) {
        let Some(message) = Message::open(node, path, &HASH_POLICY, report) else {
            continue;
        };
        message.one_of(&KINDS, report);
        let terminal = message.bool("terminal", report).unwrap_or(false);
        if let Some(source) = read_source(&message, cookies, report) {
            policies.push(HashPolicy { source, terminal });
        }
    }
    policies
}

fn read_source(
    message: &Message<'_, '_>,
    cookies: &mut Vec<CookieFacts>,
    report: &mut Report,
) -> Option<HashSource> {
    let Some(kind) = KINDS.into_iter().find(|kind| message.has(kind)) else {
        message
            .error("header", "config/missing", "empty hash policy")
            .expected(format!("one of {}", KINDS.join(", ")))
            .push_to(report);
        return None;
    };
    match kind {
        "header" => read_header(message, report),
        "cookie" => read_cookie(message, cookies, report),
        "query_parameter" => {
            let name = name_of(message, kind, &HASH_POLICY_NAME, "name", report)?;
            Some(HashSource::QueryParameter { name })
        }
        "filter_state" => {
            let key = name_of(message, kind, &HASH_POLICY_KEY, "key", report)?;
            if report.is_strict() {
                not_yet(message, kind, report);
            }
            Some(HashSource::FilterState { key })
        }
        _ => {
            let properties = message.message(kind, &CONNECTION_PROPERTIES, report)?;
            // Without the address, Envoy skips the policy, terminal or not.
            let source_ip = properties.bool("source_ip", report).unwrap_or(false);
            if source_ip && report.is_strict() {
                not_yet(message, kind, report);
            }
            source_ip.then_some(HashSource::SourceIp)
        }
    }
}

fn read_header(message: &Message<'_, '_>, report: &mut Report) -> Option<HashSource> {
    let header = message.message("header", &HASH_POLICY_HEADER, report)?;
    let name = header.required_string("header_name", report);
    let rewrite = if header.has("regex_rewrite") {
        match read_rewrite(&header, "regex_rewrite", report) {
            Ok(rewrite) => Some(rewrite?),
            Err(field) => {
                not_yet(&header, field, report);
                return None;
            }
        }
    } else {
        None
    };
    Some(HashSource::Header {
        name: name.map(str::to_ascii_lowercase)?,
        rewrite,
    })
}

fn read_cookie(
    message: &Message<'_, '_>,
    cookies: &mut Vec<CookieFacts>,
    report: &mut Report,
) -> Option<HashSource> {
    let cookie = message.message("cookie", &HASH_POLICY_COOKIE, report)?;
    let name = cookie.required_string("name", report);
    let ttl = cookie.duration("ttl", report);
    let path = cookie.string("path", report);
    if report.is_judged() {
        cookies.push(CookieFacts::of(&cookie, name, path, ttl));
    }
    let ttl = ttl.map(|ttl| ttl.as_secs());
    if ttl.is_some() && report.is_strict() {
        // Generated from both addresses of the connection.
        not_yet(&cookie, "ttl", report);
    }
    let mut attributes = Vec::new();
    for (path, node) in cookie.list("attributes", report) {
        if let Some(attribute) = Message::open(node, path, &COOKIE_ATTRIBUTE, report)
            && let Some(name) = attribute.required_string("name", report)
        {
            let value = attribute.string("value", report).unwrap_or_default();
            attributes.push((name.to_string(), value.to_string()));
        }
    }
    Some(HashSource::Cookie(CookieSource {
        name: name?.into(),
        ttl,
        path: path.unwrap_or_default().into(),
        attributes,
    }))
}

fn name_of(
    message: &Message<'_, '_>,
    kind: &'static str,
    schema: &Schema,
    field: &'static str,
    report: &mut Report,
) -> Option<String> {
    let inner = message.message(kind, schema, report)?;
    inner.required_string(field, report).map(String::from)
}

fn not_yet(message: &Message<'_, '_>, what: &'static str, report: &mut Report) {
    report.missing_feature(
        "config/hash-policy-not-modeled",
        &format!("a hash policy with {what}"),
        "ignored",
        &message.path.field(what),
        message.position_of(what),
    );
}
