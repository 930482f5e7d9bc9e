//! From an effective setting, a proxy and endpoints to priority groups (`loadbalancer.go`,
//! `endpoint_builder.go`, `cluster_traffic_policy.go`).

use alloc::{collections::BTreeMap, string::String, vec::Vec};

use super::{
    IstioEffectiveSetting, IstioEndpoint, IstioLocalityLbSetting, IstioOutlierDetection,
    IstioProxy, IstioResolution, IstioSettingSource, IstioVersion, IstioZoneAwareLb, distribute,
    failover, failover_priority, locality::parse_locality,
};
use crate::{LocalityGroup, MeshAssignment};

/// A proxy and the settings of one destination: the point of view of an assignment.
#[derive(Debug, Clone, Copy)]
pub struct IstioView<'a> {
    /// The proxy.
    pub proxy: &'a IstioProxy,
    /// The setting that applies.
    pub effective: &'a IstioEffectiveSetting,
    /// Outlier detection of the destination; it enables failover.
    pub outlier_detection: Option<&'a IstioOutlierDetection>,
    /// How Envoy finds the endpoints.
    pub resolution: IstioResolution,
    /// Whether it receives endpoints that are not ready ([`IstioService::sends_unready`]).
    ///
    /// [`IstioService::sends_unready`]: super::IstioService::sends_unready
    pub sends_unready: bool,
    /// Whether it is about a subset of the destination.
    pub subset: bool,
    /// The version of Istio.
    pub version: IstioVersion,
}

/// What a proxy receives for one destination.
///
/// # Examples
/// ```
/// use spillgate_mesh::istio::*;
///
/// let proxy = IstioProxy {
///     locality: "eu/a".into(),
///     ..IstioProxy::default()
/// };
/// let mesh = IstioMeshConfig::default();
/// let effective = IstioSettings {
///     mesh: mesh.locality_lb_setting.as_ref(),
///     ..IstioSettings::default()
/// }
/// .effective();
/// let outlier_detection = IstioOutlierDetection::default();
/// let view = IstioView {
///     proxy: &proxy,
///     effective: &effective,
///     outlier_detection: Some(&outlier_detection),
///     resolution: IstioResolution::Static,
///     sends_unready: false,
///     subset: false,
///     version: IstioVersion::default(),
/// };
/// let endpoints = ["eu/a", "eu/b", "us/a"].map(|at| IstioEndpoint::new("10.0.0.1:80", at));
/// let found = istio_assignment(view, &endpoints);
/// let priorities: Vec<u32> = found.groups.iter().map(|group| group.priority).collect();
/// assert_eq!(priorities, [0, 1, 2]);
/// ```
#[must_use]
pub fn istio_assignment(view: IstioView<'_>, endpoints: &[IstioEndpoint]) -> MeshAssignment {
    let mut groups = base_groups(endpoints);
    let mut dropped = Vec::new();
    if let Some(setting) = &view.effective.setting {
        if !setting.distribute.is_empty() {
            dropped = distribute::apply(setting, &view.proxy.locality, &mut groups);
        } else if view.has_failover() {
            groups = view.failover(setting, groups, endpoints);
        }
    }
    let zone_aware = view.effective.zone_aware.as_ref();
    if let Some(setting) = zone_aware.filter(|setting| setting.routes()) {
        groups = view.zone_aware(setting, groups, endpoints);
    }
    groups.retain(|group| !group.endpoints.is_empty());
    MeshAssignment {
        groups,
        dropped,
        overprovisioning_factor: None,
        locality_weighted: view.is_weighted(),
        zone_aware: zone_aware.map(IstioZoneAwareLb::envoy),
        panic_threshold: if view.sends_unready {
            Some(0)
        } else {
            view.outlier_detection.map(panic_threshold)
        },
    }
}

/// One group for each locality in the order of the locality texts, with the sum of the endpoint
/// weights.
fn base_groups(endpoints: &[IstioEndpoint]) -> Vec<LocalityGroup> {
    let mut by_locality: BTreeMap<&str, LocalityGroup> = BTreeMap::new();
    for (index, endpoint) in endpoints.iter().enumerate() {
        let group = by_locality.entry(&endpoint.locality).or_default();
        let weight = group.weight.unwrap_or(0);
        group.weight = Some(weight.saturating_add(endpoint.host.weight.get()));
        group.endpoints.push(index);
    }
    by_locality
        .into_iter()
        .map(|(locality, group)| LocalityGroup {
            locality: parse_locality(locality),
            ..group
        })
        .collect()
}

/// `minHealthPercent`; without it, panic mode is off.
fn panic_threshold(outlier_detection: &IstioOutlierDetection) -> u32 {
    let percent = outlier_detection.min_health_percent.unwrap_or(0);
    u32::try_from(percent.clamp(0, 100)).unwrap_or(0)
}

// === impl IstioView ===

impl IstioView<'_> {
    /// Whether failover applies: outlier detection is configured, or the setting comes from
    /// `trafficDistribution`.
    #[must_use]
    pub fn has_failover(&self) -> bool {
        self.outlier_detection.is_some() || self.effective.source == IstioSettingSource::Service
    }

    /// Whether Envoy uses the weights of the localities (`locality_weighted_lb_config`).
    #[must_use]
    pub fn is_weighted(&self) -> bool {
        self.effective.setting.as_ref().is_some_and(|setting| {
            !setting.distribute.is_empty() || (self.has_failover() && setting.has_rules())
        })
    }

    fn failover(
        &self,
        setting: &IstioLocalityLbSetting,
        groups: Vec<LocalityGroup>,
        endpoints: &[IstioEndpoint],
    ) -> Vec<LocalityGroup> {
        let by_label = !setting.failover_priority.is_empty();
        let mut groups = self.by_label(&setting.failover_priority, groups, endpoints);
        if !by_label || !setting.failover.is_empty() {
            failover::apply(setting, &self.proxy.locality, &mut groups);
        }
        groups
    }

    fn zone_aware(
        &self,
        setting: &IstioZoneAwareLb,
        groups: Vec<LocalityGroup>,
        endpoints: &[IstioEndpoint],
    ) -> Vec<LocalityGroup> {
        let mut groups = self.by_label(&setting.failover_priority, groups, endpoints);
        setting.by_region(&self.proxy.locality, &mut groups);
        groups
    }

    /// The groups in the order of `failoverPriority`, where it applies.
    fn by_label(
        &self,
        keys: &[String],
        groups: Vec<LocalityGroup>,
        endpoints: &[IstioEndpoint],
    ) -> Vec<LocalityGroup> {
        if !keys.is_empty() && self.reads_labels() {
            failover_priority::apply(keys, self.version, &self.proxy.labels, groups, endpoints)
        } else {
            groups
        }
    }

    /// Whether `failoverPriority` applies: to EDS, and since Istio 1.30 also to names that Envoy
    /// resolves, except for those of subsets.
    #[must_use]
    pub fn reads_labels(&self) -> bool {
        self.resolution != IstioResolution::Dns
            || (self.version >= IstioVersion::V1_30 && !self.subset)
    }
}
