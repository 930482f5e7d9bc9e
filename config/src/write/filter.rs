//! The filter's own configuration.

use alloc::{string::String, vec::Vec};
use core::time::Duration;

use super::{
    Written,
    duration::duration,
    envoy::{cluster, hash_policies, route_match},
    json::to_json,
    tree::{Fields, within},
};
use crate::{
    Diagnostic,
    filter::{DEFAULT_TICK, DEFAULT_TRACE_HEADER, FilterConfig, Output, Target, TraceConfig},
    proto::Report,
};

/// The configuration as JSON, which [`filter::read`](crate::filter::read) reads back. The secret
/// that asks for traces is in it.
///
/// # Errors
/// As for [`clusters_json`](super::clusters_json). What the filter does not support of a legal
/// model is for its reader to say.
pub fn filter_json(config: &FilterConfig) -> Result<Written, Vec<Diagnostic>> {
    let mut report = Report::default();
    let mut clusters = Vec::new();
    for one in config.model.clusters() {
        clusters.push(cluster(one, &mut report));
    }
    let fields = Fields::new()
        .with_list("clusters", clusters)
        .and(target(&config.target, &mut report))
        .with_list("hash_policy", hash_policies(&config.hash_policies))
        .with_filled("output", output(&config.output))
        .with_list(
            "reserved_headers",
            config.reserved_headers.iter().map(String::as_str),
        )
        .with_some("trace", config.trace.as_ref().map(trace))
        .with_some("tick", other_tick(config.tick));
    Written::of(to_json(&fields.into()), report)
}

fn target(of: &Target, report: &mut Report) -> Fields {
    let rules = match of {
        Target::Always(cluster) => return within("target", cluster.as_str()),
        Target::FirstMatch(rules) => rules,
    };
    let mut targets = Vec::new();
    for rule in rules {
        for one in &rule.matches {
            let target = within("match", route_match(one, report));
            targets.push(target.with("cluster", rule.cluster.as_str()));
        }
    }
    Fields::new().with_list("targets", targets)
}

fn output(output: &Output) -> Fields {
    let default = Output::default();
    let candidates = |count: usize| u64::try_from(count).unwrap_or(u64::MAX);
    Fields::new()
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
}

fn trace(trace: &TraceConfig) -> Fields {
    let when =
        within("header", trace.when.header.as_str()).with("value", trace.when.value.as_str());
    Fields::new()
        .with_unless("header", trace.header.as_str(), DEFAULT_TRACE_HEADER)
        .with("when", when)
        .with_flag("steps", trace.steps)
}

fn other_tick(tick: Duration) -> Option<String> {
    (tick != DEFAULT_TICK).then(|| duration(tick))
}
