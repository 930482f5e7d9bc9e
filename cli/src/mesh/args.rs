//! The arguments that select a point of view on mesh documents.

use std::path::PathBuf;

use clap::ValueEnum;
use serde_json::Value;
use spillgate_answers::input::Faults;
use spillgate_config::{
    Diagnostic,
    mesh::{MeshDocuments, MeshKind},
};
use spillgate_mesh::{Compat, istio::IstioVersion};

use crate::command::Done;

/// The point of view, for commands that read a configuration.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct MeshArgs {
    /// Mesh: as seen from this zone, or from gateway:NAME.
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
        value_name = "BEHAVIOR",
        default_value_t,
        hide_possible_values = true
    )]
    pub(crate) compat: CompatArg,
    #[command(flatten)]
    pub(crate) istio: IstioArgs,
}

/// The version of Istio.
#[derive(Debug, Clone, Copy, Default, clap::Args)]
pub(crate) struct IstioArgs {
    /// Istio: the version, 1.28, 1.29, 1.30 or 1.31 [default: 1.31].
    #[arg(long, value_enum, value_name = "VERSION", hide_possible_values = true)]
    istio_version: Option<IstioVersionArg>,
}

/// A modeled version of Istio.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum IstioVersionArg {
    /// Istio 1.28.
    #[value(name = "1.28")]
    V1_28,
    /// Istio 1.29.
    #[value(name = "1.29")]
    V1_29,
    /// Istio 1.30.
    #[value(name = "1.30")]
    V1_30,
    /// Istio 1.31.
    #[value(name = "1.31")]
    V1_31,
}

impl IstioArgs {
    /// The version that the arguments name.
    pub(crate) fn version(&self) -> Option<IstioVersion> {
        self.istio_version.map(|version| match version {
            IstioVersionArg::V1_28 => IstioVersion::V1_28,
            IstioVersionArg::V1_29 => IstioVersion::V1_29,
            IstioVersionArg::V1_30 => IstioVersion::V1_30,
            IstioVersionArg::V1_31 => IstioVersion::V1_31,
        })
    }

    /// Those of an input, which must have documents of Istio if the arguments name a version.
    ///
    /// # Errors
    /// If they name one, and the documents belong to another mesh.
    pub(crate) fn apply(
        &self,
        file: &str,
        mesh: MeshKind,
        documents: &mut MeshDocuments,
    ) -> Result<(), Faults> {
        let Some(version) = self.version() else {
            return Ok(());
        };
        if mesh == MeshKind::Istio {
            documents.istio_version = version;
            return Ok(());
        }
        let fault = Diagnostic::error(
            "input/not-istio",
            "--istio-version applies to documents of Istio only",
        );
        let expected = "a DestinationRule, or a Service without documents of Kuma";
        Err(Faults::one(
            file,
            &fault.found("documents of Kuma").expected(expected),
        ))
    }
}

/// Names the version of Istio after an answer in text; answers in JSON have a key for it.
pub(crate) fn name_istio_version(done: &mut Done, version: Option<IstioVersion>) {
    let line = |version: IstioVersion| {
        let version = version.name();
        format!("by the rules of Istio {version} (--istio-version)")
    };
    done.closing.extend(version.map(line));
}

/// Adds the version of Istio to an answer in JSON.
pub(crate) fn add_istio_version(answer: &mut Value, version: Option<IstioVersion>) {
    if let (Some(fields), Some(version)) = (answer.as_object_mut(), version) {
        fields.insert("istio_version".into(), version.name().into());
    }
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
    /// Whether the arguments choose a point of view.
    pub(crate) const fn has_view(&self) -> bool {
        self.zone.is_some() || self.proxy.is_some()
    }

    /// The first argument that only mesh documents support, as written.
    pub(crate) fn first(&self) -> Option<&'static str> {
        let given = [
            ("--as", self.zone.is_some()),
            ("--proxy", self.proxy.is_some()),
            ("--endpoints", !self.endpoints.is_empty()),
            ("--compat", self.compat != CompatArg::default()),
            ("--istio-version", self.istio.version().is_some()),
        ];
        let mut given = given.into_iter().filter(|(_, given)| *given);
        given.next().map(|(name, _)| name)
    }
}
