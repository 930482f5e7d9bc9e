//! What the module that reads a scenario file passes to the one that runs it.

use alloc::vec::Vec;

use spillgate_codec::{fields, import::ImportFault};
use spillgate_sim::world::{Layout, Plan};

/// A scenario file after reading.
#[derive(Default)]
pub(super) struct ReadScenario {
    /// The errors and warnings of the file.
    pub(super) faults: Vec<ImportFault>,
    /// The scenario and the seed of its run; `None` after errors.
    pub(super) plan: Option<(Plan, u64)>,
    /// The clusters of the scenario by the names to show, if the run has others.
    pub(super) shown: Option<Layout>,
    /// Whether the scenario is the one to run instead.
    pub(super) is_other: bool,
}

fields!(ReadScenario {
    faults,
    plan,
    shown,
    is_other
});
