//! Runs a scenario that another module has read.

use alloc::vec::Vec;

use spillgate_codec::{import::TimelineAnswer, wire};

use super::{read_scenario::ReadScenario, record::record};

/// Runs a scenario: the first text is an answer of [`scenario_answer`](crate::scenario_answer), and
/// the second one is not used. The answer is a [`TimelineAnswer`] as bytes.
#[must_use]
pub fn run_answer(scenario: &[u8], _: &[u8]) -> Vec<u8> {
    let read: ReadScenario = wire::from_bytes(scenario).unwrap_or_default();
    let shown = read.shown.as_ref();
    let recording = read
        .plan
        .and_then(|(plan, seed)| record(&plan, shown, seed));
    let answer = TimelineAnswer {
        faults: read.faults,
        recording,
        is_other: read.is_other,
    };
    answer.to_bytes()
}
