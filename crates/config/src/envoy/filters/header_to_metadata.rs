//! `envoy.filters.http.header_to_metadata`.

use alloc::vec::Vec;

use spillgate_core::route::{HeaderRule, KeyValue, RuleSource, ValueType};

use crate::{
    envoy::{
        facts::HeaderMove,
        matcher::read_rewrite,
        schema::{HEADER_RULE, HEADER_TO_METADATA, KEY_VALUE},
    },
    node::Node,
    proto::{Any, Message, Path, Report},
};

/// The type of `header_to_metadata`, after the prefix.
pub(crate) const HEADER_TO_METADATA_TYPE: &str = "header_to_metadata.v3.Config";

/// The values of `Config.ValueType`.
pub(crate) const VALUE_TYPE: [(&str, i64, ValueType); 3] = [
    ("STRING", 0, ValueType::String),
    ("NUMBER", 1, ValueType::Number),
    ("PROTOBUF_VALUE", 2, ValueType::ProtobufValue),
];

/// The values of `Config.ValueEncode`.
pub(crate) const ENCODING: [(&str, i64, bool); 2] = [("NONE", 0, false), ("BASE64", 1, true)];

/// The namespace of rules that name none.
const DEFAULT_NAMESPACE: &str = "envoy.filters.http.header_to_metadata";

/// Where rules are configured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RuleScope {
    /// In the filter chain.
    Chain,
    /// In a route's override, which must not be empty.
    Route,
}

/// Reads the rules for requests. `moves`: for lint, those that read a header.
pub(super) fn read_header_to_metadata(
    any: Any<'_, '_>,
    scope: RuleScope,
    moves: &mut Vec<HeaderMove>,
    report: &mut Report,
) -> Vec<HeaderRule> {
    let mut rules = Vec::new();
    let Some(message) = any.open(&HEADER_TO_METADATA, report) else {
        return rules;
    };
    let mut empty = !message.has("response_rules");
    for (path, node) in message.list("request_rules", report) {
        empty = false;
        let place = path.clone();
        if let Some(rule) = read_rule(node, path, report) {
            if report.is_judged() {
                moves.extend(HeaderMove::of(&rule, &place, node.position));
            }
            rules.push(rule);
        }
    }
    if empty && scope == RuleScope::Route {
        let what = "override without rules";
        report.push(message.error("request_rules", "config/missing", what));
    }
    rules
}

fn read_rule(node: &Node<'_>, path: Path, report: &mut Report) -> Option<HeaderRule> {
    let rule = Message::open(node, path, &HEADER_RULE, report)?;
    let text = |field, report: &mut Report| {
        let text = rule.string(field, report);
        text.filter(|text| !text.is_empty())
    };
    let header = text("header", report);
    let cookie = text("cookie", report);
    let remove = rule.bool("remove", report).unwrap_or(false);
    if !rule.has("on_header_present") && !rule.has("on_header_missing") {
        let what = "rule without effect";
        rule.error("on_header_present", "config/missing", what)
            .expected("on_header_present or on_header_missing")
            .push_to(report);
    }
    let on_present = read_key_value(&rule, "on_header_present", report);
    let on_missing = read_key_value(&rule, "on_header_missing", report);
    let source = match (header, cookie) {
        (Some(name), None) => RuleSource::Header {
            name: name.to_ascii_lowercase(),
            remove,
        },
        (None, Some(name)) => {
            if remove {
                let what = "a cookie cannot be removed";
                report.push(rule.error("remove", "config/value", what));
            }
            RuleSource::Cookie(name.into())
        }
        (Some(_), Some(_)) => {
            rule.one_of(&["header", "cookie"], report);
            return None;
        }
        (None, None) => {
            rule.missing("header")
                .expected("header or cookie")
                .push_to(report);
            return None;
        }
    };
    let matters = on_present.is_some() || on_missing.is_some() || remove;
    matters.then_some(HeaderRule {
        source,
        on_present,
        on_missing,
    })
}

fn read_key_value(
    rule: &Message<'_, '_>,
    field: &'static str,
    report: &mut Report,
) -> Option<KeyValue> {
    let message = rule.message(field, &KEY_VALUE, report)?;
    message.one_of(&["value", "regex_value_rewrite"], report);
    let namespace = message
        .string("metadata_namespace", report)
        .filter(|name| !name.is_empty());
    let key = message.required_string("key", report);
    let value = message.string("value", report).unwrap_or_default();
    let value_type = message.enumeration("type", &VALUE_TYPE, report);
    let base64 = message.enumeration("encode", &ENCODING, report);
    if field == "on_header_missing" && value.is_empty() {
        let what = "on_header_missing requires a value";
        report.push(message.error("value", "config/missing", what));
    }
    let mut rewrite = None;
    if message.has("regex_value_rewrite") {
        match read_rewrite(&message, "regex_value_rewrite", report) {
            Ok(read) => rewrite = Some(read?),
            Err(field) => {
                report.missing_feature(
                    "config/filter-not-modeled",
                    "header_to_metadata with regex_value_rewrite",
                    "the key is not set",
                    &message.path.field(field),
                    message.position_of(field),
                );
                return None;
            }
        }
    }
    Some(KeyValue {
        namespace: namespace.unwrap_or(DEFAULT_NAMESPACE).into(),
        key: key?.into(),
        value: value.into(),
        rewrite,
        value_type: value_type.unwrap_or_default(),
        base64: base64.unwrap_or(false),
    })
}
