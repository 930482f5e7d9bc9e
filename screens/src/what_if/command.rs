//! The command with the same result.

use spillgate_playground::state::CommandInput;

use super::{Question, Stage};

/// The command line for a shell, with the result of the screen.
#[must_use]
pub fn command(input: &CommandInput, cluster: &str, stage: &Stage, question: &Question) -> String {
    let mut line = input.line("what-if");
    let mut add = |option: &str, value: &str| {
        line.push(' ');
        line.push_str(option);
        line.push(' ');
        line.push_str(&quoted(value));
    };
    add("--cluster", cluster);
    let lost = format!("{}:{}%", stage.chosen.selector, question.percent);
    add("--lose", &lost);
    for expectation in &question.expectations {
        add("--expect", expectation);
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
