//! What the page passes to the module of a screen, except the scenarios.

use spillgate_scenario::link::Disclosure;

use super::{CommandInput, Screen};

/// The state of a screen that the page keeps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScreenInput {
    /// The screen.
    pub screen: Screen,
    /// What the user entered on it; empty at first.
    pub input: String,
    /// How a command gets the scenario.
    pub command: CommandInput,
    /// What links disclose.
    pub disclosure: Disclosure,
    /// The text of the scenario's `ConfigLines`; empty without an import, and for screens that show no lines.
    pub lines: String,
}

impl Default for ScreenInput {
    fn default() -> Self {
        Self {
            screen: Screen::default(),
            input: String::new(),
            command: CommandInput::default(),
            disclosure: Disclosure::Shape,
            lines: String::new(),
        }
    }
}

impl ScreenInput {
    /// The texts that cross from the page to the module.
    #[must_use]
    pub fn into_texts(self) -> Vec<String> {
        let command = self.command;
        vec![
            self.screen.name().into(),
            self.input,
            command.before,
            command.arguments,
            command.about,
            command
                .names
                .map_or_else(String::new, |names| names.name().into()),
            self.disclosure.name().into(),
            self.lines,
        ]
    }

    /// The input of such texts. Missing texts are empty.
    #[must_use]
    pub fn from_texts(texts: Vec<String>) -> Self {
        let mut texts = texts.into_iter();
        let mut text = || texts.next().unwrap_or_default();
        Self {
            screen: Screen::named(&text()).unwrap_or_default(),
            input: text(),
            command: CommandInput {
                before: text(),
                arguments: text(),
                about: text(),
                names: Disclosure::named(&text()),
            },
            disclosure: Disclosure::named(&text()).unwrap_or(Disclosure::Shape),
            lines: text(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_crosses_as_texts() {
        let input = ScreenInput {
            screen: Screen::Trace,
            input: "seed=7".into(),
            command: CommandInput {
                before: "spillgate link decode 1g.x".into(),
                arguments: "-".into(),
                about: "The same.".into(),
                names: Some(Disclosure::Names),
            },
            disclosure: Disclosure::Addresses,
            lines: "0 1 0\na".into(),
        };
        assert_eq!(ScreenInput::from_texts(input.clone().into_texts()), input);
        assert_eq!(ScreenInput::from_texts(Vec::new()), ScreenInput::default());
    }
}
