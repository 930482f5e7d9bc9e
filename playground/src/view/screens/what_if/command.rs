//! The command with the same result.
//!
//! For an unchanged import the command names the file. After any change it contains a link with the
//! changed configuration. Browser tests run these commands.

use crate::state::CommandInput;

use super::{Question, Stage};
use crate::view::screens::shell::CommandLine;

/// The command line for a shell, with the result of the screen.
#[must_use]
pub fn command(input: &CommandInput, stage: &Stage, question: &Question) -> String {
    let mut line = CommandLine::new("what-if", input, &stage.scenario);
    for loss in &question.losses {
        let loss = stage.within(loss);
        line = line.with_names("--lose", &format!("{}:{}", loss.selector, loss.amount));
    }
    for expectation in &question.expectations {
        line = line.with_names("--expect", expectation);
    }
    line.finish()
}
