//! The command with the same result.

use super::{Question, Stage};
use crate::state::{
    ImportOrigin, PageScenario,
    link::{self, Addresses},
};

/// A command with the result of the screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShellCommand {
    /// The command line for a shell.
    pub line: String,
    /// A sentence about its input.
    pub about: String,
}

/// The command with the same result. It names an unchanged import as a file, and contains any other
/// scenario as a link.
#[must_use]
pub fn command(
    scenario: &PageScenario,
    addresses: Addresses,
    stage: &Stage,
    question: &Question,
) -> ShellCommand {
    let (mut words, about) = match imported(scenario) {
        Some(origin) => of_files(origin),
        None => of_link(scenario, addresses),
    };
    let mut add = |option: &str, value: &str| {
        words.push(option.into());
        words.push(quoted(value));
    };
    add("--cluster", scenario.name(scenario.root()));
    let lost = format!("{}:{}%", stage.chosen.selector, question.percent);
    add("--lose", &lost);
    for expectation in &question.expectations {
        add("--expect", expectation);
    }
    ShellCommand {
        line: words.join(" "),
        about,
    }
}

/// The import, if no edit changed it.
fn imported(scenario: &PageScenario) -> Option<&ImportOrigin> {
    let origin = scenario.origin.as_deref()?;
    let now = scenario.clusters().iter().map(|cluster| &**cluster);
    now.eq(&origin.clusters).then_some(origin)
}

fn of_files(origin: &ImportOrigin) -> (Vec<String>, String) {
    let text = origin.texts.config.trim_start_matches('\u{feff}');
    // The command detects the format by the file name, the page by the first character.
    let config = match text.trim_start().starts_with(['{', '[']) {
        true => "envoy.json",
        false => "envoy.yaml",
    };
    let mut words = vec!["spillgate what-if".to_owned(), config.into()];
    let mut files = config.to_owned();
    if !origin.texts.clusters.trim().is_empty() {
        words.push("--health clusters.txt".into());
        files.push_str(" and clusters.txt");
    }
    let about = format!("The same check for CI; {files} is your import:");
    (words, about)
}

fn of_link(scenario: &PageScenario, addresses: Addresses) -> (Vec<String>, String) {
    let link = link::write(scenario, addresses);
    let words = vec![format!(
        "spillgate link decode {link} | spillgate what-if -"
    )];
    let left_out = link::left_out(scenario);
    let mut about = "The same check for CI; the link is this scenario".to_owned();
    if !left_out.is_empty() {
        about.push_str(", without ");
        about.push_str(&left_out.join(", "));
    }
    about.push(':');
    (words, about)
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
