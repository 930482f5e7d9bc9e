//! The commands of the palette: what the buttons and keys of the playground do, by name.

use spillgate_scenario::{
    EditedScenario, HealthChoice, PRESETS, PageFigure, PriorityAt, ScenarioEdit, ScenarioOutcome,
    priority_at,
};

use super::Screen;

/// Something that the playground does.
#[derive(Debug, Clone, PartialEq)]
pub enum PageCommand {
    /// Shows a screen.
    Show(Screen),
    /// Opens the import dialog.
    Import,
    /// Opens the share dialog.
    Share,
    /// Opens the palette.
    Palette,
    /// Moves the focus to the explanation.
    Explanation,
    /// Undoes the last step.
    Undo,
    /// Redoes the last undone step.
    Redo,
    /// Opens a scenario of the list.
    Preset(&'static str),
    /// Explains a figure on the first screen.
    Explain(PageFigure),
    /// Changes the scenario.
    Edit(ScenarioEdit),
}

/// A command with its name.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedCommand {
    /// For example `Explain the load of P1`.
    pub name: String,
    /// Its key; empty without one.
    pub key: &'static str,
    /// What it does.
    pub command: PageCommand,
}

impl NamedCommand {
    fn new(name: impl Into<String>, key: &'static str, command: PageCommand) -> Self {
        Self {
            name: name.into(),
            key,
            command,
        }
    }
}

/// The key of the screen for losses of a zone, which What-if has.
const ZONES_KEY: &str = "4";

/// The commands with a key, in the order of the list of keys.
#[must_use]
pub fn keyed_commands() -> Vec<NamedCommand> {
    let screens = Screen::ALL
        .into_iter()
        .map(|screen| NamedCommand::new(screen.title(), screen.key(), PageCommand::Show(screen)));
    let others = [
        (
            "Find a command, host or scenario",
            "/",
            PageCommand::Palette,
        ),
        ("Import a configuration", "i", PageCommand::Import),
        ("Share", "s", PageCommand::Share),
        ("Go to the explanation", "w", PageCommand::Explanation),
        ("Keys of this page", "?", PageCommand::Palette),
        ("Undo", "Ctrl+Z", PageCommand::Undo),
        ("Redo", "Ctrl+Shift+Z", PageCommand::Redo),
    ]
    .into_iter()
    .map(|(name, key, command)| NamedCommand::new(name, key, command));
    screens.chain(others).collect()
}

/// The command of a key without Ctrl; `None` if it has none.
#[must_use]
pub fn command_of_key(key: &str) -> Option<PageCommand> {
    if key == ZONES_KEY {
        return Some(PageCommand::Show(Screen::WhatIf));
    }
    let mut commands = keyed_commands().into_iter();
    let found = commands.find(|command| command.key.eq_ignore_ascii_case(key));
    found.map(|found| found.command)
}

/// All commands for a scenario: those with keys, its figures, zones and hosts, and other scenarios.
#[must_use]
pub fn all_commands(scenario: &EditedScenario, outcome: &ScenarioOutcome) -> Vec<NamedCommand> {
    let mut commands = keyed_commands();
    for (at, cluster) in scenario.clusters().iter().enumerate() {
        if at != scenario.root() {
            add(
                &mut commands,
                format!("Show cluster {}", cluster.name),
                PageCommand::Edit(ScenarioEdit::Show(at)),
            );
        }
    }
    for row in outcome.priorities() {
        let at = priority_at(row.row.at);
        let name = &row.name;
        for (what, figure) in [
            ("load", PageFigure::Priority(at)),
            ("availability", PageFigure::Availability(at)),
            ("panic mode", PageFigure::Panic(at)),
        ] {
            add(
                &mut commands,
                format!("Explain the {what} of {name}"),
                PageCommand::Explain(figure),
            );
        }
        for (zone, title) in row.localities.iter().enumerate() {
            for (verb, health) in [
                ("Fail", HealthChoice::Unhealthy),
                ("Restore", HealthChoice::Healthy),
            ] {
                let hosts = hosts_of_zone(scenario, at, zone);
                if !hosts.is_empty() {
                    add(
                        &mut commands,
                        format!("{verb} {} of {name}", title.title()),
                        PageCommand::Edit(ScenarioEdit::Health {
                            priority: at,
                            hosts,
                            health,
                        }),
                    );
                }
            }
        }
        for host in outcome.hosts(row) {
            add(
                &mut commands,
                format!("Explain host {} of {name}", host.endpoint.address),
                PageCommand::Explain(PageFigure::Host(host.at)),
            );
        }
    }
    for preset in PRESETS {
        add(
            &mut commands,
            format!("Scenario: {}", preset.title),
            PageCommand::Preset(preset.id),
        );
    }
    commands
}

/// Not inlined, because every copy would cost bytes in the module.
#[inline(never)]
fn add(commands: &mut Vec<NamedCommand>, name: String, command: PageCommand) {
    commands.push(NamedCommand {
        name,
        key: "",
        command,
    });
}

fn hosts_of_zone(scenario: &EditedScenario, at: PriorityAt, zone: usize) -> Vec<usize> {
    let endpoints = scenario
        .priority(at)
        .map(|priority| &priority.endpoints)
        .into_iter()
        .flatten()
        .enumerate();
    let of_zone = endpoints.filter(|(_, endpoint)| endpoint.locality == zone);
    of_zone.map(|(host, _)| host).collect()
}

/// The commands whose name contains every word of a text, in any order and in any case of ASCII letters.
#[must_use]
pub fn matching(mut commands: Vec<NamedCommand>, text: &str) -> Vec<NamedCommand> {
    let text = text.to_ascii_lowercase();
    commands.retain(|command| {
        let name = command.name.to_ascii_lowercase();
        text.split(' ').all(|word| name.contains(word))
    });
    commands
}

#[cfg(test)]
mod tests {
    use super::*;
    use spillgate_scenario::{apply, preset};

    #[test]
    fn keys_are_unique_and_find_their_commands() {
        let commands = keyed_commands();
        for (at, command) in commands.iter().enumerate() {
            assert_eq!(command_of_key(command.key), Some(command.command.clone()));
            assert!(commands[..at].iter().all(|other| other.key != command.key));
        }
        assert_eq!(command_of_key("1"), Some(PageCommand::Show(Screen::Build)));
        assert_eq!(command_of_key("4"), Some(PageCommand::Show(Screen::WhatIf)));
        assert_eq!(command_of_key("q"), None);
        assert_eq!(command_of_key(""), None);
    }

    #[test]
    fn names_are_found_by_their_words() {
        let scenario = preset("documented").unwrap();
        let commands = all_commands(&scenario, &ScenarioOutcome::of(&scenario));
        let found = matching(commands.clone(), "P1 LOAD");
        assert_eq!(found[0].name, "Explain the load of P1");
        assert_eq!(found.len(), 1);
        assert_eq!(
            matching(commands.clone(), "undo")[0].command,
            PageCommand::Undo
        );
        assert_eq!(matching(commands.clone(), "").len(), commands.len());
        assert!(matching(commands.clone(), "zone q").is_empty());
    }

    #[test]
    fn a_zone_fails_and_every_edit_applies() {
        let scenario = preset("shop").unwrap();
        let commands = all_commands(&scenario, &ScenarioOutcome::of(&scenario));
        let found = matching(commands.clone(), "fail zone a");
        let PageCommand::Edit(edit) = &found[0].command else {
            panic!("{:?}", found[0]);
        };
        let failed = apply(&scenario, edit).unwrap();
        assert_ne!(
            ScenarioOutcome::of(&failed).clusters,
            ScenarioOutcome::of(&scenario).clusters
        );
    }
}
