//! The answer of `what-if` as text: the headline first, then its figures.

mod matrix;
mod sentences;
mod spark;
mod tables;

pub(super) use tables::{expectations as expectation_table, rounded};

use super::{loss_report::Answer, question::Question};
use crate::split::Style;

/// The whole answer.
pub(super) fn write(question: &Question, answer: &Answer, style: Style) -> String {
    let names = names(question, answer);
    let mut parts = vec![headline(question, answer)];
    if answer.no_figures().is_none() {
        parts.push(tables::loads(answer, &names, style));
        parts.extend(tables::zones(question, answer, style));
        if !question.swept.is_empty() {
            parts.push(spark::sweep(question, answer, &names));
        }
        parts.push(sentences::facts(question, answer, &names));
        parts.extend(matrix::cells(question, answer));
        parts.extend(tables::failures(question, answer, &names, style));
    }
    parts.extend(expectation_table(&answer.expectations, style));
    parts.join("\n")
}

/// The consequences of the loss in words, with what they assume.
pub(super) fn headline(question: &Question, answer: &Answer) -> String {
    let names = names(question, answer);
    let notes = answer
        .grpc
        .iter()
        .flat_map(|note| &note.notes)
        .map(|note| format!("note: {note}\n"));
    let headline = sentences::headline(question, answer, &names);
    let lines = [headline].into_iter().chain(notes);
    lines.chain([answer.limits.text()]).collect()
}

/// The names of the priorities.
pub(super) fn names(question: &Question, answer: &Answer) -> Vec<String> {
    let scene = question.scene();
    let before = &answer.what_if.before;
    before.names(scene.snapshot(), scene.cluster())
}
