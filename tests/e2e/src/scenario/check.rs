//! A README compared with the running scenario.

use std::fs;

use anyhow::{Result, ensure};

use super::console::{ReadmeStep, differs, fits, steps};
use super::folder::ScenarioFolder;
use super::running::Running;

/// The result of one command.
#[derive(Debug)]
pub struct CommandOutcome {
    /// The command, as the README has it.
    pub command: String,
    /// What it printed, with the ports of the README.
    pub output: Vec<String>,
    /// The difference from the README.
    pub fault: Option<String>,
}

/// Runs all commands of the README in order, also after one that fails.
///
/// # Errors
/// When there is nothing to run, or Envoy has ended.
pub fn check(
    scenario: &ScenarioFolder,
    running: &mut Running,
    mut each: impl FnMut(&CommandOutcome),
) -> Result<Vec<CommandOutcome>> {
    let mut outcomes = Vec::new();
    for step in steps(&scenario.readme()?) {
        let ReadmeStep {
            command, output, ..
        } = step;
        let (_, found) = running.shell(&command)?;
        let outcome = CommandOutcome {
            fault: differs(&output, &found),
            command,
            output: found,
        };
        each(&outcome);
        outcomes.push(outcome);
        running.check_alive()?;
    }
    ensure!(!outcomes.is_empty(), "the README has no commands");
    Ok(outcomes)
}

/// Writes what was printed into the README. Lines that fit the present ones stay as they are.
///
/// # Errors
/// When it cannot be written.
pub fn record(scenario: &ScenarioFolder, outcomes: &[CommandOutcome]) -> Result<()> {
    let readme = scenario.readme()?;
    let mut lines: Vec<String> = readme.lines().map(str::to_owned).collect();
    let steps = steps(&readme);
    for (step, outcome) in steps.iter().zip(outcomes).rev() {
        let fresh = outcome.output.iter().enumerate().map(|(number, line)| {
            let old = step.output.get(number).filter(|old| fits(old, line));
            old.unwrap_or(line).clone()
        });
        let fresh: Vec<String> = fresh.collect();
        lines.splice(step.lines.clone(), fresh);
    }
    fs::write(scenario.readme_path(), lines.join("\n") + "\n")?;
    Ok(())
}
