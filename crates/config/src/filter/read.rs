//! Reads a filter configuration from JSON.

use alloc::{string::String, vec::Vec};
use core::time::Duration;

use spillgate_core::{decide::ClusterChoice, model::Model, names::Names};

use super::{
    ActiveRequests, FilterConfig, FilterForm, HealthSource, KeyLookup, OutputMode, TargetConfig,
    VariableKeys,
    affinity::{AffinityReading, read_affinity},
    chain::read_chain,
    config::DEFAULT_TICK,
    criteria::read_criteria,
    effect::{check_effects, check_native_values},
    header_purposes::{
        check_criteria_headers, check_header_names_differ, check_header_of_each_key,
    },
    health::read_health,
    target::read_target,
    trace::{read_access_log, read_trace},
};
use crate::{
    Diagnostic,
    envoy::{read_hash_policies, read_model},
    header_name::check_header_name,
    node::{self, Document, Node, NodeValue},
    output::read_output,
    proto::{Message, Path, Report, Schema},
};

/// The whole configuration of the filter.
pub(super) static CONFIG: Schema = Schema::new(
    "the filter's configuration",
    "clusters target targets weighted route_settings hash_policy metadata_match criteria \
     subset_chain health affinity cluster_choice least_request output reserved_headers trace \
     access_log tick",
);

/// `least_request`: the source of active requests.
pub(super) static LEAST_REQUEST: Schema = Schema::new("least_request", "source");

/// The values of `least_request.source`; the first is the default.
pub(crate) const ACTIVE_REQUESTS: [(&str, i64, ActiveRequests); 2] = [
    ("worker", 0, ActiveRequests::Worker),
    ("admin", 1, ActiveRequests::Admin),
];

/// The values of `cluster_choice`; the first is the default.
pub(crate) const CLUSTER_CHOICES: [(&str, i64, ClusterChoice); 2] = [
    ("random", 0, ClusterChoice::Random),
    ("hash", 1, ClusterChoice::Hash),
];

/// Envoy's timers count milliseconds.
pub(super) const SHORTEST_TICK: Duration = Duration::from_millis(1);

/// Reads the filter's configuration, the text that Envoy passes to the plugin.
///
/// # Errors
/// Every fault in text order; for a syntax error only that one.
///
/// # Examples
/// ```
/// use spillgate_config::filter::{TargetConfig, read};
///
/// let json = r#"{"target": "shop", "clusters": [{"name": "shop", "load_assignment":
///     {"cluster_name": "shop", "endpoints": [{"lb_endpoints": [{"endpoint": {"address":
///         {"socket_address": {"address": "10.0.0.1", "port_value": 80}}}}]}]}}]}"#;
/// let config = read(json)?;
/// assert_eq!(config.target, TargetConfig::Always("shop".into()));
///
/// // The target must be a cluster of the configuration.
/// let faults = read(&json.replacen("shop", "shopp", 1)).unwrap_err();
/// assert_eq!(faults[0].suggestion.as_deref(), Some("shop"));
/// # Ok::<(), Vec<spillgate_config::Diagnostic>>(())
/// ```
pub fn read(json: &str) -> Result<FilterConfig, Vec<Diagnostic>> {
    read_with(json, &|_| VariableKeys::NotSet)
}

/// Reads the filter's configuration in an environment: `keys` finds the token keys of
/// `affinity.keys_from_env`.
///
/// # Errors
/// Like [`read`].
pub fn read_with(json: &str, keys: KeyLookup<'_>) -> Result<FilterConfig, Vec<Diagnostic>> {
    read_text(json, keys, read_config)
}

/// Reads the configuration of the dynamic module in an environment.
///
/// # Errors
/// Like [`read`]. Output modes in which filters of Envoy read headers are refused.
pub fn read_native(json: &str, keys: KeyLookup<'_>) -> Result<FilterConfig, Vec<Diagnostic>> {
    read_text(json, keys, |message, keys, report| {
        let config = native(read_config, message, keys, report)?;
        check_native_values(message, &config, report);
        if config.output.mode != OutputMode::OverrideHost {
            let fault = "output.mode requires the Wasm filter";
            message
                .error("output", "config/one-of", fault)
                .expected("override_host in the dynamic module")
                .push_to(report);
        }
        Some(config)
    })
}

/// Reads a configuration inside another input.
///
/// # Errors
/// Like [`read_with`].
pub(crate) fn read_embedded(
    form: FilterForm,
    document: &Document<'_>,
    path: Path,
    keys: KeyLookup<'_>,
) -> Result<FilterConfig, Vec<Diagnostic>> {
    let (root, warnings) = (document.roots.first(), document.warnings.clone());
    match form {
        FilterForm::Wasm => read_tree(root, warnings, path, keys, EMBEDDED),
        FilterForm::DynamicModule => {
            read_tree(root, warnings, path, keys, |message, keys, report| {
                let config = native(EMBEDDED, message, keys, report)?;
                if cfg!(feature = "steering") {
                    check_native_values(message, &config, report);
                }
                Some(config)
            })
        }
    }
}

/// Reads a configuration whose hosts come from Envoy.
fn native(
    read: ReadConfig,
    message: &Message<'_, '_>,
    keys: KeyLookup<'_>,
    report: &mut Report,
) -> Option<FilterConfig> {
    report.await_hosts();
    let config = read(message, keys, report)?;
    let on_unknown = match config.health {
        HealthSource::Admin(admin) => admin.on_unknown,
        HealthSource::Static | HealthSource::Envoy { .. } => None,
    };
    Some(FilterConfig {
        health: HealthSource::Envoy { on_unknown },
        ..config
    })
}

/// The parts of a configuration inside another input that are read. A program that runs no requests
/// needs only the hosts, and the rest of the reader is as large as a third of all readers of
/// Envoy's messages.
const EMBEDDED: ReadConfig = if cfg!(feature = "steering") {
    read_config
} else {
    read_hosts
};

type ReadConfig = fn(&Message<'_, '_>, KeyLookup<'_>, &mut Report) -> Option<FilterConfig>;

fn read_text(
    json: &str,
    keys: KeyLookup<'_>,
    read: ReadConfig,
) -> Result<FilterConfig, Vec<Diagnostic>> {
    // Invalid JSON may contain a part of a secret, so no found value is reported.
    let document = node::read_json(json).map_err(|fault| {
        Vec::from([Diagnostic {
            found: None,
            ..fault
        }])
    })?;
    let Document { roots, warnings } = document;
    read_tree(roots.first(), warnings, Path::root(), keys, read)
}

/// Reads a configuration from its tree; the warnings are those of its text.
fn read_tree(
    root: Option<&Node<'_>>,
    warnings: Vec<Diagnostic>,
    path: Path,
    keys: KeyLookup<'_>,
    read: ReadConfig,
) -> Result<FilterConfig, Vec<Diagnostic>> {
    let mut report = Report::strict();
    report.doubt_all(warnings);
    let message = report
        .in_confidence(|report| root.and_then(|root| Message::open(root, path, &CONFIG, report)));
    let config = message.and_then(|message| read(&message, keys, &mut report));
    report.hide_secrets(root);
    let warnings = report.finish()?;
    match config {
        Some(config) => Ok(FilterConfig { warnings, ..config }),
        // Every `None` has reported an error; this satisfies the type checker.
        None => Err(Vec::from([Diagnostic::error(
            "config/unusable",
            "unreadable configuration",
        )])),
    }
}

/// Reads clusters, chain and health source; everything else has its default, and there is no
/// target.
fn read_hosts(
    message: &Message<'_, '_>,
    _: KeyLookup<'_>,
    report: &mut Report,
) -> Option<FilterConfig> {
    let (model, _, health) = read_clusters(message, report);
    Some(FilterConfig {
        health: health?,
        ..FilterConfig::new(model, TargetConfig::Always(String::new()))
    })
}

fn read_clusters(
    message: &Message<'_, '_>,
    report: &mut Report,
) -> (Model, Names, Option<HealthSource>) {
    message.require("clusters", report);
    let health = read_health(message, report);
    if matches!(health, Some(HealthSource::Admin(_))) {
        report.await_hosts();
    }
    let (model, names) = read_model(message, report);
    (model.with_chain(read_chain(message, report)), names, health)
}

fn read_config(
    message: &Message<'_, '_>,
    keys: KeyLookup<'_>,
    report: &mut Report,
) -> Option<FilterConfig> {
    let (model, names, health) = read_clusters(message, report);
    let target = read_target(message, &names, report);
    let route_settings = message.bool("route_settings", report).unwrap_or(false);
    let hash_policies = read_hash_policies(message, "hash_policy", report);
    let criteria = read_criteria(message, report);
    let (affinity, unknown_keys) = match read_affinity(message, keys, report) {
        AffinityReading::None => (None, None),
        AffinityReading::Affinity(affinity) => (Some(*affinity), None),
        AffinityReading::UnknownKeys(name) => (None, Some(name)),
    };
    let cluster_choice = message.enumeration("cluster_choice", &CLUSTER_CHOICES, report);
    let active_requests = read_active_requests(message, health.as_ref(), report);
    let output = read_output(message, report);
    let reserved_headers = read_reserved(message, report);
    let trace = read_trace(message, report);
    check_header_names_differ(message, &output, trace.as_ref(), affinity.as_ref(), report);
    check_criteria_headers(message, &output, affinity.as_ref(), &criteria, report);
    if output.mode == OutputMode::SubsetHeaders {
        if message.has("affinity") {
            let fault = "affinity requires a mode that chooses hosts";
            message
                .error("affinity", "config/one-of", fault)
                .expected("output.mode override_host or stateful_session")
                .push_to(report);
        }
        let chain = model.chain().iter().map(|step| &step.hosts);
        check_header_of_each_key(message, chain, &criteria, &output, report);
    }
    let access_log = read_access_log(message, report);
    let tick = read_tick(message, report);
    let config = FilterConfig {
        route_settings,
        hash_policies,
        criteria,
        health: health?,
        affinity,
        unknown_keys,
        cluster_choice: cluster_choice.unwrap_or_default(),
        active_requests,
        output,
        reserved_headers,
        trace,
        access_log,
        tick,
        ..FilterConfig::new(model, target?)
    };
    check_effects(message, &config, report);
    Some(config)
}

fn read_active_requests(
    parent: &Message<'_, '_>,
    health: Option<&HealthSource>,
    report: &mut Report,
) -> ActiveRequests {
    let Some(message) = parent.message("least_request", &LEAST_REQUEST, report) else {
        return ActiveRequests::default();
    };
    let source = message.enumeration("source", &ACTIVE_REQUESTS, report);
    if (source, health) == (Some(ActiveRequests::Admin), Some(&HealthSource::Static)) {
        let fault = "admin requires health.source: admin";
        message
            .error("source", "config/one-of", fault)
            .expected("health.source: admin")
            .push_to(report);
    }
    source.unwrap_or_default()
}

fn read_reserved(message: &Message<'_, '_>, report: &mut Report) -> Vec<String> {
    let path = message.path.field("reserved_headers");
    let nodes = message.strings("reserved_headers", report);
    nodes
        .into_iter()
        .filter_map(|node| match &node.value {
            NodeValue::String(name) => check_header_name(name, path.text(), node.position, report),
            _ => None,
        })
        .collect()
}

fn read_tick(message: &Message<'_, '_>, report: &mut Report) -> Duration {
    let tick = message.duration("tick", report).unwrap_or(DEFAULT_TICK);
    if tick < SHORTEST_TICK {
        message.out_of_range("tick", "at least \"1ms\"", report);
    }
    tick
}
