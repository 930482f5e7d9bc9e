//! The imported text, with the line that decides each step.

use spillgate_codec::import::{ClusterPlaces, HostPlace, TextPosition};
use spillgate_config::{
    Position,
    envoy::{ClusterMarks, ConfigPositions, EndpointMarks, Marks},
};
use spillgate_core::{model::Model, snapshot::Snapshot, trace::ConfigRef};
use spillgate_explain::quoted_line;
use spillgate_scenario::{ConfigLines, EditedScenario};

/// An import whose clusters the scenario still has.
#[derive(Debug)]
pub struct ConfigSource {
    config: String,
    model: Model,
    marks: Marks,
}

/// A line of the imported configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigLine {
    /// The position of the value.
    pub position: TextPosition,
    /// The quoted line; empty if the text is too large for the module.
    pub text: String,
}

impl ConfigSource {
    /// The source of a scenario. `None` for a scenario that was not
    /// imported.
    #[must_use]
    pub fn new(scenario: &EditedScenario) -> Option<Self> {
        let ConfigLines { config, clusters } = ConfigLines::of(scenario)?;
        let marks = clusters
            .into_iter()
            .filter_map(|cluster| Some((cluster.name, marks_of(&cluster.places)?)));
        Some(Self {
            config,
            model: scenario.model().clone(),
            marks: Marks::of(marks),
        })
    }

    /// The line of a position; empty if the text is too large for the module.
    #[must_use]
    pub fn quote(&self, position: TextPosition) -> String {
        quoted_line(&self.config, position.line, position.column)
    }

    /// The line of the value that decides a step.
    #[must_use]
    pub fn line(&self, snapshot: &Snapshot, config: ConfigRef) -> Option<ConfigLine> {
        let places = ConfigPositions {
            model: &self.model,
            marks: &self.marks,
            route: None,
        };
        let Position { line, column } = places.of(snapshot, config)?;
        let position = TextPosition { line, column };
        Some(ConfigLine {
            position,
            text: self.quote(position),
        })
    }
}

/// The positions of a cluster, as the reader of configurations has them.
fn marks_of(places: &ClusterPlaces) -> Option<ClusterMarks> {
    let position = |at: &TextPosition| Position {
        line: at.line,
        column: at.column,
    };
    let at = |place: &Option<TextPosition>| place.as_ref().map(position);
    let mut marks = ClusterMarks::at(at(&places.cluster)?);
    marks.lb_policy = at(&places.lb_policy);
    marks.healthy_panic_threshold = at(&places.panic_threshold);
    marks.override_host_status = at(&places.override_host_status);
    marks.overprovisioning_factor = at(&places.overprovisioning_factor);
    marks.members = at(&places.members);
    marks.locality_lb = at(&places.locality_lb);
    marks.hash_policy = at(&places.hash_policy);
    marks.drop_overload = at(&places.drop_overload);
    marks.subset = at(&places.subset);
    marks.subset_selectors = places.subset_selectors.iter().map(position).collect();
    let localities = places.localities.iter();
    marks.localities = localities
        .map(|priority| priority.iter().map(position).collect())
        .collect();
    let host = |place: &HostPlace| EndpointMarks {
        endpoint: position(&place.endpoint),
        health_status: at(&place.health_status),
    };
    let priorities = places.priorities.iter();
    marks.priorities = priorities
        .map(|priority| priority.iter().map(host).collect())
        .collect();
    Some(marks)
}
