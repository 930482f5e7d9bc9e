//! Values of different types, and lists that are one value.

use alloc::{format, string::String};
use spillgate_core::visible::quoted;

use spillgate_config::{
    envoy::facts::FilterKind,
    secret_metadata::{shown_value, without_secrets},
};
use spillgate_core::model::{Metadata, SubsetConfig, Value};

use crate::{
    context::{Context, Plain},
    figures::fate,
    finding::Severity,
    json,
    rule::Rule,
    sink::Sink,
};

/// A required value looks like one that hosts have, but has another type. Subsets compare typed
/// values: the number 1 differs from the string "1", and a plain YAML `no` is the Boolean false. A
/// rule of `header_to_metadata` sets strings unless it has `type: NUMBER`.
///
/// The two never match: requests use the fallback policy, or get 503.
pub(crate) static TYPE_MISMATCH: Rule = Rule {
    id: "subset-value-type-mismatch",
    severity: Severity::Error,
    summary: "host metadata and required values differ in type (1 and \"1\", false and \"no\")",
    check: type_mismatch,
};

/// A host's value for a selector's key is a list, and `list_as_any` is off.
///
/// The host is in the subset of the whole list, which no request selects, and not in those of the
/// elements.
pub(crate) static LIST_VALUE: Rule = Rule {
    id: "subset-list-value",
    severity: Severity::Error,
    summary: "host metadata is a list, and list_as_any is off",
    check: list_value,
};

/// Finds required values that hosts have with another type.
fn type_mismatch(context: &Context<'_>, sink: &mut Sink) {
    for way in &context.ways {
        let Some(routed) = way.cluster else { continue };
        for cluster in context.owners(routed) {
            let Some(subsets) = &cluster.plain.subsets else {
                continue;
            };
            for field in way
                .criteria
                .fields()
                .iter()
                .filter(|f| selects_by(subsets, &f.key))
            {
                let Some(other) = other_type(&cluster, &field.key, &field.value) else {
                    continue;
                };
                let place = way.criteria_place();
                let cause = mismatch(&field.key, &field.value, other);
                let found = context.distribution(routed, way.criteria);
                let hosts = context.owners(routed).iter().map(Plain::hosts).sum();
                let effect = format!(
                    "they never match; requests with {} on {} get {}",
                    without_secrets(way.criteria),
                    way.route_name(),
                    fate(&found, hosts)
                );
                let fix = both_sides(&field.key, other);
                let finding = sink.add(place, cause, effect, fix);
                if place.path.ends_with("metadata_match") {
                    let right = Metadata::new([(field.key.clone(), other.clone())]);
                    let right = way.criteria.overridden(&right);
                    finding.set(&place.path, json::envoy_lb(&right));
                }
            }
            header_mismatch(way, &cluster, subsets, sink);
        }
    }
    for cluster in context.plains() {
        let Some(subsets) = &cluster.plain.subsets else {
            continue;
        };
        let facts = cluster.facts.policy.subsets();
        let Some(place) = facts.and_then(|facts| facts.default_subset.as_ref()) else {
            continue;
        };
        for field in subsets.default_subset.fields() {
            if let Some(other) = other_type(&cluster, &field.key, &field.value) {
                let cause = mismatch(&field.key, &field.value, other);
                let effect = "they never match; the default subset has no host";
                let fix = both_sides(&field.key, other);
                let right = Metadata::new([(field.key.clone(), other.clone())]);
                let right = subsets.default_subset.overridden(&right);
                sink.add(place, cause, effect, fix)
                    .set(&place.path, json::metadata(&right));
            }
        }
    }
}

/// Finds header values, which are strings, for host values of another type.
fn header_mismatch(
    way: &crate::ways::Way<'_>,
    cluster: &Plain<'_>,
    subsets: &SubsetConfig,
    sink: &mut Sink,
) {
    let rules = way.active_filters().filter_map(|(_, kind)| match kind {
        FilterKind::HeaderToMetadata(moves) => Some(moves),
        _ => None,
    });
    for rule in rules
        .flatten()
        .filter(|rule| rule.namespace == "envoy.lb" && rule.text)
    {
        let mut values = cluster
            .metadata()
            .filter_map(|metadata| metadata.get(&rule.key));
        let plain = |value: &Value| matches!(value, Value::Bool(_) | Value::Number(_));
        let Some(example) = values
            .next()
            .filter(|first| plain(first) && values.all(plain))
        else {
            continue;
        };
        if sink.has(&rule.place.path) || !selects_by(subsets, &rule.key) {
            continue;
        }
        let cause = format!(
            "header {} becomes a string in {}, but hosts of cluster {} have {}",
            rule.header,
            quoted(&rule.key),
            quoted(cluster.name()),
            typed(&shown_value(&rule.key, example))
        );
        let effect = "they never match; these requests find no subset";
        let number = matches!(example, Value::Number(_));
        let fix = if number {
            "set type: NUMBER in the rule"
        } else {
            "quote the values of the hosts"
        };
        let finding = sink.add(&rule.place, cause, effect, fix);
        if number {
            finding.set(
                rule.place.field("on_header_present").field("type"),
                "\"NUMBER\"",
            );
        }
    }
}

/// Finds lists that are one value.
fn list_value(context: &Context<'_>, sink: &mut Sink) {
    for cluster in context.plains() {
        let subsets = cluster
            .plain
            .subsets
            .as_ref()
            .filter(|subsets| !subsets.list_as_any);
        let (Some(subsets), Some(facts)) = (subsets, cluster.facts.policy.subsets()) else {
            continue;
        };
        let priorities = cluster.plain.priorities.iter().enumerate();
        let endpoints = priorities.flat_map(|(number, priority)| {
            let endpoints = priority.endpoints.iter().enumerate();
            endpoints.map(move |(index, endpoint)| (number, index, endpoint))
        });
        let mut seen: alloc::vec::Vec<&str> = alloc::vec::Vec::new();
        for (number, index, endpoint) in endpoints {
            for field in endpoint.metadata.fields() {
                let Value::List(values) = &field.value else {
                    continue;
                };
                if !selects_by(subsets, &field.key) || seen.contains(&&*field.key) {
                    continue;
                }
                seen.push(&field.key);
                let facts_of_host = cluster.endpoint_facts(number, index);
                let Some(place) = facts_of_host.and_then(|host| host.metadata.as_ref()) else {
                    continue;
                };
                let asked = values.first().cloned().unwrap_or(Value::Null);
                let asking = Metadata::new([(field.key.clone(), asked)]);
                let shown = without_secrets(&asking);
                let found = context.distribution(cluster.name(), &asking);
                let cause = format!(
                    "{}={} of {} is one value, not one per element",
                    field.key,
                    shown_value(&field.key, &field.value),
                    endpoint.address
                );
                let effect = format!(
                    "requests with {shown} get {}",
                    fate(&found, cluster.hosts())
                );
                let fix = "set list_as_any: true";
                sink.add(place, cause, effect, fix)
                    .set(facts.place.field("list_as_any"), "true");
            }
        }
    }
}

/// Whether a selector has the key.
fn selects_by(subsets: &SubsetConfig, key: &str) -> bool {
    let mut selectors = subsets.selectors.iter();
    selectors.any(|selector| selector.keys().iter().any(|known| **known == *key))
}

/// A similar host value of another type, unless a host has exactly this value.
pub(super) fn other_type<'c>(cluster: &Plain<'c>, key: &str, asked: &Value) -> Option<&'c Value> {
    let mut values = cluster.metadata().filter_map(|metadata| metadata.get(key));
    if values.any(|value| value == asked) {
        return None;
    }
    let mut values = cluster.metadata().filter_map(|metadata| metadata.get(key));
    values.find(|value| looks_like(value, asked) || looks_like(asked, value))
}

/// Whether a string looks like a value of another type.
fn looks_like(text: &Value, other: &Value) -> bool {
    const YES: [&str; 4] = ["y", "yes", "on", "true"];
    const NO: [&str; 4] = ["n", "no", "off", "false"];
    let Value::Text(text) = text else {
        return false;
    };
    let one_of = |words: [&str; 4]| words.iter().any(|word| word.eq_ignore_ascii_case(text));
    match other {
        Value::Bool(true) => one_of(YES),
        Value::Bool(false) => one_of(NO),
        Value::Number(number) => {
            let octal = u64::from_str_radix(text, 8)
                .ok()
                .filter(|_| text.starts_with('0'));
            let hexadecimal = text
                .strip_prefix("0x")
                .and_then(|t| u64::from_str_radix(t, 16).ok());
            let whole = octal.or(hexadecimal).map(|whole| whole as f64);
            [spillgate_core::decimal::parse(text), whole].contains(&Some(*number))
        }
        Value::Null => &**text == "null" || text.is_empty(),
        Value::Text(_) | Value::List(_) | Value::Struct(_) => false,
    }
}

/// The two values with their types.
fn mismatch(key: &str, asked: &Value, other: &Value) -> String {
    format!(
        "{key} is {} here and {} on hosts",
        typed(&shown_value(key, asked)),
        typed(&shown_value(key, other))
    )
}

/// The remedy: this value of the key.
fn both_sides(key: &str, value: &Value) -> String {
    format!("use {} on both sides", typed(&shown_value(key, value)))
}

/// A value with its type.
fn typed(value: &Value) -> String {
    match value {
        Value::Text(text) => format!("the string {}", quoted(text)),
        Value::Number(_) => format!("the number {value}"),
        Value::Bool(_) => format!("the Boolean {value}"),
        other => format!("{other}"),
    }
}
