//! Command lines for a shell.

use std::rc::Rc;

use spillgate_core::visible::is_hidden;
use spillgate_playground::state::{
    CommandInput, ImportOrigin, PageScenario,
    link::{Disclosure, SharedScenario},
};

/// A command about a scenario. Its arguments use the names that the command's input has: a link can have
/// generated ones.
pub(crate) struct CommandLine {
    shared: SharedScenario<Option<Rc<ImportOrigin>>>,
    line: String,
}

impl CommandLine {
    /// The command with its input and the shown cluster.
    pub(crate) fn new(command: &str, input: &CommandInput, scenario: &PageScenario) -> Self {
        let names = input.names.unwrap_or(Disclosure::Addresses);
        let shared = SharedScenario::new(scenario, names);
        let cluster = shared.scenario.name(scenario.root()).to_owned();
        let line = input.line(command);
        Self { shared, line }.with("--cluster", &cluster)
    }

    /// With an option.
    pub(crate) fn with(mut self, option: &str, value: &str) -> Self {
        self.line.push_str(&format!(" {option} {}", quoted(value)));
        self
    }

    /// With an option whose value can contain names of the scenario.
    pub(crate) fn with_names(self, option: &str, value: &str) -> Self {
        let value = self.shared.text(value);
        self.with(option, &value)
    }

    /// With an option without a value.
    pub(crate) fn with_switch(mut self, option: &str) -> Self {
        self.line.push_str(&format!(" {option}"));
        self
    }

    /// The line.
    pub(crate) fn finish(self) -> String {
        self.line
    }
}

/// A word, quoted for a shell if necessary. A terminal acts on control characters in what is pasted, even in
/// quotes: they are escaped as in `$'\033'`, which bash, zsh and POSIX of 2024 have.
pub(crate) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-.,:=%/".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.into();
    }
    if !word.contains(is_hidden) {
        return format!("'{}'", word.replace('\'', "'\\''"));
    }
    let mut text = String::from("$'");
    for c in word.chars() {
        match c {
            '\'' | '\\' => text.extend(['\\', c]),
            c if is_hidden(c) => {
                for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                    text.push_str(&format!("\\{byte:03o}"));
                }
            }
            c => text.push(c),
        }
    }
    text.push('\'');
    text
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
        assert_eq!(
            quoted("a\u{1b}1\n'\u{202e}"),
            "$'a\\0331\\012\\'\\342\\200\\256'"
        );
    }
}
