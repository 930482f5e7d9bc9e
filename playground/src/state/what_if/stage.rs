//! What stays the same while the slider moves: the clusters, the selection, its sweep.

use spillgate_core::model::Metadata;
use spillgate_sim::{Amount, Scene, WhatIf, ZoneCell};

use super::{LossOption, options};
use crate::state::PageScenario;

/// What the user asks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Question {
    /// The selector of the option that was chosen; another one than there is stands for the first.
    pub selector: String,
    /// How much of it is lost, in percent.
    pub percent: u32,
    /// What is promised.
    pub promises: Vec<String>,
}

impl Question {
    /// Where the screen begins: the largest zone loses two fifths.
    #[must_use]
    pub fn first() -> Self {
        Self {
            percent: 40,
            ..Self::default()
        }
    }
}

/// A scenario and the selection that is lost in it.
#[derive(Debug)]
pub struct Stage {
    /// The cluster that is shown.
    pub scene: Scene,
    /// What can be lost.
    pub options: Vec<LossOption>,
    /// What is chosen of it.
    pub chosen: LossOption,
    /// How the priorities are called.
    pub priorities: Vec<String>,
    /// What the loss of a part of each zone does.
    pub zones: Vec<ZoneLine>,
    /// The answer to no loss, with the sweep of the selection.
    pub(super) nothing: WhatIf,
}

/// A line of the matrix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ZoneLine {
    /// The zone.
    pub name: String,
    /// What each part does.
    pub cells: Vec<ZoneCell>,
}

/// Only the very same stage is equal: comparing all of it would take longer than drawing it.
impl PartialEq for Stage {
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(self, other)
    }
}

impl Stage {
    /// Looks a scenario over; `None` where there is no host to lose.
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

    /// How many hosts a percentage of the selection is.
    #[must_use]
    pub fn count(&self, percent: u32) -> usize {
        let all = self.chosen.hosts.len();
        Amount::Percent(f64::from(percent)).of(all).unwrap_or(all)
    }

    /// What the loss of so much of the selection does.
    #[must_use]
    pub fn lose(&self, percent: u32) -> WhatIf {
        let lost = self
            .scene
            .first_lost(&self.chosen.hosts, self.count(percent));
        self.scene.what_if_again(&self.nothing, &lost)
    }
}
