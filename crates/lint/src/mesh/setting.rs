//! Locality settings and their places.

use alloc::{format, vec::Vec};

use spillgate_config::mesh::{
    IstioDocuments, IstioPolicyPart, IstioServiceInput, ReadDestinationRule, ReadMeshConfig,
    ValuePlace,
};
use spillgate_mesh::istio::{IstioLocalityLbSetting, IstioOutlierDetection};

use super::targets::{RuleAt, Targets};

/// Outlier detection where the rules of a mesh have it: a MeshConfig cannot state it.
static ASSUMED: IstioOutlierDetection = IstioOutlierDetection {
    min_health_percent: None,
    consecutive_5xx_errors: None,
    consecutive_gateway_errors: None,
    consecutive_local_origin_failures: None,
    split_external_local_origin_errors: None,
    interval_ms: None,
    base_ejection_time_ms: None,
    max_ejection_percent: None,
};

/// A `localityLbSetting` that is not off.
pub(super) struct IstioSettingAt<'d> {
    pub(super) setting: &'d IstioLocalityLbSetting,
    pub(super) source: SettingSource<'d>,
    /// The numbers of the services to which it applies, on any port.
    services: Vec<usize>,
}

/// What contains a setting.
pub(super) enum SettingSource<'d> {
    Rule(&'d ReadDestinationRule, IstioPolicyPart<'d>),
    Mesh(&'d ReadMeshConfig),
}

impl<'d> IstioSettingAt<'d> {
    /// All settings of the documents that are not off, and that apply.
    pub(super) fn all(
        istio: &'d IstioDocuments,
        rules: &[RuleAt<'d>],
        targets: &Targets,
        services: &[IstioServiceInput],
    ) -> Vec<Self> {
        let mut settings = Vec::new();
        for rule in rules {
            for part in rule.read.policies() {
                let balancer = part.load_balancer;
                if let Some(setting) = balancer.and_then(|b| b.locality_lb_setting.as_ref())
                    && rule.has_part(services, &part)
                {
                    settings.push(Self {
                        setting,
                        source: SettingSource::Rule(rule.read, part),
                        services: rule.services.clone(),
                    });
                }
            }
        }
        // The last MeshConfig applies.
        if let Some(read) = istio.mesh_configs.last()
            && let Some(setting) = &read.config.locality_lb_setting
            && (services.is_empty() || !targets.of_mesh.is_empty())
        {
            settings.push(Self {
                setting,
                source: SettingSource::Mesh(read),
                services: targets.of_mesh.clone(),
            });
        }
        settings.retain(|at| at.setting.enabled != Some(false));
        settings
    }

    /// The place of a value below the setting.
    pub(super) fn place(&self, below: &str) -> ValuePlace {
        let path = |setting: &str| match below {
            "" => setting.into(),
            below => format!("{setting}.{below}"),
        };
        match &self.source {
            SettingSource::Rule(read, part) => read.value_place(&path(&format!(
                "{}.loadBalancer.localityLbSetting",
                part.path
            ))),
            SettingSource::Mesh(read) => read.value_place(&path("localityLbSetting")),
        }
    }

    /// The outlier detection that applies with it.
    pub(super) fn outlier_detection(&self) -> Option<&IstioOutlierDetection> {
        match &self.source {
            SettingSource::Rule(_, part) => part.outlier_detection,
            SettingSource::Mesh(_) => Some(&ASSUMED),
        }
    }

    /// The services with endpoints that it configures.
    pub(super) fn services<'c>(
        &'c self,
        services: &'c [IstioServiceInput],
    ) -> impl Iterator<Item = &'c IstioServiceInput> {
        let applies = |port| match &self.source {
            SettingSource::Rule(_, part) => part.is_for_port(port),
            SettingSource::Mesh(_) => true,
        };
        let own = self.services.iter().filter_map(|&at| services.get(at));
        own.filter(move |service| !service.endpoints.is_empty() && applies(service.port))
    }
}
