//! The answer to a scenario file of `spillgate simulate`: a recording of its run.
//!
//! Two modules of the page produce it, because together they are larger than a module may be. One
//! reads the file ([`scenario_answer`]); the other has no reader and runs the scenario
//! ([`run_answer`]).
//!
//! The bytes between them have all settings of the clusters, those for requests too, so a run
//! equals one of `spillgate simulate`. The simulator runs in a worker of its own. A click on the
//! screen adds an event to the script instead of changing a running world: the script and the seed
//! stay the whole input, so links and commands repeat the run exactly.

#[cfg(feature = "scenario")]
mod read;
mod read_scenario;
#[cfg(feature = "simulation")]
mod record;
#[cfg(feature = "simulation")]
mod recorder;
#[cfg(feature = "simulation")]
mod run;
#[cfg(feature = "scenario")]
mod scenario;

#[cfg(feature = "simulation")]
pub use self::run::run_answer;
#[cfg(feature = "scenario")]
pub use self::scenario::scenario_answer;

/// Reads and runs a scenario file. The question is a [`TimelineQuestion`] and the answer a
/// [`TimelineAnswer`], both as bytes.
///
/// [`TimelineQuestion`]: spillgate_codec::import::TimelineQuestion
/// [`TimelineAnswer`]: spillgate_codec::import::TimelineAnswer
#[cfg(all(feature = "scenario", feature = "simulation"))]
#[must_use]
pub fn simulation_answer(text: &[u8], question: &[u8]) -> alloc::vec::Vec<u8> {
    run_answer(&scenario_answer(text, question), b"")
}

#[cfg(test)]
mod tests;
