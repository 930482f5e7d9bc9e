//! The shares of random policies, compared with a second implementation.

use std::collections::BTreeMap;

use spillgate_core::{
    model::{Cluster, HealthStatus, Metadata, Model, Weight},
    snapshot::Snapshot,
};
use spillgate_mesh::{
    Compat, MeshAssignment, MeshHost,
    istio::{
        IstioDistribute, IstioEffectiveSetting, IstioEndpoint, IstioFailover,
        IstioLocalityLbSetting, IstioOutlierDetection, IstioProxy, IstioResolution,
        IstioSettingSource, IstioShare, IstioVersion, IstioView, istio_assignment,
        validate_istio_setting,
    },
    kuma::{
        KumaAffinityTag, KumaConf, KumaCrossZone, KumaDestinationKind, KumaEndpoint, KumaFailover,
        KumaFailoverTo, KumaLocalZone, KumaLocalityAwareness, KumaLocalityRules, KumaNumber,
        KumaProxy, KumaView, assignment, kuma_differences, kuma_warnings,
    },
    plain_cluster, portable,
};
use spillgate_testkit::{amount, figure};

use crate::{
    naive::{self, NaiveAssignment, envoy::NaiveHost},
    random::{IstioCase, KumaCase, Random, RandomEndpoint, RandomSetting},
};

/// The share of each endpoint in percent, by the engine.
fn shares(assignment: &MeshAssignment, hosts: &[MeshHost]) -> Vec<f64> {
    let cluster = plain_cluster(assignment, |at| hosts.get(at));
    let model = Model::new(vec![Cluster::plain("shop", cluster)]).unwrap();
    let snapshot = Snapshot::build(&model);
    let id = snapshot.cluster_id("shop").unwrap();
    let plain = snapshot.plain(id).unwrap();
    let mut by_address: BTreeMap<&str, f64> = BTreeMap::new();
    for share in snapshot.distribution_for(id, &Metadata::EMPTY, None).shares {
        let endpoint = plain.endpoint(share.priority, share.host).unwrap();
        *by_address.entry(&endpoint.address).or_default() += share.share;
    }
    let of = |host: &MeshHost| by_address.get(host.address.as_str()).copied();
    hosts.iter().map(|host| of(host).unwrap_or(0.0)).collect()
}

/// Compares the assignment of one case, and its shares.
fn compare(
    found: &MeshAssignment,
    expected: &NaiveAssignment,
    endpoints: &[RandomEndpoint],
    case: &dyn std::fmt::Debug,
) {
    let hosts: Vec<MeshHost> = (0..).zip(endpoints).map(host).collect();
    let naive: Vec<NaiveHost> = endpoints
        .iter()
        .map(|endpoint| NaiveHost {
            weight: endpoint.weight,
            healthy: endpoint.healthy,
        })
        .collect();
    let expected_shares = naive::envoy::shares(expected, &naive);
    let found_shares = shares(found, &hosts);
    for (at, (found, expected)) in found_shares.iter().zip(&expected_shares).enumerate() {
        assert!(
            (found - expected).abs() < 1e-9,
            "endpoint {at}: found {found}, expected {expected}\n{case:#?}"
        );
    }
    // Every endpoint is in one group or dropped, with the priority of the second implementation.
    let mut priorities = vec![None; endpoints.len()];
    for group in &found.groups {
        for &at in &group.endpoints {
            assert_eq!(priorities[at].replace(group.priority), None, "{case:#?}");
        }
    }
    let places = expected.places.iter();
    let expected: Vec<_> = places.map(|place| Some(place.as_ref()?.priority)).collect();
    assert_eq!(priorities, expected, "{case:#?}");
    let placed = priorities.iter().flatten().count();
    assert_eq!(placed + found.dropped.len(), endpoints.len(), "{case:#?}");
    let portable = portable(found, |at| hosts.get(at));
    assert!(portable.groups.iter().all(|group| group.weight.is_some()));
}

fn host((at, endpoint): (usize, &RandomEndpoint)) -> MeshHost {
    MeshHost {
        address: format!("10.0.0.{at}:80"),
        weight: Weight::new(endpoint.weight).unwrap(),
        health: if endpoint.healthy {
            HealthStatus::Healthy
        } else {
            HealthStatus::Unhealthy
        },
    }
}

/// The document of a case.
pub(crate) fn kuma_locality(case: &KumaCase) -> Option<KumaLocalityAwareness> {
    let tags = case.tags.iter().map(|(key, weight)| KumaAffinityTag {
        key: key.clone(),
        weight: weight.map(i64::from),
    });
    let rules = case.rules.iter().map(|rule| KumaFailover {
        from_zones: (!rule.from.is_empty()).then(|| rule.from.clone()),
        to: KumaFailoverTo {
            kind: rule.kind.into(),
            zones: (!rule.zones.is_empty()).then(|| rule.zones.clone()),
        },
    });
    let threshold = case.threshold_tenths.map(|tenths| match tenths % 10 {
        0 => KumaNumber::Integer(tenths as i64 / 10),
        rest => KumaNumber::Text(format!("{}.{rest}", tenths / 10)),
    });
    case.present.then(|| KumaLocalityAwareness {
        disabled: case.disabled.then_some(true),
        local_zone: case.local_zone.then(|| KumaLocalZone {
            affinity_tags: Some(tags.collect()),
        }),
        cross_zone: case.cross_zone.then(|| KumaCrossZone {
            failover: Some(rules.collect()),
            failover_threshold: threshold,
        }),
    })
}

/// The proxy of a case.
pub(crate) fn kuma_proxy(case: &KumaCase) -> KumaProxy {
    let mut proxy = KumaProxy::new(case.zone.as_str());
    for (key, values) in &case.proxy_tags {
        for value in values {
            proxy.add_tag(key.as_str(), value.as_str());
        }
    }
    proxy.meta.labels = case.proxy_labels.clone();
    proxy.egress_enabled = case.egress;
    proxy
}

/// The endpoints of a case.
pub(crate) fn kuma_endpoints(case: &KumaCase) -> Vec<KumaEndpoint> {
    let endpoints = (0..).zip(&case.endpoints);
    endpoints
        .map(|(at, endpoint)| KumaEndpoint {
            host: host((at, endpoint)),
            zone: endpoint.zone.clone(),
            tags: endpoint.tags.clone(),
            ..KumaEndpoint::default()
        })
        .collect()
}

#[test]
fn kuma_policies_have_the_shares_of_the_second_implementation() {
    let count = amount(500, 10_000);
    let mut differing = 0;
    for seed in 0..count {
        let case = KumaCase::new(&mut Random::new(seed));
        let proxy = kuma_proxy(&case);
        let endpoints = kuma_endpoints(&case);
        let conf = KumaConf {
            locality_awareness: kuma_locality(&case),
            ..KumaConf::default()
        };
        let rules = KumaLocalityRules::new(conf.locality_awareness.as_ref()).unwrap();
        let view = KumaView {
            proxy: &proxy,
            destination: KumaDestinationKind::ServiceTag,
        };
        for compat in [Compat::Kuma, Compat::Madr] {
            let found = assignment(view, Some(&rules), &endpoints, compat);
            let expected = naive::kuma::assign(&case, compat == Compat::Madr);
            compare(&found, &expected, &case.endpoints, &case);
        }
        let differences = kuma_differences(view, Some(&rules), &endpoints);
        differing += u64::from(!differences.is_empty());
        // Warnings do not panic.
        let _ = kuma_warnings(&conf, &["a", "b"].map(String::from).into());
    }
    figure(format_args!(
        "{count} policies in both readings, {differing} of them with differences between the readings"
    ));
}

/// The document of a case.
fn setting(case: &IstioCase) -> Option<IstioLocalityLbSetting> {
    match &case.setting {
        RandomSetting::Off => None,
        RandomSetting::Distribute(entries) => {
            let share = |(locality, weight): &(String, u32)| IstioShare {
                locality: locality.clone(),
                weight: i64::from(*weight),
            };
            let entries = entries.iter().map(|(from, to)| IstioDistribute {
                from: from.clone(),
                to: to.iter().map(share).collect(),
            });
            Some(IstioLocalityLbSetting {
                distribute: entries.collect(),
                ..IstioLocalityLbSetting::default()
            })
        }
        RandomSetting::Rules { rules, labels } => {
            let rules = rules.iter().map(|(from, to)| IstioFailover {
                from: from.clone(),
                to: to.clone(),
            });
            Some(IstioLocalityLbSetting {
                failover: rules.collect(),
                failover_priority: labels.clone(),
                ..IstioLocalityLbSetting::default()
            })
        }
    }
}

#[test]
fn istio_settings_have_the_shares_of_the_second_implementation() {
    let count = amount(500, 10_000);
    for seed in 0..count {
        let case = IstioCase::new(&mut Random::new(seed ^ 0x1571_0000));
        let proxy = IstioProxy {
            locality: case.locality.clone(),
            labels: case.proxy_labels.clone(),
            ..IstioProxy::default()
        };
        let effective = IstioEffectiveSetting {
            setting: setting(&case),
            zone_aware: None,
            source: if case.of_service {
                IstioSettingSource::Service
            } else {
                IstioSettingSource::Mesh
            },
        };
        let outlier_detection = case
            .min_health_percent
            .map(|percent| IstioOutlierDetection {
                min_health_percent: Some(percent as i64),
                ..IstioOutlierDetection::default()
            });
        let endpoints: Vec<IstioEndpoint> = (0..)
            .zip(&case.endpoints)
            .map(|(at, endpoint)| IstioEndpoint {
                host: host((at, endpoint)),
                locality: endpoint.locality.clone(),
                labels: endpoint.labels.clone(),
                unready: false,
                mtls: true,
            })
            .collect();
        let view = IstioView {
            proxy: &proxy,
            effective: &effective,
            outlier_detection: outlier_detection.as_ref(),
            resolution: if case.dns {
                IstioResolution::Dns
            } else {
                IstioResolution::Static
            },
            sends_unready: case.sends_unready,
            subset: case.subset,
            version: match case.version {
                28 => IstioVersion::V1_28,
                29 => IstioVersion::V1_29,
                30 => IstioVersion::V1_30,
                _ => IstioVersion::V1_31,
            },
        };
        let found = istio_assignment(view, &endpoints);
        compare(&found, &naive::istio::assign(&case), &case.endpoints, &case);
        // Validation does not panic.
        if let Some(setting) = &effective.setting {
            let _ = validate_istio_setting(setting, None);
        }
    }
    figure(format_args!("{count} settings"));
}
