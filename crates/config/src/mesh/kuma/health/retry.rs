//! The configuration of a MeshRetry.

use alloc::{string::String, vec::Vec};

use spillgate_core::route::{HeaderMatch, HeaderMatcher, StringMatch, TextMatch};

use super::{
    reader::{ConfReader, Least},
    settings::{KumaHostSelection, KumaSettings, KumaValue},
};
use crate::{
    Diagnostic,
    mesh::{document::KUMA_DOCUMENT, value::TextMap},
    node::quote,
    proto::{Irrelevance::Document, Message, Report, Schema, nearest},
};

pub(super) static POLICY: Schema = Schema::new("MeshRetry", "targetRef to")
    .ignored(&[(Document, KUMA_DOCUMENT)])
    .of("MeshRetry");
pub(super) static TO: Schema = Schema::new("to", "targetRef default").of("MeshRetry.to");
pub(super) static CONF: Schema = Schema::new("default", "tcp http grpc").of("MeshRetry.to.default");
pub(super) static TCP: Schema =
    Schema::new("tcp", "maxConnectAttempt").of("MeshRetry.to.default.tcp");
pub(super) static HTTP: Schema = Schema::new(
    "http",
    "numRetries perTryTimeout backOff rateLimitedBackOff retryOn retriableRequestHeaders \
     retriableResponseHeaders hostSelection hostSelectionMaxAttempts",
)
.of("MeshRetry.to.default.http");
pub(super) static GRPC: Schema = Schema::new(
    "grpc",
    "numRetries perTryTimeout backOff rateLimitedBackOff retryOn",
)
.of("MeshRetry.to.default.grpc");
pub(super) static BACK_OFF: [Schema; 2] = [
    Schema::new("backOff", "baseInterval maxInterval").of("MeshRetry.to.default.http.backOff"),
    Schema::new("backOff", "baseInterval maxInterval").of("MeshRetry.to.default.grpc.backOff"),
];
pub(super) static HEADER: [Schema; 2] = [
    Schema::new("header", "name type value")
        .of("MeshRetry.to.default.http.retriableRequestHeaders"),
    Schema::new("header", "name type value")
        .of("MeshRetry.to.default.http.retriableResponseHeaders"),
];
pub(super) static HOST_SELECTION: Schema =
    Schema::new("hostSelection", "predicate tags updateFrequency")
        .of("MeshRetry.to.default.http.hostSelection");

/// The conditions of HTTP, without those on methods and statuses.
const HTTP_CONDITIONS: [&str; 8] = [
    "5xx",
    "GatewayError",
    "Reset",
    "Retriable4xx",
    "ConnectFailure",
    "EnvoyRatelimited",
    "RefusedStream",
    "Http3PostConnectFailure",
];
/// The methods of requests that are retried.
const METHODS: [&str; 9] = [
    "HttpMethodConnect",
    "HttpMethodDelete",
    "HttpMethodGet",
    "HttpMethodHead",
    "HttpMethodOptions",
    "HttpMethodPatch",
    "HttpMethodPost",
    "HttpMethodPut",
    "HttpMethodTrace",
];
const GRPC_CONDITIONS: [&str; 5] = [
    "Canceled",
    "DeadlineExceeded",
    "Internal",
    "ResourceExhausted",
    "Unavailable",
];
const PREDICATES: [&str; 3] = [
    "OmitPreviousHosts",
    "OmitHostsWithTags",
    "OmitPreviousPriorities",
];

/// Reads `default`.
pub(super) fn read(conf: &Message<'_, '_>, file: usize, report: &mut Report) -> KumaSettings {
    let mut reader = ConfReader::new(conf, file, report);
    reader.require_any(conf, &["tcp", "http", "grpc"]);
    if let Some(tcp) = reader.block(conf, "tcp", &TCP) {
        tcp.require("maxConnectAttempt", reader.report);
        reader.counts(&tcp, &["tcp.maxConnectAttempt"], u32::MAX);
    }
    if let Some(http) = reader.block(conf, "http", &HTTP) {
        read_http(&http, &mut reader);
    }
    if let Some(grpc) = reader.block(conf, "grpc", &GRPC) {
        let fields = [
            "numRetries",
            "perTryTimeout",
            "backOff",
            "retryOn",
            "rateLimitedBackOff",
        ];
        reader.require_any(&grpc, &fields);
        reader.number(&grpc, "grpc.numRetries", 0..=u32::MAX);
        reader.time(&grpc, "grpc.perTryTimeout", Least::Zero);
        if let Some(back_off) = reader.block(&grpc, "grpc.backOff", &BACK_OFF[1]) {
            reader.require_any(&back_off, &["baseInterval", "maxInterval"]);
            let times = ["grpc.backOff.baseInterval", "grpc.backOff.maxInterval"];
            reader.times(&back_off, &times);
        }
        reader.named(&grpc, "grpc.rateLimitedBackOff");
        let conditions = reader.texts(&grpc, "grpc.retryOn");
        let is_known = |text: &str| GRPC_CONDITIONS.contains(&text);
        check_all(&grpc, &conditions, is_known, &GRPC_CONDITIONS, &mut reader);
    }
    reader.finish()
}

fn read_http(http: &Message<'_, '_>, reader: &mut ConfReader<'_>) {
    let fields = [
        "numRetries",
        "perTryTimeout",
        "backOff",
        "retryOn",
        "retriableRequestHeaders",
        "retriableResponseHeaders",
        "rateLimitedBackOff",
        "hostSelection",
    ];
    reader.require_any(http, &fields);
    reader.number(http, "http.numRetries", 0..=u32::MAX);
    reader.time(http, "http.perTryTimeout", Least::Zero);
    if let Some(back_off) = reader.block(http, "http.backOff", &BACK_OFF[0]) {
        reader.require_any(&back_off, &["baseInterval", "maxInterval"]);
        let times = ["http.backOff.baseInterval", "http.backOff.maxInterval"];
        reader.times(&back_off, &times);
    }
    reader.named(http, "http.rateLimitedBackOff");
    reader.named(http, "http.retriableResponseHeaders");
    http.messages("retriableResponseHeaders", &HEADER[1], reader.report);
    let conditions = reader.texts(http, "http.retryOn");
    let is_known =
        |text: &str| HTTP_CONDITIONS.contains(&text) || METHODS.contains(&text) || is_status(text);
    check_all(http, &conditions, is_known, &HTTP_CONDITIONS, reader);
    if http.has("retriableRequestHeaders") {
        let headers = http.messages("retriableRequestHeaders", &HEADER[0], reader.report);
        let headers = headers.iter().map(|of| read_header(of, reader.report));
        let headers = KumaValue::Headers(headers.collect());
        reader.set(http, "http.retriableRequestHeaders", headers);
    }
    read_host_selection(http, reader);
    let most = i32::MAX.unsigned_abs();
    reader.number(http, "http.hostSelectionMaxAttempts", 0..=most);
}

/// A status that has a name.
fn is_status(text: &str) -> bool {
    let code = text.parse::<u16>();
    code.is_ok_and(|code| (100..=511).contains(&code))
}

/// Reports the elements of `retryOn` that Kuma does not know.
fn check_all(
    of: &Message<'_, '_>,
    texts: &[String],
    is_known: impl Fn(&str) -> bool,
    names: &'static [&'static str],
    reader: &mut ConfReader<'_>,
) {
    let items: Vec<_> = of.items("retryOn", reader.report).collect();
    for ((path, node), text) in items.into_iter().zip(texts) {
        if !is_known(text) && !text.is_empty() {
            let fault = unknown(text, names).at(path.text(), node.position);
            reader.report.push(fault);
        }
    }
}

/// The error of a name that Kuma does not know.
fn unknown(text: &str, names: &'static [&'static str]) -> Diagnostic {
    let fault = Diagnostic::error("mesh/unknown-type", "unknown type").found(quote(text));
    fault
        .expected(alloc::format!("one of {}", names.join(", ")))
        .suggest(nearest(text, names.iter().copied()))
}

/// The condition on a header; `None` for one with a regular expression.
fn read_header(of: &Message<'_, '_>, report: &mut Report) -> Option<HeaderMatch> {
    let (name, value) = (of.text("name", report), of.text("value", report));
    let kind = of.text("type", report);
    let text = |text| {
        HeaderMatcher::Text(StringMatch {
            text,
            ignore_case: false,
        })
    };
    let matcher = match kind.as_str() {
        "RegularExpression" => return None,
        "Present" => HeaderMatcher::Present(true),
        "Absent" => HeaderMatcher::Present(false),
        "Prefix" => text(TextMatch::Prefix(value)),
        _ => text(TextMatch::Exact(value)),
    };
    Some(HeaderMatch {
        name: name.to_ascii_lowercase(),
        matcher,
        invert: false,
        missing_as_empty: false,
    })
}

fn read_host_selection(http: &Message<'_, '_>, reader: &mut ConfReader<'_>) {
    let field = "hostSelection";
    if !http.has(field) {
        return;
    }
    let mut hosts: Vec<KumaHostSelection> = Vec::new();
    for entry in http.messages(field, &HOST_SELECTION, reader.report) {
        let predicate = entry.text("predicate", reader.report);
        let frequency = entry.u32("updateFrequency", reader.report);
        let priorities = predicate == "OmitPreviousPriorities";
        if !PREDICATES.contains(&predicate.as_str()) {
            let fault = unknown(&predicate, &PREDICATES);
            let path = entry.path.field("predicate").text();
            let fault = fault.at(path, entry.position_of("predicate"));
            reader.report.push(fault);
        } else if priorities && frequency.is_none_or(|of| of == 0) {
            entry.out_of_range("updateFrequency", "more than 0", reader.report);
        } else if priorities && hosts.iter().any(|known| known.predicate == predicate) {
            let message = "OmitPreviousPriorities appears twice";
            let fault = entry.error("predicate", "config/value", message);
            reader.report.push(fault.expected("one entry with it"));
        } else if predicate == "OmitHostsWithTags" {
            entry.require("tags", reader.report);
        }
        let tags = if entry.has("tags") {
            entry.text_map("tags", reader.report)
        } else {
            TextMap::new()
        };
        hosts.push(KumaHostSelection {
            predicate,
            tags,
            update_frequency: frequency.unwrap_or_default(),
        });
    }
    reader.set(http, "http.hostSelection", KumaValue::Hosts(hosts));
}
