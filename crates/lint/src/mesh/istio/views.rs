//! What proxies receive with a locality setting.

use alloc::{collections::BTreeSet, format, string::String, vec::Vec};
use spillgate_core::visible::quoted;

use spillgate_config::mesh::IstioServiceInput;
use spillgate_core::model::Policy;
use spillgate_mesh::{
    MeshHost,
    istio::{
        IstioEndpoint, IstioLocalityLbSetting, IstioMeshConfig, IstioOutlierDetection, IstioProxy,
        IstioResolution, IstioSettings, IstioVersion, IstioView, istio_assignment,
    },
};

use super::super::sight::Sight;

/// Maximum number of localities from which a setting is examined.
const MAXIMUM_LOCALITIES: usize = 64;

/// What applies to a destination.
#[derive(Clone, Copy)]
pub(super) struct Applied<'s> {
    /// The setting of the DestinationRule.
    pub(super) setting: Option<&'s IstioLocalityLbSetting>,
    /// The outlier detection.
    pub(super) outlier_detection: Option<&'s IstioOutlierDetection>,
}

impl Applied<'_> {
    /// The view of proxies in a locality, with the default settings of the mesh.
    pub(super) fn view(
        &self,
        locality: &str,
        endpoints: &[IstioEndpoint],
        policy: Policy,
    ) -> Sight {
        let mesh = IstioMeshConfig::default();
        let effective = IstioSettings {
            mesh: mesh.locality_lb_setting.as_ref(),
            destination_rule: self.setting,
            ..IstioSettings::default()
        }
        .effective();
        let proxy = IstioProxy {
            locality: locality.into(),
            ..IstioProxy::default()
        };
        let view = IstioView {
            proxy: &proxy,
            effective: &effective,
            outlier_detection: self.outlier_detection,
            resolution: IstioResolution::Static,
            sends_unready: false,
            subset: false,
            version: IstioVersion::default(),
        };
        let hosts: Vec<&MeshHost> = endpoints.iter().map(|endpoint| &endpoint.host).collect();
        let found = istio_assignment(view, endpoints);
        Sight::new((locality, quoted(locality)), found, &hosts, policy)
    }
}

/// The localities of endpoints, without endpoints of unknown locality.
pub(super) fn localities(endpoints: &[IstioEndpoint]) -> Vec<&str> {
    let known: BTreeSet<&str> = endpoints
        .iter()
        .map(|endpoint| endpoint.locality.as_str())
        .filter(|locality| !locality.is_empty())
        .collect();
    known.into_iter().take(MAXIMUM_LOCALITIES).collect()
}

/// The localities of the endpoints of services.
pub(super) fn all_localities<'c>(
    services: impl Iterator<Item = &'c IstioServiceInput>,
) -> BTreeSet<&'c str> {
    let endpoints = services.flat_map(|service| &service.endpoints);
    let localities = endpoints.map(|endpoint| endpoint.locality.as_str());
    localities.filter(|locality| !locality.is_empty()).collect()
}

/// Assumed endpoints: one in each locality.
pub(super) fn assumed(localities: &[&str]) -> Vec<IstioEndpoint> {
    let hosts = localities.iter().enumerate();
    hosts
        .map(|(at, locality)| IstioEndpoint::new(format!("10.0.0.{at}:80"), *locality))
        .collect()
}

/// A locality that a rule such as `region/zone/*` matches.
pub(super) fn concrete(rule: &str) -> String {
    match rule.trim_end_matches(['*', '/']) {
        "" => "region/zone".into(),
        locality => locality.into(),
    }
}
