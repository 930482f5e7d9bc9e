//! The parts that do not depend on the slider: the clusters, the selection, its sweep.

use spillgate_core::model::Metadata;
use spillgate_scenario::{EditedScenario, ShortNames};
use spillgate_sim::{Amount, Scene, WhatIf, ZoneCell};

use super::Question;
use crate::view::screens::losses::{LossOption, options, short_names};

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
    /// The short forms of the names of clusters and zones.
    pub names: ShortNames,
    /// The result without a loss, with the sweep of the selection.
    pub(super) nothing: WhatIf,
}

/// A line of the matrix.
#[derive(Debug, Clone, PartialEq)]
pub struct ZoneLine {
    /// The zone.
    pub name: String,
    /// The selector of its option.
    pub selector: String,
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
    /// Prepares a scenario. Without a known selector it chooses the first option whose initial loss
    /// changes a load. `None` if the scenario has no hosts.
    #[must_use]
    pub fn new(scenario: &EditedScenario, selector: &str) -> Option<Self> {
        let name = scenario.name(scenario.root());
        let scene = Scene::new(scenario.model(), name, Metadata::EMPTY)?;
        let options = options(scenario, &scene);
        let chosen = options
            .iter()
            .find(|option| option.selector == selector)
            .or_else(|| first_with_effect(&scene, &options))?
            .clone();
        let nothing = scene.what_if(&[], &chosen.hosts);
        let line = |zone: &spillgate_sim::Zone| {
            let option = options.iter().find(|option| option.hosts == zone.hosts);
            ZoneLine {
                name: option.map_or_else(|| zone.zone.clone(), |option| option.name.clone()),
                selector: option.map_or_else(String::new, |option| option.selector.clone()),
                cells: scene.cells(zone),
            }
        };
        Some(Self {
            names: short_names(scenario, &scene),
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

    /// A percentage of the selection that is a number of its hosts; of large selections the nearest one.
    #[must_use]
    pub fn percent(&self, lost: usize) -> u32 {
        let percents = 0..=100_u32;
        percents
            .min_by_key(|&percent| self.count(percent).abs_diff(lost))
            .unwrap_or_default()
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

/// The first option whose initial loss changes a load, or the first of all.
fn first_with_effect<'o>(scene: &Scene, options: &'o [LossOption]) -> Option<&'o LossOption> {
    let before = scene.state(&[]);
    let has_effect = |option: &&LossOption| {
        let all = option.hosts.len();
        let initial = Amount::Percent(f64::from(Question::first().percent));
        let lost = scene.first_lost(&option.hosts, initial.of(all).unwrap_or(all));
        !scene.state(&lost).loads().eq(before.loads())
    };
    options.iter().find(has_effect).or_else(|| options.first())
}
