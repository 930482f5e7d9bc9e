//! Steps of a decision, kept only for a caller who may read them.

use spillgate_core::trace::{Step, Trace};

/// Takes the steps of a decision, or throws them away unmade.
pub(crate) struct Steps(Option<Vec<Step>>);

impl Steps {
    /// Keeps steps where they are `wanted`.
    pub(crate) fn new(wanted: bool) -> Self {
        Self(wanted.then(Vec::new))
    }

    /// What was kept.
    pub(crate) fn kept(self) -> Option<Vec<Step>> {
        self.0
    }
}

impl Trace for Steps {
    fn step(&mut self, step: impl FnOnce() -> Step) {
        if let Some(steps) = &mut self.0 {
            steps.push(step());
        }
    }
}
