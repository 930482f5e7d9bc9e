//! A configuration that was read, with its texts and warnings.

use std::borrow::Cow;

use spillgate_answers::{
    configuration::options,
    grpc::GrpcReading,
    input::{Faults, sources},
    limits::Limits,
    located::{FileNames, LocatedDiagnostic, in_texts},
    unknown::UnknownClusters,
};
use spillgate_config::{
    Diagnostic, NamedText, SourceMap,
    envoy::{self, EnvoyConfig, facts::ConfigFacts},
    mesh::OutboundHealth,
    steered::effective_model,
};
use spillgate_core::model::Model;
use spillgate_incident::envoy::ConfigOrigin;
use spillgate_mesh::istio::IstioVersion;

use crate::{client_args::Client, command::Done, mesh::MeshClusterHealth};

/// The code of settings that find out health, which is an input here.
const NOT_SIMULATED: &str = "config/not-simulated";

/// A configuration of one or more texts.
#[derive(Debug)]
pub struct Config {
    /// The texts, for quotes.
    pub texts: Vec<NamedText>,
    /// Their content, with the hosts and health of `--health` or `--admin`.
    pub envoy: EnvoyConfig,
    /// The warnings about other texts, by name: hosts and health, mesh documents, skipped files.
    pub(crate) others: Vec<(String, Vec<Diagnostic>)>,
    /// The limits of simulations over time in documents of a mesh, by name of the text.
    pub(crate) over_time: Vec<(String, Vec<Diagnostic>)>,
    /// For documents of Istio: the version whose rules apply.
    pub(crate) istio_version: Option<IstioVersion>,
    /// For documents of a mesh: what decides over time about each cluster.
    pub(crate) mesh_health: MeshClusterHealth,
    /// The client of the answer.
    pub(super) client: Client,
    /// Whether the configuration is the view of documents of a mesh: a position can be in any of the texts.
    pub(crate) of_mesh: bool,
}

impl FileNames for Config {
    fn locate(&self, diagnostics: &[&Diagnostic]) -> Vec<LocatedDiagnostic> {
        let texts = if self.of_mesh {
            &[]
        } else {
            self.texts.as_slice()
        };
        in_texts(self.files(), texts, diagnostics)
    }
}

impl Config {
    /// The names of the files, for errors and warnings.
    #[must_use]
    pub const fn files(&self) -> &SourceMap {
        &self.envoy.sources
    }

    /// What the texts were written in.
    pub(crate) const fn origin(&self) -> ConfigOrigin {
        match (self.of_mesh, &self.istio_version) {
            (_, Some(_)) => ConfigOrigin::Istio,
            (true, None) => ConfigOrigin::OtherMesh,
            (false, None) => ConfigOrigin::Envoy,
        }
    }

    /// What documents of a mesh decide over time about a cluster.
    pub(crate) fn health_in_mesh(&self, cluster: &str) -> Option<&OutboundHealth> {
        let mut known = self.mesh_health.iter();
        let (_, health) = known.find(|(name, _)| name == cluster)?;
        Some(health)
    }

    /// The facts for lint; `None` for documents of a mesh.
    pub(crate) fn facts(&self) -> Option<ConfigFacts> {
        Some(self.read_for_lint()?.facts)
    }

    /// The same texts read for lint; `None` for documents of a mesh.
    pub(crate) fn read_for_lint(&self) -> Option<EnvoyConfig> {
        let options = options(self.client == Client::Grpc);
        envoy::read_sources_for_lint(&sources(&self.texts), &options).ok()
    }

    /// What a gRPC client reads of the clusters.
    ///
    /// # Errors
    /// Those of its texts.
    pub(crate) fn grpc_reading(&self) -> Result<GrpcReading, Faults> {
        let facts = self.facts();
        let of_istio = self.istio_version.is_some();
        GrpcReading::of(&self.texts, &self.envoy, facts.as_ref(), of_istio)
    }

    /// The clusters that requests reach: with a Spillgate filter, those of the filter. Adds a warning
    /// for each part of the filter that the shares do not include.
    pub fn effective_model(&self, done: &mut Done) -> Cow<'_, Model> {
        match effective_model(&self.envoy) {
            Some(served) => {
                done.warn(self, &served.warnings);
                if served.steered {
                    Cow::Owned(served.model)
                } else {
                    Cow::Borrowed(&self.envoy.model)
                }
            }
            None => Cow::Borrowed(&self.envoy.model),
        }
    }

    /// The settings of all read files that are not modeled.
    #[must_use]
    pub fn limits(&self) -> Limits {
        let mut limits = Limits::new(self.files(), &self.envoy.warnings);
        for (name, findings) in &self.others {
            limits.add(name, findings);
        }
        limits
    }

    /// The clusters of a served model whose hosts are not known. The filter knows those of its own
    /// clusters.
    #[must_use]
    pub fn unknown_clusters(&self, served: &Model) -> UnknownClusters {
        if core::ptr::eq(served, &self.envoy.model) {
            UnknownClusters::of(&self.envoy)
        } else {
            UnknownClusters::default()
        }
    }

    /// Adds the warnings of all read files, without limits: the answer shows those that concern it.
    /// Settings that only find out health are one line after the output.
    pub fn warn(&self, done: &mut Done) {
        let others = self
            .others
            .iter()
            .map(|(name, found)| (name.as_str(), found));
        let simple = |found: &&Diagnostic| !found.is_limit() && found.code != NOT_SIMULATED;
        done.warn(self, self.envoy.warnings.iter().filter(simple));
        for (name, found) in others {
            done.warn_file(&self.texts, name, found.iter().filter(simple));
        }
        let signals = self.health_signals();
        let line = |fields| format!("not simulated: {fields}; health is taken from the input");
        done.closing.extend(signals.map(line));
    }

    /// The names of the settings that find out health, such as `health_checks`; `None` without any.
    #[must_use]
    pub fn health_signals(&self) -> Option<String> {
        let mut fields: Vec<&str> = Vec::new();
        for warning in self
            .envoy
            .warnings
            .iter()
            .filter(|found| found.code == NOT_SIMULATED)
        {
            let field = warning.path.rsplit('.').next().unwrap_or_default();
            if !fields.contains(&field) {
                fields.push(field);
            }
        }
        (!fields.is_empty()).then(|| fields.join(", "))
    }

    /// As [`Config::warn`], with the limits, for commands whose output does not show them.
    pub fn warn_all(&self, done: &mut Done) {
        self.warn(done);
        let limits = |found: &&Diagnostic| found.is_limit();
        done.warn(self, self.envoy.warnings.iter().filter(limits));
        for (name, found) in &self.others {
            done.warn_file(&self.texts, name, found.iter().filter(limits));
        }
    }
}
