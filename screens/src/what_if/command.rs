//! The command with the same result.

use spillgate_playground::state::{
    CommandInput, PageScenario,
    link::{Disclosure, SharedScenario},
};

use super::{Question, Stage};
use crate::shell::quoted;

/// The command line for a shell, with the result of the screen.
#[must_use]
pub fn command(
    input: &CommandInput,
    scenario: &PageScenario,
    stage: &Stage,
    question: &Question,
) -> String {
    // A link can have generated names, which the other arguments must use too.
    let names = input.names.unwrap_or(Disclosure::Addresses);
    let shared = SharedScenario::new(scenario, names);
    let mut line = input.line("what-if");
    let mut add = |option: &str, value: &str| {
        line.push(' ');
        line.push_str(option);
        line.push(' ');
        line.push_str(&quoted(value));
    };
    add("--cluster", shared.scenario.name(scenario.root()));
    let lost = format!("{}:{}%", stage.chosen.selector, question.percent);
    add("--lose", &shared.text(&lost));
    for expectation in &question.expectations {
        add("--expect", &shared.text(expectation));
    }
    line
}
