//! The parts that depend on the scenario alone: the hosts that can be lost, and the result before.

use std::rc::Rc;

use spillgate_core::{model::Metadata, snapshot::HostRef};
use spillgate_scenario::{EditedScenario, ScenarioOutcome, ShortNames};
use spillgate_sim::{Amount, Scene};

use super::{LossInput, Question, ZoneViews};
use crate::view::screens::losses::{LossOption, options, short_names, zone_options};

/// A scenario before a loss.
#[derive(Debug)]
pub struct Stage {
    /// The scenario.
    pub scenario: Rc<EditedScenario>,
    /// The shown cluster.
    pub scene: Scene,
    /// Its result.
    pub before: ScenarioOutcome,
    /// The hosts that can be lost together.
    pub options: Vec<LossOption>,
    /// The clusters of the same destination.
    pub views: ZoneViews,
    /// The short forms of the names of clusters and zones.
    pub names: ShortNames,
    /// The place of the option of an unknown selector.
    first: usize,
}

/// Only the same stage is equal: comparing all of it would take longer than drawing it.
impl PartialEq for Stage {
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(self, other)
    }
}

impl Stage {
    /// Prepares a scenario; `None` if its shown cluster has no hosts.
    #[must_use]
    pub fn new(scenario: &Rc<EditedScenario>) -> Option<Self> {
        let name = scenario.name(scenario.root());
        let scene = Scene::new(scenario.model(), name, Metadata::EMPTY)?;
        let views = ZoneViews::new(scenario, &scene);
        let mut options = options(scenario, &scene);
        for view in &views.views {
            for option in zone_options(&view.scene) {
                // Proxies of other zones can reach other zones.
                if !options
                    .iter()
                    .any(|known| known.selector == option.selector)
                {
                    options.push(option);
                }
            }
        }
        let first = first_with_effect(&scene, &options)?;
        Some(Self {
            before: ScenarioOutcome::in_state(scenario, scene.snapshot().clone()),
            names: short_names(scenario, &scene),
            scenario: Rc::clone(scenario),
            views,
            options,
            scene,
            first,
        })
    }

    /// The option of a selector; the first one with an effect if it is unknown. `None` is unreachable: a
    /// stage has options.
    #[must_use]
    pub fn option(&self, selector: &str) -> Option<&LossOption> {
        let mut options = self.options.iter();
        let known = options.find(|option| option.selector == selector);
        known.or_else(|| self.options.get(self.first))
    }

    /// The number of hosts of a loss, and of all usable hosts of its option.
    #[must_use]
    pub fn count(&self, loss: &LossInput) -> (usize, usize) {
        let option = self.option(&loss.selector);
        let all = option.map_or(0, |option| option.usable);
        (loss.amount.of(all).unwrap_or(all), all)
    }

    /// The hosts of a loss, the first ones in the order in which hosts are lost.
    #[must_use]
    pub fn lost(&self, loss: &LossInput) -> Vec<HostRef> {
        let option = self.option(&loss.selector);
        let mut lost = option.map_or_else(Vec::new, |option| self.scene.loss_order(&option.hosts));
        lost.truncate(self.count(loss).0);
        lost
    }

    /// A loss of as many hosts as a text of a command can state: not more than are usable.
    #[must_use]
    pub fn within(&self, loss: &LossInput) -> LossInput {
        let (_, all) = self.count(loss);
        let option = self.option(&loss.selector);
        LossInput {
            selector: option.map_or_else(String::new, |option| option.selector.clone()),
            amount: match loss.amount {
                Amount::Hosts(hosts) => Amount::Hosts(hosts.min(all)),
                percent @ Amount::Percent(_) => percent,
            },
        }
    }

    /// The first option that no loss of a question has.
    #[must_use]
    pub fn unused(&self, question: &Question) -> Option<&LossOption> {
        let chosen = question.losses.iter();
        let chosen: Vec<&LossOption> = chosen
            .filter_map(|loss| self.option(&loss.selector))
            .collect();
        let mut options = self.options.iter();
        options.find(|option| !chosen.contains(option))
    }
}

/// The place of the first option whose initial loss changes a load, or of the first of all.
fn first_with_effect(scene: &Scene, options: &[LossOption]) -> Option<usize> {
    let before = scene.state(&[]);
    let has_effect = |option: &LossOption| {
        let all = option.usable;
        let lost = LossInput::first().amount.of(all).unwrap_or(all);
        let after = scene.state(&scene.first_lost(&option.hosts, lost));
        after.priorities != before.priorities && !after.loads().eq(before.loads())
    };
    let found = options.iter().position(has_effect);
    found.or((!options.is_empty()).then_some(0))
}
