//! Writes whole configurations for Envoy.

use alloc::vec::Vec;

use spillgate_core::model::Model;

use super::{Written, envoy::bootstrap, json::to_json, tree::Fields, yaml::to_yaml};
use crate::{Diagnostic, envoy::ListenerConfig, proto::Report};

/// Writes an Envoy bootstrap as JSON, with the routes of these listeners.
///
/// The model has no listener addresses: listeners get ports of 127.0.0.1, from 10000. It has no
/// retry conditions and redirect targets either: conditions become `retry_on: 5xx`, and redirects
/// become direct responses with their status.
///
/// # Errors
/// Parts that Envoy cannot express, like [`clusters_json`](super::clusters_json), and routes with
/// conditions or actions that are not modeled.
///
/// # Examples
/// ```
/// use spillgate_config::{envoy::{Format, read}, write::envoy_json};
///
/// let text = r#"{"name": "shop", "load_assignment": {"cluster_name": "shop", "endpoints": [
///     {"lb_endpoints": [{"endpoint": {"address":
///         {"socket_address": {"address": "10.0.0.1", "port_value": 80}}}}]}]}}"#;
/// let config = read(text, Format::Json)?;
/// let written = envoy_json(&config.model, &config.listeners)?;
/// let again = read(&written.text, Format::Json)?;
/// assert_eq!(again.model.clusters(), config.model.clusters());
/// # Ok::<(), Vec<spillgate_config::Diagnostic>>(())
/// ```
pub fn envoy_json(model: &Model, listeners: &[ListenerConfig]) -> Result<Written, Vec<Diagnostic>> {
    json_with(model, listeners, &nothing)
}

/// The same as YAML, written so that Envoy's YAML reader reads every string and number correctly.
///
/// # Errors
/// As for JSON; and numbers in metadata that are not 32-bit integers (`write/number`), which Envoy
/// reads as strings.
///
/// # Examples
/// ```
/// use spillgate_config::{envoy::{Format, read}, write::envoy_yaml};
///
/// let text = r#"{"name": "shop", "load_assignment": {"cluster_name": "shop", "endpoints": [
///     {"lb_endpoints": [{"endpoint": {"address":
///         {"socket_address": {"address": "10.0.0.1", "port_value": 80}}}}]}]}}"#;
/// let config = read(text, Format::Json)?;
/// let written = envoy_yaml(&config.model, &config.listeners)?;
/// assert!(written.text.contains("cluster_name: shop"));
/// assert!(read(&written.text, Format::Yaml).is_ok());
/// # Ok::<(), Vec<spillgate_config::Diagnostic>>(())
/// ```
pub fn envoy_yaml(model: &Model, listeners: &[ListenerConfig]) -> Result<Written, Vec<Diagnostic>> {
    yaml_with(model, listeners, &nothing)
}

/// JSON with more fields for each cluster.
pub(crate) fn json_with(
    model: &Model,
    listeners: &[ListenerConfig],
    more: &dyn Fn(&str) -> Fields,
) -> Result<Written, Vec<Diagnostic>> {
    let mut report = Report::default();
    let text = to_json(&bootstrap(model, listeners, more, &mut report).into());
    Written::of(text, report)
}

/// YAML with more fields for each cluster.
pub(crate) fn yaml_with(
    model: &Model,
    listeners: &[ListenerConfig],
    more: &dyn Fn(&str) -> Fields,
) -> Result<Written, Vec<Diagnostic>> {
    let mut report = Report::default();
    let tree = bootstrap(model, listeners, more, &mut report).into();
    let text = to_yaml(&tree, &mut report);
    Written::of(text, report)
}

/// No more fields.
pub(super) fn nothing(_: &str) -> Fields {
    Fields::new()
}
