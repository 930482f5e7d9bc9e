//! Writes the configuration as JSON.

mod dynamic_module;
mod health;
mod selection;

pub use dynamic_module::dynamic_module_yaml;

use alloc::{string::String, vec::Vec};
use core::time::Duration;

use super::{
    AccessLog, DEFAULT_TRACE_HEADER, FilterConfig, Output, OutputMode, TraceConfig,
    config::DEFAULT_TICK,
    read::{ACTIVE_REQUESTS, CLUSTER_CHOICES},
};
use crate::{
    Diagnostic,
    output::MODES,
    proto::Report,
    write::{Fields, Tree, Written, cluster, duration, hash_policies, name_of, to_json, within},
};
use health::health;
use selection::{chain, criteria, target};

/// The configuration as JSON; [`read`](super::read()) reads it back. It contains the secret that
/// enables traces.
///
/// # Errors
/// Like [`clusters_json`](crate::write::clusters_json); and for sessions, because the secrets of
/// their keys are not kept. The reader reports what the filter does not support of a legal model.
///
/// # Examples
/// ```
/// use spillgate_config::filter::{FilterConfig, TargetConfig, filter_json, read};
/// use spillgate_core::model::Model;
///
/// let config = FilterConfig::new(Model::empty(), TargetConfig::Always("shop".into()));
/// let written = filter_json(&config)?;
/// assert_eq!(written.text.trim(), "{\n  \"target\": \"shop\"\n}");
/// // The reader also requires the cluster.
/// assert!(read(&written.text).is_err());
/// # Ok::<(), Vec<spillgate_config::Diagnostic>>(())
/// ```
pub fn filter_json(config: &FilterConfig) -> Result<Written, Vec<Diagnostic>> {
    let mut report = Report::default();
    let fields = filter_fields(config, &mut report);
    Written::of(to_json(&fields.into()), report)
}

/// The configuration as a message.
fn filter_fields(config: &FilterConfig, report: &mut Report) -> Fields {
    if config.affinity.is_some() || config.unknown_keys.is_some() {
        let fault = "token keys are not kept after reading and cannot be written";
        report.push(Diagnostic::error("write/secret", fault).at("affinity", None));
    }
    let mut clusters = Vec::new();
    for one in config.model.clusters() {
        clusters.push(cluster(one, report));
    }
    Fields::new()
        .with_list("clusters", clusters)
        .and(target(&config.target, report))
        .with_flag("route_settings", config.route_settings)
        .with_list("hash_policy", hash_policies(&config.hash_policies))
        .with_list("criteria", criteria(&config.criteria))
        .with_list("subset_chain", chain(config.model.chain()))
        .with_filled("health", health(&config.health))
        .with_some(
            "cluster_choice",
            other(&CLUSTER_CHOICES, config.cluster_choice),
        )
        .with_some(
            "least_request",
            other(&ACTIVE_REQUESTS, config.active_requests).map(|name| within("source", name)),
        )
        .with_filled("output", output(&config.output))
        .with_list(
            "reserved_headers",
            config.reserved_headers.iter().map(String::as_str),
        )
        .with_some("trace", config.trace.as_ref().map(trace))
        .with_some("access_log", config.access_log.map(access_log))
        .with_some("tick", other_tick(config.tick))
}

/// The name of a value that is not the default, the first one of its table.
fn other<T: PartialEq>(table: &[(&'static str, i64, T)], value: T) -> Option<&'static str> {
    let is_default = table.first().is_some_and(|(_, _, first)| *first == value);
    (!is_default).then(|| name_of(table, &value))
}

fn output(output: &Output) -> Fields {
    let default = Output::default();
    let candidates = |count: usize| u64::try_from(count).unwrap_or(u64::MAX);
    let mut headers = Fields::new();
    for (key, header) in &output.subset_headers {
        headers = headers.with(String::from(&**key), header.as_str());
    }
    Fields::new()
        .with_some(
            "mode",
            (output.mode != OutputMode::OverrideHost).then(|| name_of(&MODES, &output.mode)),
        )
        .with_unless(
            "host_header",
            output.host_header.as_str(),
            default.host_header.as_str(),
        )
        .with_unless(
            "cluster_header",
            output.cluster_header.as_str(),
            default.cluster_header.as_str(),
        )
        .with_unless(
            "candidates",
            candidates(output.candidates),
            candidates(default.candidates),
        )
        .with_some(
            "attempts_per_cluster",
            output.attempts_per_cluster.map(candidates),
        )
        .with_filled("subset_headers", headers)
        .with_flag(
            "route_strips_response_headers",
            output.route_strips_response_headers,
        )
}

fn trace(trace: &TraceConfig) -> Fields {
    let when =
        within("header", trace.when.header.as_str()).with("value", trace.when.value.as_str());
    Fields::new()
        .with_unless("header", trace.header.as_str(), DEFAULT_TRACE_HEADER)
        .with("when", when)
        .with_flag("steps", trace.steps)
}

fn access_log(log: AccessLog) -> Fields {
    /// Millionths in a percent.
    const PERCENT: f64 = 10_000.0;
    let percent = Tree::Number(f64::from(log.millionths) / PERCENT);
    within("percent", percent).with_flag("steps", log.steps)
}

fn other_tick(tick: Duration) -> Option<String> {
    (tick != DEFAULT_TICK).then(|| duration(tick))
}
