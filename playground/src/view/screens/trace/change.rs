//! A change of the hosts: the latest step of the scenario, or a loss.

use std::rc::Rc;

use spillgate_scenario::EditedScenario;

use super::TraceStage;
use crate::view::screens::losses::{LossOption, options};

/// What the hosts of a scenario can be compared with.
#[derive(Debug)]
pub struct ChangeStage {
    /// The scenario.
    pub(super) stage: Rc<TraceStage>,
    /// The scenario before the latest step.
    before: Option<Rc<EditedScenario>>,
    /// The hosts that can be lost together.
    pub losses: Vec<LossOption>,
}

/// Only the same stage is equal: comparing the clusters would take too long.
impl PartialEq for ChangeStage {
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(self, other)
    }
}

/// The hosts before and after a change.
#[derive(Debug)]
pub struct TracedChange {
    /// The change, at the start of a sentence.
    pub name: String,
    /// Before it.
    pub before: Rc<TraceStage>,
    /// After it.
    pub after: Rc<TraceStage>,
}

impl ChangeStage {
    /// The changes of a scenario.
    #[must_use]
    pub fn new(
        scenario: &EditedScenario,
        before: Option<Rc<EditedScenario>>,
        stage: &Rc<TraceStage>,
    ) -> Self {
        Self {
            losses: options(scenario, &stage.scene),
            stage: Rc::clone(stage),
            before,
        }
    }

    /// The loss with a selector, or the latest step of the scenario for an empty one. `None` if there is no
    /// such change.
    #[must_use]
    pub fn change(&self, selector: &str) -> Option<TracedChange> {
        if selector.is_empty() {
            return Some(TracedChange {
                name: "The latest change".into(),
                before: Rc::new(TraceStage::new(self.before.as_deref()?)?),
                after: Rc::clone(&self.stage),
            });
        }
        let mut losses = self.losses.iter();
        let loss = losses.find(|loss| loss.selector == selector)?;
        let scene = &self.stage.scene;
        let after = scene.without(&scene.loss_order(&loss.hosts));
        Some(TracedChange {
            name: format!("The loss of {} ({})", loss.title, loss.usable_hosts()),
            before: Rc::clone(&self.stage),
            after: Rc::new(self.stage.with(after)),
        })
    }
}
