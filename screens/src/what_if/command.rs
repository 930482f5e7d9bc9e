//! The command with the same result.

use spillgate_playground::state::{
    CommandInput, PageScenario,
    link::{Disclosure, SharedScenario},
};

use super::{Question, Stage};

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

/// A word, quoted for a shell if necessary.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-.,:=%/".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.into(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_for_a_shell() {
        assert_eq!(quoted("zone=a:40%"), "zone=a:40%");
        assert_eq!(quoted("no panic"), "'no panic'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
        assert_eq!(quoted(""), "''");
    }
}
