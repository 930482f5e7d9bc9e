//! The command line of `cargo xtask scenario`.

use anyhow::{Result, bail};
use lexopt::prelude::*;

/// One invocation.
#[derive(Debug, PartialEq, Eq)]
pub enum ScenarioCommand {
    /// Name all scenarios.
    List,
    /// Run one.
    Run {
        /// The name of its folder.
        name: String,
        /// What for.
        mode: Mode,
    },
}

/// What a scenario is run for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// To be tried, until Ctrl-C.
    Serve,
    /// To hold its README against it, on free ports.
    Check,
    /// To write its outputs into its README, on free ports.
    Record,
}

/// Reads the command line.
///
/// # Errors
/// When it cannot be meant.
pub fn parse(mut parser: lexopt::Parser) -> Result<ScenarioCommand> {
    let (mut mode, mut name, mut list) = (Mode::Serve, None, false);
    while let Some(argument) = parser.next()? {
        match argument {
            Long("list") => list = true,
            Long("check") => mode = Mode::Check,
            Long("record") => mode = Mode::Record,
            Value(word) if name.is_none() => name = Some(word.string()?),
            other => return Err(other.unexpected().into()),
        }
    }
    match name {
        None if list => Ok(ScenarioCommand::List),
        Some(name) if !list => Ok(ScenarioCommand::Run { name, mode }),
        _ => bail!("expected the NAME of one scenario, or --list"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_or_the_list() -> Result<()> {
        let read = |words: &[&str]| parse(lexopt::Parser::from_args(words.iter().copied()));
        let run = |mode| ScenarioCommand::Run {
            name: "ecds".into(),
            mode,
        };
        assert_eq!(read(&["--list"])?, ScenarioCommand::List);
        assert_eq!(read(&["ecds"])?, run(Mode::Serve));
        assert_eq!(read(&["ecds", "--check"])?, run(Mode::Check));
        assert!(read(&[]).is_err());
        assert!(read(&["a", "b"]).is_err());
        Ok(())
    }
}
