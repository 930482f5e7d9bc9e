//! The parts that do not depend on the slider: the clusters, the selection, its sweep.

use spillgate_core::model::Metadata;
use spillgate_playground::state::PageScenario;
use spillgate_sim::{Amount, Scene, WhatIf, ZoneCell};

use super::{LossOption, options};

/// A scenario and a selection of its hosts.
#[derive(Debug)]
pub struct Stage {
    /// The shown cluster.
    pub scene: Scene,
    /// The selections.
    pub options: Vec<LossOption>,
    /// The chosen one.
    pub chosen: LossOption,
    /// The names of the priorities.
    pub priorities: Vec<String>,
    /// The matrix.
    pub zones: Vec<ZoneLine>,
    /// The result without a loss, with the sweep of the selection.
    pub(super) nothing: WhatIf,
}

/// A line of the matrix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ZoneLine {
    /// The zone.
    pub name: String,
    /// The effect of each loss.
    pub cells: Vec<ZoneCell>,
}

/// Only the same stage is equal: comparing all of it would take longer than drawing it.
impl PartialEq for Stage {
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(self, other)
    }
}

impl Stage {
    /// Prepares a scenario; `None` if it has no hosts.
    #[must_use]
    pub fn new(scenario: &PageScenario, selector: &str) -> Option<Self> {
        let name = scenario.name(scenario.root());
        let scene = Scene::new(&scenario.model(), name, Metadata::EMPTY)?;
        let options = options(scenario, &scene);
        let chosen = options.iter().find(|option| option.selector == selector);
        let chosen = chosen.or_else(|| options.first())?.clone();
        let nothing = scene.what_if(&[], &chosen.hosts);
        let line = |zone: &spillgate_sim::Zone| ZoneLine {
            name: zone.zone.clone(),
            cells: scene.cells(zone),
        };
        Some(Self {
            priorities: nothing.before.names(scene.snapshot(), scene.cluster()),
            zones: scene.zones().iter().map(line).collect(),
            nothing,
            options,
            chosen,
            scene,
        })
    }

    /// The number of hosts that is a percentage of the selection.
    #[must_use]
    pub fn count(&self, percent: u32) -> usize {
        let all = self.chosen.hosts.len();
        Amount::Percent(f64::from(percent)).of(all).unwrap_or(all)
    }

    /// The result of losing a percentage of the selection.
    #[must_use]
    pub fn lose(&self, percent: u32) -> WhatIf {
        let lost = self
            .scene
            .first_lost(&self.chosen.hosts, self.count(percent));
        self.scene.what_if_again(&self.nothing, &lost)
    }
}
