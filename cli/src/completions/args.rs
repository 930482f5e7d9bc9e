//! The arguments of `spillgate completions`.

use clap_complete::Shell;

/// The options of `spillgate completions`.
#[derive(Debug, clap::Args)]
pub(crate) struct CompletionsArgs {
    /// Shell: bash, elvish, fish, powershell, zsh.
    #[arg(value_name = "SHELL", hide_possible_values = true)]
    pub(crate) shell: Shell,
}
