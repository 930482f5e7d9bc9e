//! Kuma's kinds.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};
use spillgate_mesh::{
    Compat, LocalityGroup, MeshAssignment, MeshFault,
    kuma::{
        self, DEFAULT_KUMA_FACTOR, KumaCrossZone, KumaDestinationKind, KumaEndpoint,
        KumaLocalityAwareness, KumaLocalityRules, KumaProxy, KumaThreshold, KumaView,
        select_endpoints, split_assignment, validate_kuma_conf,
    },
};

use super::{
    super::{Figures, figures, read},
    assigned::Assigned,
    common,
    kuma_input::{Conf, Endpoint, Failover, Local, Number, TargetRef},
    scenario::zone_percent,
};

/// A policy, a proxy and endpoints.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Locality {
    local: Local,
    policy: Conf,
    endpoints: Vec<Endpoint>,
}

pub(super) fn locality(input: &Value, asked: &Figures) -> Result<Figures, String> {
    let input: Locality = read(input)?;
    let scene = Scene::new(input.local, input.policy, input.endpoints)?;
    let (rules, endpoints) = (&scene.rules, &scene.endpoints);
    let assignment = kuma::assignment(scene.view(), Some(rules), endpoints, Compat::Kuma);
    let mut figures = common::figures_of(&assigned(&assignment, endpoints), asked)?;
    if let Some(threshold) = rules.threshold() {
        let intended = threshold.intended_factor();
        figures.insert("overprovisioning_factor_intended".into(), intended.into());
    }
    Ok(figures)
}

/// What a vector's assignment is computed from.
struct Scene {
    proxy: KumaProxy,
    rules: KumaLocalityRules,
    endpoints: Vec<KumaEndpoint>,
}

impl Scene {
    fn new(local: Local, policy: Conf, endpoints: Vec<Endpoint>) -> Result<Self, String> {
        let endpoints = endpoints.into_iter().map(Endpoint::read);
        Ok(Self {
            proxy: local.read(),
            rules: rules(policy.read()?.locality_awareness.as_ref())?,
            endpoints: endpoints.collect::<Result<_, _>>()?,
        })
    }

    const fn view(&self) -> KumaView<'_> {
        KumaView {
            proxy: &self.proxy,
            destination: KumaDestinationKind::ServiceTag,
        }
    }
}

fn rules(locality: Option<&KumaLocalityAwareness>) -> Result<KumaLocalityRules, String> {
    KumaLocalityRules::new(locality).map_err(|faults| shown(&faults))
}

fn shown(faults: &[MeshFault]) -> String {
    let faults = faults.iter();
    let faults: Vec<String> = faults
        .map(|fault| format!("{}: {}", fault.path, fault.code.name()))
        .collect();
    format!("input: {}", faults.join(", "))
}

fn assigned<'a>(assignment: &'a MeshAssignment, endpoints: &[KumaEndpoint]) -> Assigned<'a> {
    Assigned {
        assignment,
        hosts: endpoints
            .iter()
            .map(|endpoint| endpoint.host.clone())
            .collect(),
        place: |group: &LocalityGroup| {
            let locality = &group.locality;
            (locality.zone.clone(), locality.sub_zone.clone())
        },
    }
}

/// A policy, a proxy, endpoints, and a route that splits requests.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Split {
    local: Local,
    policy: Conf,
    endpoints: Vec<Endpoint>,
    splits: Vec<Part>,
}

/// One part of a split.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Part {
    name: String,
    weight: u32,
    require: BTreeMap<String, String>,
}

pub(super) fn split(input: &Value, _: &Figures) -> Result<Figures, String> {
    let input: Split = read(input)?;
    let scene = Scene::new(input.local, input.policy, input.endpoints)?;
    let endpoints = &scene.endpoints;
    let total: f64 = input.splits.iter().map(|part| f64::from(part.weight)).sum();
    let mut parts = BTreeMap::new();
    let mut zones: BTreeMap<String, f64> = BTreeMap::new();
    let mut no_host = 0.0;
    for part in &input.splits {
        let share = f64::from(part.weight) / total;
        parts.insert(&part.name, 100.0 * share);
        let selected = select_endpoints(endpoints, &part.require);
        for endpoint in selected.iter().filter_map(|&at| endpoints.get(at)) {
            zones.entry(endpoint.zone.clone()).or_default();
        }
        let (view, rules) = (scene.view(), Some(&scene.rules));
        let assignment = split_assignment(view, rules, endpoints, &selected, Compat::Kuma);
        let (found, none) = zone_percent(&assigned(&assignment, endpoints))?;
        no_host += share * none;
        for (zone, percent) in found {
            *zones.entry(zone).or_default() += share * percent;
        }
    }
    Ok(figures([
        ("split_percent", json!(parts)),
        ("zone_percent", json!(zones)),
        ("no_host_percent", json!(no_host)),
    ]))
}

/// The number of affinity tags.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Tags {
    tags: usize,
}

pub(super) fn default_weights(input: &Value, _: &Figures) -> Result<Figures, String> {
    let input: Tags = read(input)?;
    let Some(weights) = kuma::default_weights(input.tags) else {
        return Ok(figures([("error", "too_many_unweighted_tags".into())]));
    };
    let rest = 1_u32;
    let sum = weights
        .iter()
        .fold(rest, |sum, weight| sum.saturating_add(*weight));
    let all = weights.iter().chain([&rest]);
    let percent: Vec<f64> = all
        .map(|weight| 100.0 * f64::from(*weight) / f64::from(sum))
        .collect();
    Ok(figures([
        ("weights", json!(weights)),
        ("rest", rest.into()),
        ("sum_with_rest", sum.into()),
        ("percent", json!(percent)),
    ]))
}

/// A threshold; null without one.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Overprovisioning {
    percentage: Option<Number>,
}

pub(super) fn overprovisioning(input: &Value, _: &Figures) -> Result<Figures, String> {
    let input: Overprovisioning = read(input)?;
    let threshold = input
        .percentage
        .map(|percentage| {
            let threshold = KumaThreshold::new(&percentage.read()?);
            threshold.map_err(|code| format!("input: {}", code.name()))
        })
        .transpose()?;
    let (kuma, intended) = threshold.map_or((DEFAULT_KUMA_FACTOR, DEFAULT_KUMA_FACTOR), |of| {
        (of.kuma_factor(), of.intended_factor())
    });
    let effective = 10_000.0 / f64::from(kuma);
    Ok(figures([
        ("kuma_factor", kuma.into()),
        ("intended_factor", intended.into()),
        ("kuma_effective_threshold_percent", effective.into()),
    ]))
}

/// The zone of the proxies, and the rules.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Egress {
    zone: String,
    failover: Vec<Failover>,
}

pub(super) fn egress_locality_name(input: &Value, _: &Figures) -> Result<Figures, String> {
    let input: Egress = read(input)?;
    let failover = input.failover.into_iter().map(Failover::read).collect();
    let locality = KumaLocalityAwareness {
        cross_zone: Some(KumaCrossZone {
            failover: Some(failover),
            failover_threshold: None,
        }),
        ..KumaLocalityAwareness::default()
    };
    let found = kuma::egress_locality(&rules(Some(&locality))?, &input.zone);
    Ok(figures([
        ("hash_text", found.hash_text.into()),
        ("locality_zone", found.zone.into()),
    ]))
}

/// Destinations and their configuration.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Validate {
    to_target_ref: TargetRef,
    default: Conf,
}

pub(super) fn validate(input: &Value, _: &Figures) -> Result<Figures, String> {
    let input: Validate = read(input)?;
    let faults = validate_kuma_conf(&input.default.read()?, &input.to_target_ref.read());
    let errors = faults.iter().filter(|fault| fault.is_error());
    let errors: Vec<Value> = errors
        .map(|fault| json!([fault.path, fault.code.name()]))
        .collect();
    Ok(figures([("errors", errors.into())]))
}
