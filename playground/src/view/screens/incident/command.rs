//! The command with the same answer.

use spillgate_codec::import::SettingSource;

use super::{IncidentInput, IncidentStage, ShownIncident};
use crate::{
    state::{CommandInput, unchanged_import},
    view::screens::shell::CommandLine,
};

/// The command line for a shell; `None` if no command has the answer: settings that are changed on the screen are not
/// in the configuration, nor is an example, and a link has no health checks.
#[must_use]
pub fn incident_command(
    stage: &IncidentStage,
    input: &IncidentInput,
    command: &CommandInput,
    run: &ShownIncident,
) -> Option<String> {
    let has_import = unchanged_import(&stage.scenario).is_some();
    let mut settings = run.record.settings.iter();
    let is_example = settings.any(|of| of.by == SettingSource::Example);
    if !has_import || is_example || !input.changes.is_empty() {
        return None;
    }
    let mut line = CommandLine::new("incident", command, &stage.scenario);
    for event in stage.events(input) {
        let option = format!("--{}", event.kind.name());
        line = line.with_names(&option, &event.text());
    }
    let rps = input.rps.unwrap_or(IncidentInput::FIRST_RPS);
    line = line.with("--rps", &rps.to_string());
    if let Some(time) = input.service_time {
        line = line.with("--service-time", &format!("{time}ms"));
    }
    if let Some(clients) = input.sessions {
        line = line.with("--sessions", &clients.to_string());
    }
    if let Some(until) = input.until_text() {
        line = line.with("--until", &until);
    }
    Some(line.finish())
}
