//! What the parts of the Share dialog get, except the scenario.

use spillgate_scenario::link::{Disclosure, LinkView};

/// The state of the dialog that the playground keeps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShareInput {
    /// What snippets and files disclose.
    pub disclosure: Disclosure,
    /// The open screen and the input of each screen, as in links.
    pub view: LinkView,
}
