//! Mesh documents as the configuration of one proxy, for commands that read Envoy configurations.

use spillgate_answers::input::Faults;
use spillgate_config::{
    Diagnostic, NamedText, SourceMap,
    envoy::{AdminAccess, EnvoyConfig, Marks},
    mesh::{MeshKind, OutboundChoice},
    proto::UnreadValues,
};
use spillgate_health::outlier::OutlierDetection;

use super::{MeshArgs, MeshInput};

/// The outlier detection that Istio writes, by cluster; `None` for a cluster without.
pub(crate) type IstioOutliers = Vec<(String, Option<OutlierDetection>)>;

/// The configuration of the proxy that the arguments name, and for Istio the outlier detection of each cluster.
pub(crate) fn config_of(
    input: &mut MeshInput,
    args: &MeshArgs,
) -> Result<(EnvoyConfig, IstioOutliers), Faults> {
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
    let outliers = match input.mesh {
        MeshKind::Istio => {
            let clusters = outbound.clusters.iter();
            clusters
                .map(|of| (of.name.clone(), of.settings.outlier_settings()))
                .collect()
        }
        MeshKind::Kuma => Vec::new(),
    };
    let config = EnvoyConfig {
        model,
        listeners,
        marks: Marks::choosing(resolved.map(|of| of.name.as_str())),
        access: AdminAccess::default(),
        facts: outbound.facts(),
        sources,
        warnings,
        over_time: Vec::new(),
        unread: UnreadValues::default(),
    };
    Ok((config, outliers))
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
