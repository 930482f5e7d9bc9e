//! From JSON to a filter configuration.

use alloc::{string::String, vec::Vec};
use core::time::Duration;

use spillgate_core::names::Names;

use super::{
    FilterConfig, Output, TraceConfig, header_name::check_header_name, output::read_output,
    target::read_target, trace::read_trace,
};
use crate::{
    Diagnostic,
    envoy::{build_model, members_exist, read_clusters, read_hash_policies},
    node::{self, Value, quote},
    proto::{Message, Path, Report, Schema},
};

static CONFIG: Schema = Schema::new(
    "the filter's configuration",
    &[
        "clusters",
        "target",
        "targets",
        "hash_policy",
        "health",
        "cluster_choice",
        "output",
        "reserved_headers",
        "trace",
        "tick",
    ],
)
.later(&[
    "affinity",
    "criteria",
    "least_request",
    "metadata_match",
    "subset_chain",
    "weighted",
]);

static HEALTH: Schema = Schema::new("health", &["source"]).later(&[
    "cluster",
    "interval",
    "metadata_interval",
    "on_stale",
    "poller",
    "stale_after",
]);

/// Sources of health; `true` for those that this version has.
const SOURCES: [(&str, i64, bool); 2] = [("static", 0, true), ("admin", 1, false)];

/// How a member of an aggregate is chosen; `true` for what this version has.
const CLUSTER_CHOICES: [(&str, i64, bool); 2] = [("random", 0, true), ("hash", 1, false)];

/// How often a worker looks at shared state when nothing is said.
pub(crate) const DEFAULT_TICK: Duration = Duration::from_millis(100);

/// Reads the filter's configuration, the text that Envoy hands to the plugin.
///
/// # Errors
/// Every fault of the text in text order; a syntax error alone, since nothing can be read then.
pub fn read(json: &str) -> Result<FilterConfig, Vec<Diagnostic>> {
    let document = node::read_json(json).map_err(|fault| Vec::from([fault]))?;
    let mut report = Report::strict();
    for repeated in document.repeated {
        report.doubt(repeated);
    }
    let root = document.roots.first();
    let message = root.and_then(|root| Message::open(root, Path::root(), &CONFIG, &mut report));
    let config = message.and_then(|message| read_config(&message, &mut report));
    let warnings = report.finish()?;
    match config {
        Some(config) => Ok(FilterConfig { warnings, ..config }),
        // Every way to None has reported an error; this one is for the type checker.
        None => Err(Vec::from([Diagnostic::error(
            "config/unusable",
            "nothing could be read",
        )])),
    }
}

fn read_config(message: &Message<'_, '_>, report: &mut Report) -> Option<FilterConfig> {
    if !message.has("clusters") {
        report.push(message.error("clusters", "config/missing", "a required field is missing"));
    }
    let nodes: Vec<_> = message.list("clusters", report).collect();
    let clusters = read_clusters(&nodes, report);
    members_exist(&clusters, report);
    let mut names = Names::default();
    for read in &clusters {
        names.add(&read.cluster.name);
    }
    let (model, _) = build_model(clusters, report);
    let target = read_target(message, &names, report);
    let hash_policies = read_hash_policies(message, "hash_policy", report);
    if let Some(health) = message.message("health", &HEALTH, report) {
        supported(&health, "source", &SOURCES, report);
    }
    supported(message, "cluster_choice", &CLUSTER_CHOICES, report);
    let output = read_output(message, report);
    let reserved_headers = read_reserved(message, report);
    let trace = read_trace(message, report);
    if let Some(trace) = &trace {
        names_of_their_own(message, &output, trace, report);
    }
    let tick = read_tick(message, report);
    Some(FilterConfig {
        model,
        target: target?,
        hash_policies,
        output,
        reserved_headers,
        trace,
        tick,
        warnings: Vec::new(),
    })
}

/// Headers that carry different things must differ, or one would overwrite the other, and the
/// secret would be dropped as a client's copy of ours.
fn names_of_their_own(
    message: &Message<'_, '_>,
    output: &Output,
    trace: &TraceConfig,
    report: &mut Report,
) {
    let [header, secret] = [&trace.header, &trace.when.header];
    let outputs = [&output.host_header, &output.cluster_header];
    let clash = if header == secret || outputs.contains(&header) {
        header
    } else if outputs.contains(&secret) {
        secret
    } else {
        return;
    };
    let fault = "a header is named for two purposes";
    report.push(
        message
            .error("trace", "config/header-name", fault)
            .found(quote(clash))
            .expected("names of their own for output, trace.header and trace.when.header"),
    );
}

/// Reports a value that is specified and not supported yet.
fn supported(
    message: &Message<'_, '_>,
    field: &'static str,
    values: &[(&'static str, i64, bool)],
    report: &mut Report,
) {
    if message.enumeration(field, values, report) == Some(false) {
        let fault = "this value is not supported by this version";
        report.push(message.error(field, "config/not-supported", fault));
    }
}

fn read_reserved(message: &Message<'_, '_>, report: &mut Report) -> Vec<String> {
    let path = message.path.field("reserved_headers");
    let nodes = message.strings("reserved_headers", report);
    nodes
        .into_iter()
        .filter_map(|node| match &node.value {
            Value::String(name) => check_header_name(name, path.text(), node.position, report),
            _ => None,
        })
        .collect()
}

fn read_tick(message: &Message<'_, '_>, report: &mut Report) -> Duration {
    let tick = message.duration("tick", report).unwrap_or(DEFAULT_TICK);
    if tick < Duration::from_millis(1) {
        report.push(
            message
                .error("tick", "config/value", "out of range")
                .expected("at least \"1ms\""),
        );
    }
    tick
}
