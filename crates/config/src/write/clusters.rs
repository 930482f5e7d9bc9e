//! Writes clusters without routes, for another program.

use alloc::vec::Vec;

use spillgate_core::model::Model;

use super::{Written, bootstrap::nothing, envoy::bootstrap, json::to_json_line};
use crate::{Diagnostic, proto::Report};

/// Writes the clusters and the proxy's own location as one line of JSON: an Envoy bootstrap, which
/// [`read_clusters_only`](crate::envoy::read_clusters_only) reads back as the same model.
///
/// # Errors
/// Parts that Envoy cannot express: Spillgate's own policies, invalid addresses, values that Envoy
/// rejects.
///
/// # Examples
/// ```
/// use spillgate_config::{envoy::{Format, read_clusters_only}, write::clusters_json};
///
/// let text = r#"{"name": "shop", "load_assignment": {"cluster_name": "shop", "endpoints": [
///     {"lb_endpoints": [{"endpoint": {"address":
///         {"socket_address": {"address": "10.0.0.1", "port_value": 80}}}}]}]}}"#;
/// let read = read_clusters_only(text, Format::Json)?;
/// let written = clusters_json(&read.model)?;
/// assert!(!written.text.contains('\n'));
/// let again = read_clusters_only(&written.text, Format::Json)?;
/// assert_eq!(again.model.clusters(), read.model.clusters());
/// # Ok::<(), Vec<spillgate_config::Diagnostic>>(())
/// ```
pub fn clusters_json(model: &Model) -> Result<Written, Vec<Diagnostic>> {
    let mut report = Report::default();
    let text = to_json_line(&bootstrap(model, &[], &nothing, &mut report).into());
    Written::of(text, report)
}
