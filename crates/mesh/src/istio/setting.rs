//! Which setting applies (`GetLocalityLbSetting`, since Istio 1.31 `GetEffectiveLbSetting`, in
//! `loadbalancer.go`).

use alloc::{string::String, vec::Vec};

use super::{IstioFailover, IstioLocalityLbSetting, IstioVersion, IstioZoneAwareLb, NETWORK_LABEL};

/// The setting for one destination, and where it comes from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IstioEffectiveSetting {
    /// The setting; `None` if locality load balancing is off.
    pub setting: Option<IstioLocalityLbSetting>,
    /// `zoneAwareLbSetting`, which replaces `setting`.
    pub zone_aware: Option<IstioZoneAwareLb>,
    /// The source of the setting, or of the decision that it is off.
    pub source: IstioSettingSource,
}

/// Where a setting comes from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum IstioSettingSource {
    /// No setting anywhere.
    #[default]
    None,
    /// The DestinationRule. It replaces the other sources as a whole.
    DestinationRule,
    /// `trafficDistribution` of the service. Failover then applies without outlier detection, too.
    Service,
    /// The MeshConfig.
    Mesh,
}

/// The settings of one destination, by source.
#[derive(Debug, Clone, Copy, Default)]
pub struct IstioSettings<'a> {
    /// `meshConfig.localityLbSetting`.
    pub mesh: Option<&'a IstioLocalityLbSetting>,
    /// `localityLbSetting` of the DestinationRule.
    pub destination_rule: Option<&'a IstioLocalityLbSetting>,
    /// `meshConfig.zoneAwareLbSetting`.
    pub mesh_zone_aware: Option<&'a IstioZoneAwareLb>,
    /// `zoneAwareLbSetting` of the DestinationRule.
    pub rule_zone_aware: Option<&'a IstioZoneAwareLb>,
    /// `trafficDistribution` of the service; unknown values count as not set.
    pub traffic_distribution: Option<&'a str>,
    /// The version of Istio; before 1.31, the zone-aware settings do not exist.
    pub version: IstioVersion,
}

/// The labels of `PreferSameZone`, and of `PreferClose`, its old name.
const SAME_ZONE: [&str; 3] = [
    NETWORK_LABEL,
    "topology.kubernetes.io/region",
    "topology.kubernetes.io/zone",
];
/// The labels of `PreferSameNode` in addition to [`SAME_ZONE`].
const SAME_NODE: [&str; 2] = ["topology.istio.io/subzone", "kubernetes.io/hostname"];

// === impl IstioSettings ===

impl IstioSettings<'_> {
    /// The setting that applies.
    ///
    /// # Examples
    /// ```
    /// use spillgate_mesh::istio::{IstioLocalityLbSetting, IstioSettingSource, IstioSettings};
    ///
    /// let mesh = IstioLocalityLbSetting::default();
    /// let settings = IstioSettings {
    ///     mesh: Some(&mesh),
    ///     traffic_distribution: Some("PreferSameZone"),
    ///     ..IstioSettings::default()
    /// };
    /// let found = settings.effective();
    /// assert_eq!(found.source, IstioSettingSource::Service);
    /// assert_eq!(found.setting.unwrap().failover_priority.len(), 3);
    /// ```
    #[must_use]
    pub fn effective(&self) -> IstioEffectiveSetting {
        let enabled = |setting: &IstioLocalityLbSetting| {
            (setting.enabled != Some(false)).then(|| setting.clone())
        };
        let knows = self.version >= IstioVersion::V1_31;
        let zone_aware = |setting: &IstioZoneAwareLb, source| IstioEffectiveSetting {
            setting: None,
            zone_aware: Some(setting.clone()),
            source,
        };
        if let Some(setting) = self.rule_zone_aware.filter(|_| knows) {
            return zone_aware(setting, IstioSettingSource::DestinationRule);
        }
        if let Some(setting) = self.destination_rule {
            return IstioEffectiveSetting {
                setting: enabled(setting),
                zone_aware: None,
                source: IstioSettingSource::DestinationRule,
            };
        }
        if let Some(labels) = self.traffic_distribution.and_then(distribution_labels) {
            return IstioEffectiveSetting {
                setting: Some(IstioLocalityLbSetting {
                    failover_priority: labels,
                    enabled: Some(true),
                    ..IstioLocalityLbSetting::default()
                }),
                zone_aware: None,
                source: IstioSettingSource::Service,
            };
        }
        if let Some(setting) = self.mesh_zone_aware.filter(|_| knows) {
            return zone_aware(setting, IstioSettingSource::Mesh);
        }
        match self.mesh {
            Some(setting) => IstioEffectiveSetting {
                setting: enabled(setting),
                zone_aware: None,
                source: IstioSettingSource::Mesh,
            },
            None => IstioEffectiveSetting::default(),
        }
    }
}

/// Whether Istio knows a value of `trafficDistribution`.
pub(super) fn is_distribution(value: &str) -> bool {
    distribution_labels(value).is_some()
}

/// The `failoverPriority` of a traffic distribution; `None` for unknown values.
fn distribution_labels(value: &str) -> Option<Vec<String>> {
    let same_zone = ["PreferSameZone", "PreferClose"];
    let more: &[&str] = if same_zone
        .iter()
        .any(|name| name.eq_ignore_ascii_case(value))
    {
        &[]
    } else if value.eq_ignore_ascii_case("PreferSameNode") {
        &SAME_NODE
    } else {
        return None;
    };
    let labels = SAME_ZONE.iter().chain(more);
    Some(labels.map(|&label| label.into()).collect())
}

// === impl IstioLocalityLbSetting ===

impl IstioLocalityLbSetting {
    /// Whether the setting has rules of its own; without them, failover follows the localities
    /// alone.
    #[must_use]
    pub fn has_rules(&self) -> bool {
        let Self {
            distribute,
            failover,
            failover_priority,
            enabled: _,
        } = self;
        !distribute.is_empty() || !failover.is_empty() || !failover_priority.is_empty()
    }

    /// The failover rule for proxies in a region: the first one from it.
    #[must_use]
    pub fn failover_from(&self, region: &str) -> Option<&IstioFailover> {
        self.failover.iter().find(|rule| rule.from == region)
    }
}
