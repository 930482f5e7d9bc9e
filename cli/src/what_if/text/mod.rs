//! The answer of `what-if` as text: the headline first, then its figures.

mod matrix;
mod sentences;
mod spark;
mod tables;

pub(super) use tables::expectations as expectation_table;

use super::{answer::Answer, question::Question};
use crate::split::Style;

/// The whole answer.
pub(super) fn write(question: &Question, answer: &Answer, style: Style) -> String {
    let scene = &question.scene;
    let names = answer
        .what_if
        .before
        .names(scene.snapshot(), scene.cluster());
    let headline = sentences::headline(question, answer, &names);
    let mut parts = vec![headline + &answer.limits.text()];
    parts.push(tables::loads(answer, &names, style));
    parts.extend(tables::zones(question, answer, style));
    if !question.swept.is_empty() {
        parts.push(spark::sweep(question, answer, &names));
    }
    parts.push(sentences::facts(question, answer, &names));
    parts.extend(matrix::cells(question, answer));
    parts.extend(tables::failures(question, answer, &names, style));
    parts.extend(expectation_table(&answer.expectations, style));
    parts.join("\n")
}
