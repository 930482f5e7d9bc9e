//! What the module that reads a scenario file passes to the one that runs it.

use alloc::vec::Vec;

use spillgate_codec::{fields, import::ImportFault};
use spillgate_sim::world::Plan;

/// A scenario file after reading.
#[derive(Default)]
pub(super) struct ReadScenario {
    /// The errors and warnings of the file.
    pub(super) faults: Vec<ImportFault>,
    /// The scenario and the seed of its run; `None` after errors.
    pub(super) plan: Option<(Plan, u64)>,
    /// Whether the scenario is the one to run instead.
    pub(super) is_other: bool,
}

fields!(ReadScenario {
    faults,
    plan,
    is_other
});
