//! What a screen gets, except the scenarios.

use spillgate_scenario::link::Disclosure;

use super::{CommandInput, Screen};

/// The state of a screen that the playground keeps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScreenInput {
    /// The screen.
    pub screen: Screen,
    /// What the user entered on it; empty at first.
    pub input: String,
    /// How a command gets the scenario.
    pub command: CommandInput,
    /// What links disclose.
    pub disclosure: Disclosure,
}
