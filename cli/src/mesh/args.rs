//! The arguments that select a point of view on mesh documents.

use std::path::PathBuf;

use clap::ValueEnum;
use spillgate_mesh::Compat;

/// The point of view, for commands that read a configuration.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct MeshArgs {
    /// Mesh documents: as seen from any proxy of this zone.
    #[arg(long = "as", value_name = "ZONE", conflicts_with = "proxy")]
    pub(crate) zone: Option<String>,
    /// Mesh documents: as seen from this proxy.
    #[arg(long, value_name = "NAME|FILE")]
    pub(crate) proxy: Option<String>,
    /// Mesh documents: more files, such as endpoints; repeatable.
    #[arg(long, value_name = "FILE")]
    pub(crate) endpoints: Vec<PathBuf>,
    /// Mesh: Kuma's code (kuma) or decision record (madr).
    #[arg(
        long,
        value_enum,
        value_name = "READING",
        default_value_t,
        hide_possible_values = true
    )]
    pub(crate) compat: CompatArg,
}

/// The reading of Kuma policies.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum CompatArg {
    /// The released code.
    #[default]
    Kuma,
    /// The decision record.
    Madr,
}

impl CompatArg {
    /// The reading.
    pub(crate) const fn compat(self) -> Compat {
        match self {
            Self::Kuma => Compat::Kuma,
            Self::Madr => Compat::Madr,
        }
    }
}

impl MeshArgs {
    /// The first argument that only mesh documents support, as written.
    pub(crate) fn first(&self) -> Option<&'static str> {
        let given = [
            ("--as", self.zone.is_some()),
            ("--proxy", self.proxy.is_some()),
            ("--endpoints", !self.endpoints.is_empty()),
            ("--compat", self.compat != CompatArg::default()),
        ];
        let mut given = given.into_iter().filter(|(_, given)| *given);
        given.next().map(|(name, _)| name)
    }
}
