//! Reads a scenario file, or the one to run instead, and runs it.

use alloc::vec::Vec;

use spillgate_codec::import::{TimelineAnswer, TimelineQuestion};
use spillgate_core::model::Cluster;
use spillgate_sim::world::{Layout, Plan};

use super::{read::read, record::record};

/// Reads and runs a scenario file. The question is a [`TimelineQuestion`] and the answer a
/// [`TimelineAnswer`], both as bytes.
#[must_use]
pub fn simulation_answer(text: &[u8], question: &[u8]) -> Vec<u8> {
    let question = TimelineQuestion::from_bytes(question).unwrap_or_default();
    let first = read(text, &question);
    let mut answer = TimelineAnswer {
        faults: first.faults,
        ..TimelineAnswer::default()
    };
    if let Some(file) = first.file {
        let seed = question.seed.unwrap_or(file.seed);
        let (plan, shown) = disclosed(file.plan, first.of_page, question.disclosed);
        answer.recording = record(&plan, shown.as_ref(), seed);
    } else if let Some(otherwise) = &question.otherwise {
        let file = read(otherwise.as_bytes(), &question).file;
        answer.recording =
            file.and_then(|file| record(&file.plan, None, question.seed.unwrap_or(file.seed)));
        answer.is_other = true;
    }
    answer.to_bytes()
}

/// The plan with the clusters of a link instead of the playground's, and those of the playground.
fn disclosed(plan: Plan, of_page: bool, clusters: Vec<Cluster>) -> (Plan, Option<Layout>) {
    match plan {
        Plan::Fixed(mut scenario) if of_page && !clusters.is_empty() => {
            let other = scenario.layout.with_names_of(clusters);
            let shown = other.map(|other| core::mem::replace(&mut scenario.layout, other));
            (Plan::Fixed(scenario), shown)
        }
        plan => (plan, None),
    }
}
