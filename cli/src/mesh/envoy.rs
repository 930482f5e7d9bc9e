//! Mesh documents as the configuration of one proxy, for commands that read Envoy configurations.

use spillgate_answers::input::Faults;
use spillgate_config::{
    Diagnostic, NamedText, SourceMap,
    envoy::{AdminAccess, EnvoyConfig, Marks},
    mesh::{OutboundChoice, OutboundHealth},
};

use super::{MeshArgs, MeshInput};

/// What decides over time about the clusters of a mesh, by name.
pub(crate) type MeshClusterHealth = Vec<(String, OutboundHealth)>;

/// The configuration of the proxy that the arguments name, and what decides over time about each cluster.
pub(crate) fn config_of(
    input: &mut MeshInput,
    args: &MeshArgs,
) -> Result<(EnvoyConfig, MeshClusterHealth), Faults> {
    let outbound = input.outbound_of(args)?;
    let model = outbound
        .model()
        .map_err(|faults| Faults::all(&input.name, &faults))?;
    let mut warnings = outbound.warnings.clone();
    let listeners = outbound.listeners(&mut warnings);
    let mut sources = SourceMap::default();
    sources.add(&input.name, 0);
    let clusters = outbound.clusters.iter();
    let resolved = clusters.filter(|of| of.settings.chosen == Some(OutboundChoice::HostName));
    let health = outbound.clusters.iter();
    let health = health.map(|of| (of.name.clone(), of.health.clone()));
    let health = health.collect();
    let is_gateway = |zone: &String| zone.starts_with("gateway:");
    let is_of_one = args.proxy.is_some() || args.zone.as_ref().is_some_and(is_gateway);
    let config = EnvoyConfig {
        model,
        listeners,
        marks: Marks::choosing(resolved.map(|of| of.name.as_str())),
        access: AdminAccess::default(),
        facts: outbound.facts(),
        sources,
        warnings,
        over_time: Vec::new(),
        unread: input.documents.unread(!is_of_one),
    };
    Ok((config, health))
}

/// The error of an argument that an Envoy configuration does not support.
pub(crate) fn only_for_meshes(texts: &[NamedText], argument: &str) -> Faults {
    let fault = Diagnostic::error(
        "input/not-a-mesh",
        format!("{argument} applies to mesh documents only"),
    );
    let expected =
        "a policy of Kuma or Istio, such as MeshLoadBalancingStrategy or DestinationRule";
    Faults::one(texts, &fault.expected(expected))
}
