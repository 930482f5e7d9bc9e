//! `output`: the headers of the decision.

use alloc::{format, string::String, sync::Arc, vec::Vec};

use spillgate_core::decide::MAXIMUM_CANDIDATES;

use crate::{
    header_name::{check_header_name, read_header_name},
    node::NodeValue,
    proto::{Message, Report, Schema},
};

/// `output`: the headers that carry a decision.
pub(crate) static OUTPUT: Schema = Schema::new(
    "output",
    "mode host_header cluster_header candidates attempts_per_cluster subset_headers \
     route_strips_response_headers",
);

/// The mechanism of Envoy that reads the headers.
pub(crate) const MODES: [(&str, i64, OutputMode); 3] = [
    ("override_host", 0, OutputMode::OverrideHost),
    ("stateful_session", 1, OutputMode::StatefulSession),
    ("subset_headers", 2, OutputMode::SubsetHeaders),
];

/// The header with the hosts, unless `output` names another.
pub const DEFAULT_HOST_HEADER: &str = "x-spillgate-host";
/// The header with the cluster, unless `output` names another.
pub const DEFAULT_CLUSTER_HEADER: &str = "x-spillgate-cluster";

/// The headers of a decision (`output`). Names are lowercase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// The mechanism (`output.mode`).
    pub mode: OutputMode,
    /// The header of the host or override host list (`output.host_header`).
    pub host_header: String,
    /// The header of the aggregate's member cluster (`output.cluster_header`).
    pub cluster_header: String,
    /// Maximum length of the override host list (`output.candidates`), at least one.
    pub candidates: usize,
    /// The attempts in the cluster of the first host (`output.attempts_per_cluster`), at least one; later
    /// ones go to the next cluster. `None`: all attempts stay in one cluster.
    pub attempts_per_cluster: Option<usize>,
    /// The header of each key of the selected subset (`output.subset_headers`).
    pub subset_headers: Vec<(Arc<str>, String)>,
    /// Whether `response_headers_to_remove` on every route strips the internal headers from
    /// responses, so that the filter does not (`output.route_strips_response_headers`).
    pub route_strips_response_headers: bool,
}

/// The mechanism by which Envoy follows the decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputMode {
    /// An override host list, for the `override_host` policy.
    OverrideHost,
    /// One host, for the `stateful_session` filter with header state: Envoy checks its health.
    StatefulSession,
    /// A subset, for `header_to_metadata` and Envoy's subset balancer, which picks the host.
    SubsetHeaders,
}

impl Default for Output {
    fn default() -> Self {
        Self {
            mode: OutputMode::OverrideHost,
            host_header: DEFAULT_HOST_HEADER.into(),
            cluster_header: DEFAULT_CLUSTER_HEADER.into(),
            candidates: 3,
            attempts_per_cluster: None,
            subset_headers: Vec::new(),
            route_strips_response_headers: false,
        }
    }
}

/// Reads `output`; absent fields have their defaults.
pub(crate) fn read_output(parent: &Message<'_, '_>, report: &mut Report) -> Output {
    let mut output = Output::default();
    let Some(message) = parent.message("output", &OUTPUT, report) else {
        return output;
    };
    if let Some(mode) = message.enumeration("mode", &MODES, report) {
        output.mode = mode;
    }
    if let Some(name) = read_header_name(&message, "host_header", report) {
        output.host_header = name;
    }
    if let Some(name) = read_header_name(&message, "cluster_header", report) {
        output.cluster_header = name;
    }
    if let Some(candidates) = message.u32("candidates", report) {
        match usize::try_from(candidates) {
            Ok(candidates @ 1..=MAXIMUM_CANDIDATES) => output.candidates = candidates,
            _ => message.out_of_range(
                "candidates",
                format!("an integer from 1 to {MAXIMUM_CANDIDATES}"),
                report,
            ),
        }
    }
    output.attempts_per_cluster = read_attempts(&message, &output, report);
    let by_route = message.bool("route_strips_response_headers", report);
    output.route_strips_response_headers = by_route.unwrap_or(false);
    output.subset_headers = read_subset_headers(&message, report);
    let given = message.has("subset_headers");
    if given != (output.mode == OutputMode::SubsetHeaders) {
        let fault = if given {
            "requires mode: subset_headers"
        } else {
            "mode subset_headers requires a header for each key"
        };
        report.push(message.error("subset_headers", "config/one-of", fault));
    }
    output
}

/// Reads `attempts_per_cluster`. The hosts of both clusters are in one list, so there must be one.
fn read_attempts(message: &Message<'_, '_>, output: &Output, report: &mut Report) -> Option<usize> {
    let attempts = message.u32("attempts_per_cluster", report)?;
    if output.mode != OutputMode::OverrideHost || output.candidates == 1 {
        let fault = "requires mode: override_host and more than one of candidates";
        report.push(message.error("attempts_per_cluster", "config/one-of", fault));
        return None;
    }
    match usize::try_from(attempts) {
        Ok(attempts) if (1..=output.candidates).contains(&attempts) => Some(attempts),
        _ => {
            let expected = "an integer from 1 to candidates";
            message.out_of_range("attempts_per_cluster", expected, report);
            None
        }
    }
}

fn read_subset_headers(output: &Message<'_, '_>, report: &mut Report) -> Vec<(Arc<str>, String)> {
    let mut headers = Vec::new();
    let path = output.path.field("subset_headers");
    match output.get("subset_headers").map(|node| &node.value) {
        Some(NodeValue::Map(entries)) => {
            for entry in entries {
                let path = path.field(String::from(&*entry.key.name)).text();
                let NodeValue::String(name) = &entry.node.value else {
                    output
                        .error("subset_headers", "config/type", "wrong type")
                        .expected("a header name for each key")
                        .push_to(report);
                    continue;
                };
                let name = check_header_name(name, path, entry.node.position, report);
                headers.extend(name.map(|name| (Arc::from(&*entry.key.name), name)));
            }
        }
        Some(_) => output
            .error("subset_headers", "config/type", "wrong type")
            .expected("an object with a header name for each key")
            .push_to(report),
        None => {}
    }
    headers
}
