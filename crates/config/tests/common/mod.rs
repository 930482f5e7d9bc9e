//! Shared by reader tests: reading an input, its content and its findings.

pub(crate) mod builders;
mod golden;
pub(crate) mod mesh;
pub(crate) mod session_edges;
pub(crate) mod shipped;
pub(crate) mod staged;

pub(crate) use golden::assert_golden;
use spillgate_config::envoy::{EnvoyConfig, Format, read};
use spillgate_core::model::{ClusterKind, PlainCluster};

/// The configuration of an input without faults.
pub(crate) fn config(text: &str) -> EnvoyConfig {
    match read(text, Format::Yaml) {
        Ok(config) => config,
        Err(faults) => panic!("{text}: {faults:#?}"),
    }
}

/// The first cluster.
pub(crate) fn plain(config: &EnvoyConfig) -> &PlainCluster {
    match &config.model.clusters()[0].kind {
        ClusterKind::Plain(plain) => plain,
        other => panic!("{other:?}"),
    }
}

/// The codes and messages of the faults, or of the warnings if there is no fault.
pub(crate) fn findings(text: &str) -> Vec<String> {
    let found = match read(text, Format::Yaml) {
        Ok(config) => config.warnings,
        Err(faults) => faults,
    };
    found.iter().map(ToString::to_string).collect()
}

/// Exactly one finding, which contains this text.
pub(crate) fn assert_found(text: &str, expected: &str) {
    let found = findings(text);
    assert_eq!(found.len(), 1, "{text}: {found:#?}");
    assert!(found[0].contains(expected), "{text}: {}", found[0]);
}

/// A `load_balancing_policy` of one policy, and its settings where there are any.
pub(crate) fn policy(name: &str, settings: &str) -> String {
    let comma = if settings.is_empty() { "" } else { ", " };
    format!(
        "{{policies: [{{typed_extension_config: {{name: p, typed_config: {{\"@type\": type.googleapis.com/envoy.extensions.load_balancing_policies.{name}{comma}{settings}}}}}}}]}}"
    )
}
