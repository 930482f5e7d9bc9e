//! The answer to a scenario file of `spillgate simulate`: a recording of its run.

mod read;
mod record;
mod recorder;

use alloc::vec::Vec;

use spillgate_codec::import::{TimelineAnswer, TimelineQuestion};

use self::{read::read, record::record};

/// Runs a scenario file. The question is a [`TimelineQuestion`] and the answer a [`TimelineAnswer`],
/// both as bytes.
#[must_use]
pub fn simulation_answer(text: &[u8], question: &[u8]) -> Vec<u8> {
    let question = TimelineQuestion::from_bytes(question).unwrap_or_default();
    let mut answer = run(text, &question);
    if answer.recording.is_none()
        && let Some(otherwise) = &question.otherwise
    {
        answer.recording = run(otherwise.as_bytes(), &question).recording;
        answer.is_other = true;
    }
    answer.to_bytes()
}

fn run(text: &[u8], question: &TimelineQuestion) -> TimelineAnswer {
    let (file, faults) = read(text, question);
    let recording = file.and_then(|file| record(&file.plan, question.seed.unwrap_or(file.seed)));
    TimelineAnswer {
        faults,
        recording,
        is_other: false,
    }
}

#[cfg(test)]
mod tests;
