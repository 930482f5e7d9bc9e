//! The sliders of a widget, and the changes that they make.

use spillgate_scenario::{EditedScenario, PriorityAt, with_healthy_count};

/// What a slider counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ControlKind {
    /// The healthy hosts of a priority.
    Healthy,
    /// The lost hosts of a priority, in addition to those of the scenario.
    Lost,
}

/// A slider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Control {
    /// What it counts.
    pub kind: ControlKind,
    /// The priority.
    pub at: PriorityAt,
    /// The name of the priority.
    pub name: String,
    /// The current count.
    pub value: usize,
    /// The maximum: the number of hosts.
    pub most: usize,
}

impl Control {
    /// The start of its edits, and its identity in the widget: `healthy-0-1`.
    #[must_use]
    pub fn id(&self) -> String {
        let kind = match self.kind {
            ControlKind::Healthy => "healthy",
            ControlKind::Lost => "lost",
        };
        format!("{kind}-{}-{}", self.at.cluster, self.at.priority)
    }

    /// The visible label.
    #[must_use]
    pub fn label(&self) -> String {
        let what = match self.kind {
            ControlKind::Healthy => "healthy hosts",
            ControlKind::Lost => "lost hosts",
        };
        format!("{} {what}", self.name)
    }
}

/// A new count of a slider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ControlEdit {
    /// What is counted.
    pub kind: ControlKind,
    /// The priority.
    pub at: PriorityAt,
    /// The count; the number of hosts limits it.
    pub count: usize,
}

impl ControlEdit {
    /// Reads `healthy-CLUSTER-PRIORITY COUNT` or `lost-CLUSTER-PRIORITY COUNT`.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Self> {
        let (id, count) = text.split_once(' ')?;
        let mut parts = id.split('-');
        let kind = match parts.next()? {
            "healthy" => ControlKind::Healthy,
            "lost" => ControlKind::Lost,
            _ => return None,
        };
        let at = PriorityAt {
            cluster: parts.next()?.parse().ok()?,
            priority: parts.next()?.parse().ok()?,
        };
        let count = count.parse().ok()?;
        Some(Self { kind, at, count })
    }

    /// The scenario after this change; the same one if the change has no effect.
    #[must_use]
    pub fn apply(self, scenario: EditedScenario) -> EditedScenario {
        let changed = match self.kind {
            ControlKind::Healthy => with_healthy_count(&scenario, self.at, self.count),
            #[cfg(feature = "sweep")]
            ControlKind::Lost => crate::stage::with_lost(&scenario, self.at, self.count),
            #[cfg(not(feature = "sweep"))]
            ControlKind::Lost => None,
        };
        changed.unwrap_or(scenario)
    }
}
