//! Writes an Envoy with the dynamic module.

use alloc::vec::Vec;

use spillgate_core::model::Cluster;

use super::filter_fields;
use crate::{
    Diagnostic,
    filter::FilterConfig,
    isolation::ListFallback,
    proto::Report,
    write::{Written, native_bootstrap, to_yaml},
};

/// Writes an Envoy bootstrap with the dynamic module as YAML: a listener at 127.0.0.1, port 10000, whose
/// filter steers all requests to the target of `filter`, and the clusters `owners` with their hosts.
/// `fallback` handles requests after the filter's host list.
///
/// # Errors
/// Parts that Envoy or the filter's configuration cannot express.
///
/// # Examples
/// ```
/// use spillgate_config::{
///     envoy::{Format, read}, filter::{FilterConfig, TargetConfig, dynamic_module_yaml}, isolation::ListFallback,
/// };
///
/// let text = r#"{"name": "shop", "load_assignment": {"cluster_name": "shop", "endpoints": [
///     {"lb_endpoints": [{"endpoint": {"address":
///         {"socket_address": {"address": "10.0.0.1", "port_value": 80}}}}]}]}}"#;
/// let model = read(text, Format::Json)?.model;
/// let filter = FilterConfig::new(model.clone(), TargetConfig::Always("shop".into()));
/// let written = dynamic_module_yaml(&filter, &[&model.clusters()[0]], ListFallback::Isolation)?;
/// let again = read(&written.text, Format::Yaml)?;
/// assert_eq!(again.listeners[0].spillgate[0].name, "spillgate");
/// # Ok::<(), Vec<spillgate_config::Diagnostic>>(())
/// ```
pub fn dynamic_module_yaml(
    filter: &FilterConfig,
    owners: &[&Cluster],
    fallback: ListFallback,
) -> Result<Written, Vec<Diagnostic>> {
    let mut report = Report::default();
    // Hosts come from Envoy.
    let without_hosts = FilterConfig {
        model: filter.model.without_hosts(),
        ..filter.clone()
    };
    let filter = filter_fields(&without_hosts, &mut report);
    let bootstrap = native_bootstrap(filter, owners, fallback, &mut report);
    let text = to_yaml(&bootstrap.into(), &mut report);
    Written::of(text, report)
}
