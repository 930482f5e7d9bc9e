//! Whether the first screen follows a running Envoy.

use spillgate_scenario::EditedScenario;

/// The state of following. The playground follows from its start, until the user changes the scenario.
#[derive(Debug, Default)]
pub struct Follow {
    /// The latest state that the playground was asked to show.
    sent: Option<EditedScenario>,
    /// Whether the playground was asked before.
    is_known: bool,
    is_on: bool,
}

impl Follow {
    /// Whether the playground follows.
    #[must_use]
    pub const fn is_on(&self) -> bool {
        self.is_on
    }

    /// The playground shows this scenario. `is_start` says whether it is the initial one of an address without a link.
    ///
    /// A scenario of the user ends following; undoing the change continues it.
    pub fn shown(&mut self, scenario: &EditedScenario, is_start: bool) {
        self.is_on = match &self.sent {
            Some(sent) => sent == scenario,
            None => is_start && !self.is_known,
        };
        self.is_known = true;
    }

    /// The state that the playground must show next, if it follows and the state changed.
    pub fn next(&mut self, live: &EditedScenario) -> Option<EditedScenario> {
        if !self.is_on || self.sent.as_ref() == Some(live) {
            return None;
        }
        self.sent = Some(live.clone());
        Some(live.clone())
    }

    /// Follows again from this state.
    pub fn resume(&mut self, live: &EditedScenario) {
        self.sent = Some(live.clone());
        self.is_known = true;
        self.is_on = true;
    }

    /// Stops: the playground keeps the state that it shows.
    pub fn stop(&mut self) {
        self.sent = None;
        self.is_known = true;
        self.is_on = false;
    }
}
