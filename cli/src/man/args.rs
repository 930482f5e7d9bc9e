//! The arguments of `spillgate man`.

#[derive(Debug, clap::Args)]
pub(crate) struct ManArgs {
    /// The command that the page is about; by default the program as a whole.
    #[arg(value_name = "COMMAND")]
    pub(crate) command: Vec<String>,
}
