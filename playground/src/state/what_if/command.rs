//! The question as a command line.

use super::{Question, Stage};
use crate::state::{
    ImportOrigin, PageScenario,
    link::{self, Addresses},
};

/// A command line that asks what the screen asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShellCommand {
    /// The line, as a shell takes it.
    pub line: String,
    /// What it reads, in a sentence.
    pub about: String,
}

/// The command line that asks the same. What was imported and not changed since is named as a
/// file; anything else goes along in a link.
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
    for promise in &question.promises {
        add("--expect", promise);
    }
    ShellCommand {
        line: words.join(" "),
        about,
    }
}

/// Where the scenario came from, if it is still what was read there.
fn imported(scenario: &PageScenario) -> Option<&ImportOrigin> {
    let origin = scenario.origin.as_deref()?;
    let now = scenario.clusters().iter().map(|cluster| &**cluster);
    now.eq(&origin.clusters).then_some(origin)
}

fn of_files(origin: &ImportOrigin) -> (Vec<String>, String) {
    let text = origin.texts.config.trim_start_matches('\u{feff}');
    // The command goes by the name, the page by the first character.
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
    let about = format!("The same question for CI; {files} is what you imported:");
    (words, about)
}

fn of_link(scenario: &PageScenario, addresses: Addresses) -> (Vec<String>, String) {
    let link = link::write(scenario, addresses);
    let words = vec![format!(
        "spillgate link decode {link} | spillgate what-if -"
    )];
    let left_out = link::left_out(scenario);
    let mut about = "The same question for CI; the link is what you see here".to_owned();
    if !left_out.is_empty() {
        about.push_str(", without ");
        about.push_str(&left_out.join(", "));
    }
    about.push(':');
    (words, about)
}

/// A word as a shell takes it.
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
