//! Istio's kinds.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value, json};
use spillgate_mesh::{
    LocalityGroup, MeshHost,
    istio::{
        IstioDistribute, IstioEffectiveSetting, IstioEndpoint, IstioFailover,
        IstioLocalityLbSetting, IstioOutlierDetection, IstioProxy, IstioResolution,
        IstioSettingSource, IstioSettings, IstioShare, IstioVersion, IstioView, istio_assignment,
        validate_istio_setting,
    },
};

use super::{
    super::{Figures, figures, read},
    assigned::{Assigned, weight},
    common,
};

/// A setting that applies, a proxy and endpoints.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Locality {
    proxy: Proxy,
    locality_lb_setting: Option<Setting>,
    outlier_detection: bool,
    #[serde(default)]
    min_health_percent: i64,
    #[serde(default)]
    traffic_distribution_force: bool,
    endpoints: Vec<Endpoint>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Proxy {
    locality: String,
    #[serde(default)]
    labels: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Endpoint {
    addr: String,
    locality: String,
    #[serde(default)]
    labels: BTreeMap<String, String>,
    weight: Option<u32>,
}

/// `localityLbSetting`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Setting {
    #[serde(default)]
    distribute: Vec<Distribute>,
    #[serde(default)]
    failover: Vec<Failover>,
    #[serde(default)]
    failover_priority: Vec<String>,
    enabled: Option<bool>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Distribute {
    from: String,
    to: Map<String, Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Failover {
    from: String,
    to: String,
}

impl Setting {
    fn read(self) -> Result<IstioLocalityLbSetting, String> {
        let distribute = self.distribute.into_iter().map(Distribute::read);
        let failover = self.failover.into_iter().map(|rule| IstioFailover {
            from: rule.from,
            to: rule.to,
        });
        Ok(IstioLocalityLbSetting {
            distribute: distribute.collect::<Result<_, _>>()?,
            failover: failover.collect(),
            failover_priority: self.failover_priority,
            enabled: self.enabled,
        })
    }
}

impl Distribute {
    fn read(self) -> Result<IstioDistribute, String> {
        let share = |(locality, weight): (String, Value)| {
            let number = weight.as_i64();
            let weight = number.ok_or_else(|| format!("{weight} is not a whole number"))?;
            Ok::<_, String>(IstioShare { locality, weight })
        };
        Ok(IstioDistribute {
            from: self.from,
            to: self.to.into_iter().map(share).collect::<Result<_, _>>()?,
        })
    }
}

/// An optional setting.
fn setting(setting: Option<Setting>) -> Result<Option<IstioLocalityLbSetting>, String> {
    setting.map(Setting::read).transpose()
}

pub(super) fn locality(input: &Value, asked: &Figures) -> Result<Figures, String> {
    let input: Locality = read(input)?;
    let proxy = IstioProxy {
        locality: input.proxy.locality,
        labels: input.proxy.labels,
        ..IstioProxy::default()
    };
    let endpoints = input.endpoints.into_iter().map(|endpoint| {
        Ok::<_, String>(IstioEndpoint {
            host: MeshHost {
                weight: weight(endpoint.weight)?,
                ..MeshHost::new(endpoint.addr)
            },
            locality: endpoint.locality,
            labels: endpoint.labels,
            unready: false,
            mtls: true,
        })
    });
    let endpoints: Vec<IstioEndpoint> = endpoints.collect::<Result<_, _>>()?;
    let effective = IstioEffectiveSetting {
        setting: setting(input.locality_lb_setting)?,
        source: if input.traffic_distribution_force {
            IstioSettingSource::Service
        } else {
            IstioSettingSource::DestinationRule
        },
        zone_aware: None,
    };
    let outlier_detection = input.outlier_detection.then(|| IstioOutlierDetection {
        min_health_percent: Some(input.min_health_percent),
        ..IstioOutlierDetection::default()
    });
    let view = IstioView {
        proxy: &proxy,
        effective: &effective,
        outlier_detection: outlier_detection.as_ref(),
        resolution: IstioResolution::Static,
        sends_unready: false,
        subset: false,
        // The vectors are from this version.
        version: IstioVersion::V1_30,
    };
    let assigned = Assigned {
        assignment: &istio_assignment(view, &endpoints),
        hosts: endpoints
            .iter()
            .map(|endpoint| endpoint.host.clone())
            .collect(),
        // The whole locality is the zone.
        place: |group: &LocalityGroup| (group.locality.to_string(), String::new()),
    };
    common::figures_of(&assigned, asked)
}

/// The settings of one destination, by source.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Effective {
    mesh: Option<Setting>,
    destination_rule: Option<Setting>,
    service_traffic_distribution: Option<String>,
}

pub(super) fn effective_setting(input: &Value, _: &Figures) -> Result<Figures, String> {
    let input: Effective = read(input)?;
    let mesh = setting(input.mesh)?;
    let destination_rule = setting(input.destination_rule)?;
    let settings = IstioSettings {
        mesh: mesh.as_ref(),
        destination_rule: destination_rule.as_ref(),
        traffic_distribution: input.service_traffic_distribution.as_deref(),
        ..IstioSettings::default()
    };
    let found = settings.effective().setting;
    Ok(figures([(
        "setting",
        found.map_or(Value::Null, |setting| shown(&setting)),
    )]))
}

/// A setting without its empty fields.
fn shown(setting: &IstioLocalityLbSetting) -> Value {
    let mut fields = Map::new();
    let mut add = |name: &str, set: bool, value: Value| {
        if set {
            fields.insert(name.into(), value);
        }
    };
    let distribute = setting.distribute.iter().map(|entry| {
        let shares = entry.to.iter();
        let to: Map<String, Value> = shares
            .map(|share| (share.locality.clone(), share.weight.into()))
            .collect();
        json!({"from": entry.from, "to": to})
    });
    let distribute: Vec<Value> = distribute.collect();
    let failover = setting.failover.iter();
    let failover: Vec<Value> = failover
        .map(|rule| json!({"from": rule.from, "to": rule.to}))
        .collect();
    add("distribute", !distribute.is_empty(), distribute.into());
    add("failover", !failover.is_empty(), failover.into());
    let labels = &setting.failover_priority;
    add("failoverPriority", !labels.is_empty(), json!(labels));
    add("enabled", setting.enabled.is_some(), json!(setting.enabled));
    fields.into()
}

/// A setting and whether outlier detection is configured.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Validate {
    setting: Setting,
    outlier_detection: bool,
}

pub(super) fn validate(input: &Value, _: &Figures) -> Result<Figures, String> {
    let input: Validate = read(input)?;
    let outlier_detection = input.outlier_detection.then(IstioOutlierDetection::default);
    let faults = validate_istio_setting(&input.setting.read()?, outlier_detection.as_ref());
    let codes = faults.iter().map(|fault| {
        if fault.is_error() {
            fault.code.name().to_owned()
        } else {
            format!("warning:{}", fault.code.name())
        }
    });
    Ok(figures([("errors", codes.collect())]))
}
