//! One side of a comparison.

use std::collections::BTreeMap;

use spillgate_answers::limits::is_limit;
use spillgate_core::model::Model;
use spillgate_diff::DiffSide;
use spillgate_lint::Finding;

use crate::{
    command::Done,
    config::{Config, LintedConfig},
};

/// A read side.
pub(crate) struct Side {
    /// As written in the arguments.
    pub(crate) name: String,
    /// The start of a command that explains one of its requests; `None` if no single command does.
    pub(crate) explain: Option<String>,
    pub(crate) config: Config,
    /// The clusters that requests reach.
    pub(crate) model: Model,
    /// The clusters with unknown hosts, with where these are from.
    pub(crate) unknown: BTreeMap<String, String>,
    pub(crate) findings: Vec<Finding>,
}

impl Side {
    pub(super) fn new(
        name: String,
        explain: Option<String>,
        read: LintedConfig,
        done: &mut Done,
    ) -> Self {
        let LintedConfig {
            config,
            findings,
            mut discovery_sources,
        } = read;
        config.warn(done);
        let served = config.effective_model(done);
        let unknown = config.unknown_clusters(&served);
        let model = served.into_owned();
        let names = model.clusters().iter().map(|cluster| &cluster.name);
        let unknown = names.filter(|name| unknown.contains(name));
        let unknown = unknown.map(|name| {
            let source = discovery_sources.remove(name).unwrap_or_default();
            (name.clone(), source)
        });
        Self {
            unknown: unknown.collect(),
            findings,
            name,
            explain,
            model,
            config,
        }
    }

    /// The side as the comparison reads it.
    pub(crate) fn for_diff(&self) -> DiffSide<'_> {
        DiffSide {
            model: &self.model,
            listeners: self.config.envoy.listeners.as_slice(),
            unknown: &self.unknown,
        }
    }

    /// What each setting that is not modeled can change.
    pub(crate) fn limits(&self) -> Vec<String> {
        let others = self.config.others.iter().flat_map(|(_, found)| found);
        let all = self.config.envoy.warnings.iter().chain(others);
        let limits = all.filter(|found| is_limit(found));
        let texts = limits.map(|limit| match &limit.found {
            Some(found) => format!("{}; found {found}", limit.message),
            None => limit.message.clone(),
        });
        texts.collect()
    }
}
