//! Clusters without routes, for a program that goes on with them.

use alloc::vec::Vec;

use spillgate_core::model::Model;

use super::{Written, envoy::bootstrap, json::to_json_line};
use crate::{Diagnostic, proto::Report};

/// The clusters, and where the proxy stands, as one line of JSON: an Envoy bootstrap, which
/// [`read_clusters_only`](crate::envoy::read_clusters_only) reads back as the same model.
///
/// # Errors
/// Everything that Envoy has no words for: a policy of ours, a text that is no address, values
/// that Envoy refuses.
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
    let text = to_json_line(&bootstrap(model, &[], &mut report).into());
    Written::of(text, report)
}
