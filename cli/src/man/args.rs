//! The arguments of `spillgate man`.

/// The options of `spillgate man`.
#[derive(Debug, clap::Args)]
pub(crate) struct ManArgs {
    /// Command, such as `link encode` [default: spillgate itself].
    #[arg(value_name = "COMMAND")]
    pub(crate) command: Vec<String>,
}
