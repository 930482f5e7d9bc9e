//! The answer for people: the headline first, then what supports it.

mod matrix;
mod sentences;
mod spark;
mod tables;

use super::{answer::Answer, question::Question};
use crate::split::Style;

/// The whole answer.
pub(super) fn write(question: &Question, answer: &Answer, style: Style) -> String {
    let names = Names::new(question, answer);
    let mut parts = vec![sentences::headline(question, answer, &names)];
    parts.push(tables::loads(answer, &names, style));
    parts.extend(tables::zones(question, answer, style));
    if !question.swept.is_empty() {
        parts.push(spark::sweep(question, answer, &names));
    }
    parts.push(sentences::facts(question, answer, &names));
    parts.extend(matrix::cells(question, answer));
    parts.extend(tables::failures(question, answer, &names, style));
    parts.extend(tables::expectations(answer, style));
    parts.join("\n")
}

/// How levels are called: `P0`, under an aggregate with their cluster in front.
struct Names(Vec<String>);

impl Names {
    fn new(question: &Question, answer: &Answer) -> Self {
        let scene = &question.scene;
        let levels = answer.what_if.before.levels.iter();
        let name = |level: &spillgate_sim::LevelState| match scene.snapshot().cluster(level.owner) {
            Some(owner) if level.owner != scene.cluster() => {
                format!("{} P{}", owner.name, level.priority)
            }
            _ => format!("P{}", level.priority),
        };
        Self(levels.map(name).collect())
    }

    fn get(&self, place: usize) -> &str {
        self.0.get(place).map_or("", String::as_str)
    }
}
