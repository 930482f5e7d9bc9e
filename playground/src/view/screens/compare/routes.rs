//! How the routes and the other settings of two imports differ.

use std::rc::Rc;

use spillgate_codec::import::{ComparisonAnswer, view_of};
use spillgate_scenario::{EditedScenario, ImportOrigin};

/// What is known about the routes of both sides.
#[derive(Debug, Clone, PartialEq)]
pub enum RouteComparison {
    /// Not both sides are imported configurations of Envoy, or they are the same one.
    Without,
    /// The answer is on its way.
    Loading,
    /// The answer.
    Answered(Rc<ComparisonAnswer>),
    /// The module of comparisons did not run, or Envoy rejects a configuration, for this reason.
    Failed(String),
}

impl RouteComparison {
    /// What an answer says.
    #[must_use]
    pub fn of(answer: Rc<ComparisonAnswer>) -> Self {
        match &answer.rejected {
            Some(reason) => Self::Failed(reason.clone()),
            None => Self::Answered(answer),
        }
    }

    /// The answer, if there is one.
    #[must_use]
    pub fn answer(&self) -> Option<&ComparisonAnswer> {
        match self {
            Self::Answered(answer) => Some(answer),
            Self::Without | Self::Loading | Self::Failed(_) => None,
        }
    }
}

/// The import of a side, if it is a configuration of Envoy.
pub(super) fn envoy_import(side: &EditedScenario) -> Option<&ImportOrigin> {
    let origin = side.origin.as_deref()?;
    // A mesh has a cluster for each point of view.
    let of_mesh = origin.clusters.iter().any(|of| view_of(&of.name).is_some());
    (!of_mesh).then_some(origin)
}

/// The configurations of both sides, if these are imports of different ones of Envoy. Their routes are compared as
/// imported, also after edits: those change clusters only.
#[must_use]
pub fn imported_configs(old: &EditedScenario, new: &EditedScenario) -> Option<(String, String)> {
    let config = |side: &EditedScenario| {
        let origin = envoy_import(side)?;
        let is_config = origin.texts.clusters.trim().is_empty();
        is_config.then(|| origin.texts.config.clone())
    };
    let (before, after) = (config(old)?, config(new)?);
    (before != after).then_some((before, after))
}
