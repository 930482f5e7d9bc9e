//! What files are made of.

use std::{rc::Rc, sync::Arc};

use spillgate_codec::link::{Scenario, ScenarioError, proposed};
use spillgate_config::envoy::ListenerConfig;
use spillgate_core::model::{Cluster, Model};
use spillgate_scenario::{EditedScenario, ImportOrigin};

use super::ScenarioQuestion;

/// The content of files.
#[derive(Debug, Clone, Copy)]
pub struct ExportSource<'a> {
    /// The clusters.
    pub model: &'a Model,
    /// The listeners, whose routes Envoy configurations have too.
    pub listeners: &'a [ListenerConfig],
    /// The clusters whose hosts are not known, by name: files state no figures about their requests.
    pub unknown: &'a [&'a str],
    /// The cluster that tables and pictures show and the filter balances. Without it, the filter needs a
    /// single cluster outside of aggregates, and the others show the one that the playground proposes.
    pub target: Option<&'a str>,
    /// The what-if question of a scenario.
    pub question: &'a ScenarioQuestion,
}

impl<'a> ExportSource<'a> {
    /// A source without listeners, target and question.
    #[must_use]
    pub const fn of(model: &'a Model) -> Self {
        const NO_QUESTION: &ScenarioQuestion = &ScenarioQuestion {
            cluster: None,
            lose: Vec::new(),
            expect: Vec::new(),
            view: Vec::new(),
        };
        Self {
            model,
            listeners: &[],
            unknown: &[],
            target: None,
            question: NO_QUESTION,
        }
    }

    /// The clusters as the playground shows them.
    ///
    /// # Errors
    /// If the playground cannot show them: too many hosts, for example.
    pub(crate) fn shown(&self) -> Result<EditedScenario, ScenarioError> {
        let clusters = self.model.clusters();
        let named = self
            .target
            .and_then(|name| clusters.iter().position(|cluster| cluster.name == name));
        let root = named.unwrap_or_else(|| proposed(clusters));
        self.scenario(clusters.to_vec(), root)
    }

    /// Clusters as the playground shows them, with what is not known.
    ///
    /// # Errors
    /// If the playground cannot show them.
    pub(crate) fn scenario(
        &self,
        clusters: Vec<Arc<Cluster>>,
        root: usize,
    ) -> Result<EditedScenario, ScenarioError> {
        let all = clusters.iter().enumerate();
        let unknown = all.filter(|(_, cluster)| self.unknown.contains(&cluster.name.as_str()));
        let unknown: Vec<usize> = unknown.map(|(at, _)| at).collect();
        let origin = (!unknown.is_empty()).then(|| ImportOrigin {
            clusters: clusters.clone(),
            unknown_hosts: unknown,
            ..ImportOrigin::default()
        });
        let scenario: EditedScenario = Scenario::new(clusters, root)?;
        Ok(scenario.with_origin(origin.map(Rc::new)))
    }
}
