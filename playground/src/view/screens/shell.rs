//! Command lines for a shell.

use std::rc::Rc;

use crate::state::CommandInput;
use spillgate_scenario::{
    EditedScenario, ImportOrigin,
    link::{Disclosure, SharedScenario},
};

use spillgate_explain::shell_word;

/// A command about a scenario. Its arguments use the names that the command's input has: a link can have
/// generated ones.
pub(crate) struct CommandLine {
    shared: SharedScenario<Option<Rc<ImportOrigin>>>,
    line: String,
}

impl CommandLine {
    /// The command with its input and the shown cluster.
    pub(crate) fn new(command: &str, input: &CommandInput, scenario: &EditedScenario) -> Self {
        let line = Self::without_cluster(command, input, scenario);
        let cluster = line.shared.scenario.name(scenario.root()).to_owned();
        line.with("--cluster", &cluster)
    }

    /// The command with its input.
    pub(crate) fn without_cluster(
        command: &str,
        input: &CommandInput,
        scenario: &EditedScenario,
    ) -> Self {
        let names = input.names.unwrap_or(Disclosure::Addresses);
        Self {
            shared: SharedScenario::new(scenario, names),
            line: input.line(command),
        }
    }

    /// With an option.
    pub(crate) fn with(mut self, option: &str, value: &str) -> Self {
        self.line
            .push_str(&format!(" {option} {}", shell_word(value)));
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
