//! The clusters that the requests of an Envoy reach, with its Spillgate filter in front of them.

use alloc::{format, string::String, vec::Vec};

use spillgate_core::model::{Cluster, Model};

use super::EnvoyConfig;
use crate::Diagnostic;

/// Clusters as requests reach them.
#[derive(Debug)]
pub struct ServedModel {
    /// The clusters.
    pub model: Model,
    /// What of the configuration they leave out.
    pub warnings: Vec<Diagnostic>,
}

impl EnvoyConfig {
    /// The clusters that requests reach. If a listener has a Spillgate filter, its clusters replace
    /// Envoy's of the same names: it chooses their hosts, and Envoy follows.
    ///
    /// `None` without such a filter: then they are those of [`model`](Self::model).
    #[must_use]
    pub fn served_model(&self) -> Option<ServedModel> {
        let mut filters = self
            .listeners
            .iter()
            .flat_map(|listener| &listener.spillgate);
        let filter = filters.next()?;
        let steered = filter.config.model_in(&self.model);
        let mut warnings = Vec::new();
        if let Some(other) = filters.next() {
            let message = format!(
                "several Spillgate filters; the answer is that of \"{}\", the first one",
                filter.name
            );
            warnings.push(
                Diagnostic::warning("config/several-filters", message).at("", other.position),
            );
        }
        let is_other = |cluster: &&Cluster| steered.cluster(&cluster.name).is_none();
        let others: Vec<Cluster> = self
            .model
            .clusters()
            .iter()
            .filter(is_other)
            .cloned()
            .collect();
        if !steered.chain().is_empty() && !others.is_empty() {
            let names: Vec<&str> = others.iter().map(|cluster| cluster.name.as_str()).collect();
            let message = format!(
                "the subset fallback chain of the Spillgate filter does not hold for {}, which are left out",
                names.join(", ")
            );
            warnings.push(
                Diagnostic::warning("config/not-steered", message)
                    .at(String::new(), filter.position),
            );
            return Some(ServedModel {
                model: steered,
                warnings,
            });
        }
        let (local, chain) = (steered.local().clone(), steered.chain().clone());
        let clusters = steered.clusters().iter().cloned().chain(others).collect();
        let model = match Model::new(clusters) {
            Ok(model) => model.with_local(local).with_chain(chain),
            // Both models are legal, and no name is in both.
            Err(_) => steered,
        };
        Some(ServedModel { model, warnings })
    }
}
