//! The answer to a scenario file of `spillgate simulate`: a recording of its run.
//!
//! It runs in a worker of its own. A click on the screen adds an event to the script instead of changing a
//! running world: the script and the seed stay the whole input, so links and commands repeat the run exactly.

mod answer;
mod read;
mod record;
mod recorder;

pub use self::answer::simulation_answer;

#[cfg(test)]
mod tests;
