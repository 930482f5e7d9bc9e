//! The command with the same answer.

use super::{IncidentInput, IncidentStage};
use crate::{
    state::{CommandInput, unchanged_import},
    view::screens::shell::CommandLine,
};

/// The command line for a shell; `None` if no command has the answer: settings that are changed on the screen are not
/// in the configuration, and a link has no health checks.
#[must_use]
pub fn incident_command(
    stage: &IncidentStage,
    input: &IncidentInput,
    command: &CommandInput,
) -> Option<String> {
    let has_settings = unchanged_import(&stage.scenario).is_some() && input.changes.is_empty();
    if !has_settings {
        return None;
    }
    let mut line = CommandLine::new("incident", command, &stage.scenario);
    for event in stage.events(input) {
        let option = format!("--{}", event.kind.name());
        line = line.with_names(&option, &event.text());
    }
    let rps = input.rps.unwrap_or(IncidentInput::FIRST_RPS);
    line = line.with("--rps", &rps.to_string());
    if let Some(until) = input.until_text() {
        line = line.with("--until", &until);
    }
    Some(line.finish())
}
