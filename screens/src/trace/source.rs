//! The imported text, with the line that decides each step.

use std::rc::Rc;

use spillgate_codec::import::{ClusterPlaces, HostPlace, TextPosition};
use spillgate_config::{
    Position,
    envoy::{ClusterMarks, EndpointMarks, Marks, Places},
};
use spillgate_core::{
    model::{Cluster, ClusterKind, Model},
    snapshot::Snapshot,
    trace::ConfigRef,
};
use spillgate_explain::quoted_line;
use spillgate_playground::state::{ImportOrigin, ImportReply, PageScenario};

/// An import whose clusters the scenario still has.
#[derive(Debug)]
pub struct ConfigSource {
    origin: Rc<ImportOrigin>,
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
    /// The source of a scenario, from the text that the page passes. `None` for a scenario that was not
    /// imported.
    #[must_use]
    pub fn new(scenario: &PageScenario, import: &str) -> Option<Self> {
        let imported = ImportReply::from_text(import)?.import.import()?;
        let origin = imported.origin;
        let kept = scenario.clusters().iter().filter_map(|now| {
            let mut then = origin.clusters.iter().zip(&origin.places);
            let (then, places) = then.find(|(then, _)| then.name == now.name)?;
            Some((now.name.clone(), kept_marks(now, then, places)?))
        });
        let marks = Marks::of(kept);
        Some(Self {
            model: scenario.model(),
            origin,
            marks,
        })
    }

    /// The line of the value that decides a step.
    #[must_use]
    pub fn line(&self, snapshot: &Snapshot, config: ConfigRef) -> Option<ConfigLine> {
        let places = Places {
            model: &self.model,
            marks: &self.marks,
            route: None,
        };
        let Position { line, column } = places.of(snapshot, config)?;
        Some(ConfigLine {
            position: TextPosition { line, column },
            text: quoted_line(&self.origin.texts.config, line, column),
        })
    }
}

/// The positions of a cluster that an edit left as imported: without its hosts if they are others, and
/// `None` if its settings are.
fn kept_marks(now: &Cluster, then: &Cluster, places: &ClusterPlaces) -> Option<ClusterMarks> {
    if settings(now) != settings(then) {
        return None;
    }
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
    if addresses(now).eq(addresses(then)) {
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
    }
    Some(marks)
}

/// A cluster without its hosts.
fn settings(cluster: &Cluster) -> Cluster {
    let mut settings = cluster.clone();
    if let ClusterKind::Plain(plain) = &mut settings.kind {
        plain.priorities.clear();
    }
    settings
}

/// The addresses of the hosts, with their priorities.
fn addresses(cluster: &Cluster) -> impl Iterator<Item = (usize, &str)> {
    let plain = match &cluster.kind {
        ClusterKind::Plain(plain) => Some(plain),
        ClusterKind::Aggregate(_) | ClusterKind::OriginalDst(_) => None,
    };
    let priorities = plain.into_iter().flat_map(|plain| plain.priorities.iter());
    priorities.enumerate().flat_map(|(at, priority)| {
        let hosts = priority.endpoints.iter();
        hosts.map(move |host| (at, host.address.as_str()))
    })
}
