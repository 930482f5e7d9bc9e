//! Reads a scenario file, or the one to run instead.

use alloc::vec::Vec;

use spillgate_codec::{import::TimelineQuestion, wire};
use spillgate_core::model::Cluster;
use spillgate_sim::world::{Layout, Plan};

use super::{read::read, read_scenario::ReadScenario};

/// Reads a scenario file. The question is a [`TimelineQuestion`] as bytes; the answer is the first
/// text for [`run_answer`](crate::run_answer).
#[must_use]
pub fn scenario_answer(text: &[u8], question: &[u8]) -> Vec<u8> {
    let question = TimelineQuestion::from_bytes(question).unwrap_or_default();
    let first = read(text, &question);
    let mut answer = ReadScenario {
        faults: first.faults,
        ..ReadScenario::default()
    };
    if let Some(file) = first.file {
        let seed = question.seed.unwrap_or(file.seed);
        let (plan, shown) = disclosed(file.plan, first.of_page, question.disclosed);
        (answer.plan, answer.shown) = (Some((plan, seed)), shown);
    } else if let Some(otherwise) = &question.otherwise {
        let file = read(otherwise.as_bytes(), &question).file;
        answer.plan = file.map(|file| (file.plan, question.seed.unwrap_or(file.seed)));
        answer.is_other = true;
    }
    wire::to_bytes(&answer)
}

/// The plan with the clusters of a link instead of the page's, and those of the page.
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
