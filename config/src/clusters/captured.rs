//! The hosts and health in a capture of a running Envoy.

use alloc::vec::Vec;

use super::{lay_over, read};
use crate::{Diagnostic, envoy::EnvoyConfig};

/// Applies the `/clusters` responses in a capture, as [`lay_over`] does, and adds its warnings. Without a
/// response, the configuration stays as it is.
///
/// # Errors
/// Every fault of the responses.
///
/// # Examples
/// ```
/// use spillgate_config::{clusters::lay_over_captured, envoy::{Format, read}};
///
/// let text = r#"{"configs": [
///     {"@type": "type.googleapis.com/envoy.admin.v3.ClustersConfigDump",
///      "static_clusters": [{"cluster": {"name": "shop", "type": "EDS"}}]},
///     {"@type": "type.googleapis.com/envoy.admin.v3.Clusters", "cluster_statuses": [
///      {"name": "shop", "host_statuses": [{"health_status": {}, "address":
///          {"socket_address": {"address": "10.0.0.2", "port_value": 80}}}]}]}]}"#;
/// let mut config = read(text, Format::Json)?;
/// lay_over_captured(&mut config)?;
/// assert_eq!(config.model.clusters()[0].priorities()[0].endpoints[0].address, "10.0.0.2:80");
/// # Ok::<(), Vec<spillgate_config::Diagnostic>>(())
/// ```
pub fn lay_over_captured(config: &mut EnvoyConfig) -> Result<(), Vec<Diagnostic>> {
    for text in core::mem::take(&mut config.statuses) {
        let statuses =
            read(&text).map_err(|faults| faults.into_iter().map(inside).collect::<Vec<_>>())?;
        let found = lay_over(&statuses, config);
        config.warnings.extend(found.into_iter().map(inside));
    }
    Ok(())
}

/// A finding without its position, which is one in the section.
fn inside(finding: Diagnostic) -> Diagnostic {
    Diagnostic {
        position: None,
        ..finding
    }
}
