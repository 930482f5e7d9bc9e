//! Whole configurations for Envoy.

use alloc::vec::Vec;

use spillgate_core::model::Model;

use super::{Written, envoy::bootstrap, json::to_json, yaml::to_yaml};
use crate::{Diagnostic, proto::Report};

/// An Envoy bootstrap as JSON.
///
/// # Errors
/// Everything that Envoy has no words for, as in [`clusters_json`](super::clusters_json).
pub fn envoy_json(model: &Model) -> Result<Written, Vec<Diagnostic>> {
    let mut report = Report::default();
    let text = to_json(&bootstrap(model, &mut report).into());
    Written::of(text, report)
}

/// The same as YAML, written so that Envoy's own reader of YAML takes every text and number as it
/// is meant.
///
/// # Errors
/// As for JSON; and numbers in metadata that are no whole numbers of 32 bits (`write/number`), of
/// which Envoy makes texts.
pub fn envoy_yaml(model: &Model) -> Result<Written, Vec<Diagnostic>> {
    let mut report = Report::default();
    let text = to_yaml(&bootstrap(model, &mut report).into(), &mut report);
    Written::of(text, report)
}
