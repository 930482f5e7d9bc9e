//! The command with the same result.
//!
//! For an unchanged import the command names the file. After any change it contains a link with the
//! changed configuration. Browser tests run these commands.

use crate::state::CommandInput;
use spillgate_scenario::EditedScenario;

use super::{Question, Stage};
use crate::view::screens::shell::CommandLine;

/// The command line for a shell, with the result of the screen.
#[must_use]
pub fn command(
    input: &CommandInput,
    scenario: &EditedScenario,
    stage: &Stage,
    question: &Question,
) -> String {
    let lost = format!("{}:{}%", stage.chosen.selector, question.percent);
    let line = CommandLine::new("what-if", input, scenario).with_names("--lose", &lost);
    let expectations = question.expectations.iter();
    expectations
        .fold(line, |line, expectation| {
            line.with_names("--expect", expectation)
        })
        .finish()
}
