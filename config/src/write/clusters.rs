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
pub fn clusters_json(model: &Model) -> Result<Written, Vec<Diagnostic>> {
    let mut report = Report::default();
    let text = to_json_line(&bootstrap(model, &[], &mut report).into());
    Written::of(text, report)
}
