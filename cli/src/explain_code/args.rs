//! The arguments of `spillgate explain-code`.

use clap::Args;

/// The examples of the help text.
pub(crate) const EXAMPLES: &str = "Examples:\n  \
    spillgate explain-code config/eds-endpoints\n  \
    spillgate explain-code failover-no-health-signal";

/// The options of `spillgate explain-code`.
#[derive(Debug, Args)]
pub(crate) struct ExplainCodeArgs {
    /// Code of an error, a warning or a limit, or name of a lint rule.
    #[arg(value_name = "CODE")]
    pub(crate) code: String,
}
