//! The option `--client`.

use clap::ValueEnum;

/// Whose rules apply to the configuration.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Client {
    /// Those of Envoy.
    #[default]
    Envoy,
    /// Those of a gRPC client.
    Grpc,
    /// Both, with the differences.
    Both,
}
