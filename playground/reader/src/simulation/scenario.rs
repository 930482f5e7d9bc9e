//! Reads a scenario file, or the one to run instead.

use alloc::vec::Vec;

use spillgate_codec::{import::TimelineQuestion, wire};
use spillgate_sim::{scenario::ScenarioFile, world::Plan};

use super::{read::read, read_scenario::ReadScenario};

/// Reads a scenario file. The question is a [`TimelineQuestion`] as bytes; the answer is the first
/// text for [`run_answer`](crate::run_answer).
#[must_use]
pub fn scenario_answer(text: &[u8], question: &[u8]) -> Vec<u8> {
    let question = TimelineQuestion::from_bytes(question).unwrap_or_default();
    let seeded = |file: ScenarioFile| -> (Plan, u64) {
        let seed = question.seed.unwrap_or(file.seed);
        (file.plan, seed)
    };
    let (file, faults) = read(text, &question);
    let mut answer = ReadScenario {
        faults,
        plan: file.map(seeded),
        is_other: false,
    };
    if answer.plan.is_none()
        && let Some(otherwise) = &question.otherwise
    {
        let (file, _) = read(otherwise.as_bytes(), &question);
        answer.plan = file.map(seeded);
        answer.is_other = true;
    }
    wire::to_bytes(&answer)
}
