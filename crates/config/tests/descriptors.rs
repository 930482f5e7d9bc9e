//! The classes of fields cover Envoy's descriptors.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use spillgate_config::{envoy::MESSAGES, proto::Irrelevance};
use spillgate_testkit::descriptors::{ApiField, Cardinality, Descriptors};
use spillgate_testkit::repository;

fn descriptors() -> Descriptors {
    let file = repository().join("vectors/descriptors/envoy-1.40.txt");
    let text = std::fs::read_to_string(&file).expect("the descriptors");
    let read: Descriptors = text.parse().expect("descriptors");
    assert_eq!(read.to_string(), text, "the text form is canonical");
    read
}

#[test]
fn every_field_of_every_message_has_one_class() {
    let api = descriptors();
    let mut faults = Vec::new();
    for schema in MESSAGES {
        let name = schema.message();
        let Some(fields) = api.messages.get(name) else {
            faults.push(format!("no message `{name}` in Envoy"));
            continue;
        };
        let known: BTreeSet<&str> = fields.iter().map(|field| field.name.as_str()).collect();
        let ignored = schema.ignored_fields().map(|(_, field)| field);
        let classed = schema
            .fields()
            .chain(schema.limited_fields())
            .chain(ignored);
        let mut seen = BTreeSet::new();
        for field in classed.filter(|&field| field != "@type") {
            if !known.contains(field) {
                faults.push(format!("{name} has no field {field}"));
            }
            if !seen.insert(field) {
                faults.push(format!("{name}.{field} has two classes"));
            }
        }
        for field in known.difference(&seen) {
            faults.push(format!("{name}.{field} has no class"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn no_message_is_missing_in_the_list() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/envoy/schema");
    let listed: BTreeSet<&str> = MESSAGES.iter().map(|schema| schema.message()).collect();
    let mut missing = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the schemas") {
        let text = std::fs::read_to_string(entry.expect("an entry").path()).expect("a schema");
        let named = text
            .split(".of(")
            .skip(1)
            .filter_map(|rest| rest.split('"').nth(1));
        missing.extend(
            named
                .filter(|name| !listed.contains(name))
                .map(String::from),
        );
    }
    assert_eq!(missing, [""; 0]);
}

/// Fields about times, attempts and admission that change no choice of a host: simulations over time model them, name
/// them, or do not depend on them.
#[test]
fn every_field_about_time_is_modeled_or_named_over_time_or_without_effect() {
    /// Read by settings of health, or as the times of retries.
    const MODELED: [&str; 4] = [
        "CommonLbConfig.update_merge_window",
        "RetryPolicy.per_try_timeout",
        "RetryPolicy.retry_back_off",
        "RouteAction.timeout",
    ];
    let mut faults = Vec::new();
    let mut used = BTreeSet::new();
    for schema in MESSAGES {
        let message = schema.message().rsplit('.').next().unwrap_or_default();
        let over_time: Vec<&str> = schema.fields_over_time().collect();
        for (why, field) in schema.ignored_fields() {
            let concerned = matches!(
                why,
                Irrelevance::Timing | Irrelevance::Attempts | Irrelevance::Admission
            );
            let name = format!("{message}.{field}");
            let known = MODELED.contains(&&*name)
                || WITHOUT_EFFECT_OVER_TIME
                    .iter()
                    .any(|(field, _)| *field == name);
            if known {
                used.insert(name.clone());
            }
            match (over_time.contains(&field), known) {
                (true, true) => faults.push(format!("{name} has two classes")),
                (false, false) if concerned => faults.push(format!("{name} has no class")),
                _ => {}
            }
        }
    }
    let named = WITHOUT_EFFECT_OVER_TIME.iter().map(|(field, _)| *field);
    for name in named.chain(MODELED) {
        if !used.contains(name) {
            faults.push(format!("{name} is no such field"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Fields that decide nothing about requests while hosts fail, and why.
const WITHOUT_EFFECT_OVER_TIME: &[(&str, &str)] = &[
    ("ClusterStatus.circuit_breakers", "numbers of a moment"),
    (
        "Cluster.cleanup_interval",
        "hosts of the original destination only",
    ),
    (
        "Cluster.connect_timeout",
        "hosts of a script refuse or accept connections at once",
    ),
    (
        "ConnPoolSettings.buffer_flush_timeout",
        "commands wait for it when the host works, too",
    ),
    (
        "ConnPoolSettings.max_upstream_unknown_connections",
        "redirections only",
    ),
    (
        "FilterChain.transport_socket_connect_timeout",
        "the connection of the client",
    ),
    (
        "HttpConnectionManager.delayed_close_timeout",
        "the connection of the client",
    ),
    (
        "HttpConnectionManager.drain_timeout",
        "the connection of the client",
    ),
    (
        "HttpConnectionManager.drain_timeout_jitter",
        "the connection of the client",
    ),
    (
        "HttpConnectionManager.http1_safe_max_connection_duration",
        "the connection of the client",
    ),
    (
        "HttpConnectionManager.request_headers_timeout",
        "requests arrive at once",
    ),
    (
        "HttpConnectionManager.request_timeout",
        "requests arrive at once",
    ),
    (
        "HttpConnectionManager.stream_flush_timeout",
        "responses are sent at once",
    ),
    (
        "Listener.bypass_overload_manager",
        "the overload manager is named itself",
    ),
    (
        "Listener.continue_on_listener_filters_timeout",
        "the connection of the client",
    ),
    (
        "Listener.ignore_global_conn_limit",
        "the overload manager is named itself",
    ),
    (
        "Listener.listener_filters_timeout",
        "the connection of the client",
    ),
    (
        "RedisProxy.downstream_auth_username",
        "which clients may send commands",
    ),
    ("RouteAction.flush_timeout", "responses are sent at once"),
    (
        "RouteAction.grpc_timeout_offset",
        "max_grpc_timeout is named itself",
    ),
    (
        "RouteAction.include_vh_rate_limits",
        "rate_limits are named themselves",
    ),
    (
        "TcpProxy.max_downstream_connection_duration_jitter_percentage",
        "the duration is named itself",
    ),
    ("UdpProxyConfig.idle_timeout", "sessions without datagrams"),
];

/// `cargo xtask reliability ignored-fields` sets them in the real Envoy.
#[test]
fn every_ignored_field_has_a_value_or_a_reason_against_one() {
    let file = repository().join("tests/e2e/ignored_fields/ignored-fields.json");
    let text = std::fs::read_to_string(file).unwrap();
    let listed: serde_json::Value = serde_json::from_str(&text).unwrap();
    let mut in_file = BTreeSet::new();
    for (message, classes) in listed.as_object().unwrap() {
        for class in ["set", "not_set"] {
            let fields = classes[class].as_object().into_iter().flatten();
            in_file.extend(fields.map(|(field, _)| format!("{message}.{field}")));
        }
    }
    let ignored: BTreeSet<String> = MESSAGES
        .iter()
        .flat_map(|schema| {
            let fields = schema.ignored_fields();
            fields.map(|(_, field)| format!("{}.{field}", schema.message()))
        })
        .collect();
    let without: Vec<_> = ignored.difference(&in_file).collect();
    assert!(without.is_empty(), "without value and reason: {without:?}");
    let gone: Vec<_> = in_file.difference(&ignored).collect();
    assert!(gone.is_empty(), "not ignored: {gone:?}");
}

/// The types of `crates/config/src/proto/message/api_types.rs`: of fields that are not read, and of those in messages
/// that are read without a schema.
#[test]
fn types_of_unread_fields_are_those_of_envoy() {
    let api = descriptors();
    let mut read: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for schema in MESSAGES {
        read.entry(schema.message())
            .or_default()
            .extend(schema.fields());
    }
    // The reader of percentages has no schema.
    read.entry("envoy.type.v3.Percent")
        .or_default()
        .insert("value");
    let is_unread = |message: &str, field: &ApiField| match read.get(message) {
        Some(fields) => {
            !fields.contains(&*field.name)
                || !read.contains_key(&*field.kind) && is_message(&api, field)
        }
        None => true,
    };
    // From the messages that are read to all below them.
    let mut lines: BTreeMap<&str, Vec<&ApiField>> = BTreeMap::new();
    let mut open: Vec<&str> = read.keys().copied().collect();
    while let Some(message) = open.pop() {
        if lines.contains_key(message) {
            continue;
        }
        let fields = api.messages[message].iter();
        let fields: Vec<&ApiField> = fields.filter(|field| is_unread(message, field)).collect();
        open.extend(
            fields
                .iter()
                .filter(|field| is_message(&api, field))
                .map(|field| &*field.kind),
        );
        lines.insert(message, fields);
    }
    lines.retain(|_, fields| !fields.is_empty());
    let numbers: Vec<&str> = lines.keys().copied().collect();
    let mut text = String::from(HEAD);
    writeln!(
        text,
        "pub(super) static API_TYPES: [(&str, &str); {}] = [",
        lines.len()
    )
    .unwrap();
    for (message, fields) in &lines {
        let fields = fields.iter().map(|field| {
            let number = numbers.binary_search(&&*field.kind).ok();
            format!("{}={}", field.name, letters(&api, field, number))
        });
        let some = read.contains_key(message).then(|| String::from(".."));
        let fields: Vec<String> = some.into_iter().chain(fields).collect();
        writeln!(text, "    (\"{message}\", \"{}\"),", fields.join(" ")).unwrap();
    }
    text.push_str("];\n");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/proto/message/api_types.rs");
    if std::env::var_os("SPILLGATE_GOLDEN").is_some() {
        std::fs::write(&file, &text).unwrap();
    }
    let shipped = std::fs::read_to_string(&file).unwrap();
    assert!(shipped == text, "run the test with SPILLGATE_GOLDEN=write");
}

const HEAD: &str = "\
//! The types of fields that are not read, from Envoy's descriptors; `crates/config/tests/descriptors.rs` writes
//! this file.

/// The messages with such fields, sorted; the letters are explained in `unread.rs`.
#[rustfmt::skip]
";

fn is_message(api: &Descriptors, field: &ApiField) -> bool {
    api.messages.contains_key(&field.kind)
}

/// The letters of a type.
fn letters(api: &Descriptors, field: &ApiField, number: Option<usize>) -> String {
    let letter = match &*field.kind {
        "string"
        | "bytes"
        | "google.protobuf.StringValue"
        | "google.protobuf.BytesValue"
        | "google.protobuf.Timestamp" => "s",
        "bool" | "google.protobuf.BoolValue" => "b",
        "uint32" | "fixed32" | "google.protobuf.UInt32Value" => "u",
        "uint64" | "fixed64" | "google.protobuf.UInt64Value" => "U",
        "int32" | "int64" | "sint32" | "sint64" | "sfixed32" | "sfixed64" => "i",
        "float" | "double" | "google.protobuf.FloatValue" | "google.protobuf.DoubleValue" => "f",
        "google.protobuf.Duration" => "d",
        "google.protobuf.Struct" | "google.protobuf.Any" => "o",
        kind if api.enums.contains_key(kind) => "e",
        kind => match number {
            Some(number) => &format!("m{number}"),
            // A message without a field to check, or one of another API.
            None if is_message(api, field) || kind.starts_with("google.api.") => "o",
            None => "a",
        },
    };
    let many = match field.cardinality {
        Cardinality::Single => "",
        Cardinality::Repeated => "*",
        Cardinality::Map => "%",
    };
    format!("{many}{letter}")
}
