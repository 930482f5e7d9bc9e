//! What differs between the versions of Istio.

use spillgate_core::model::{LocalityLb, ZoneAware};
use spillgate_mesh::{
    istio::{
        IstioEffectiveSetting, IstioEndpoint, IstioFailover, IstioLocalityLbSetting,
        IstioOutlierDetection, IstioProxy, IstioResolution, IstioService, IstioSettingSource,
        IstioSettings, IstioVersion, IstioView, IstioZoneAwareLb, istio_assignment,
    },
    plain_cluster,
};

use crate::istio::labels;

const ALL: [IstioVersion; 4] = [
    IstioVersion::V1_28,
    IstioVersion::V1_29,
    IstioVersion::V1_30,
    IstioVersion::V1_31,
];

/// The priorities of endpoints at localities with a value of one label.
fn priorities(
    keys: &[&str],
    own: &[(&str, &str)],
    of: &[&[(&str, &str)]],
    (version, resolution, subset): (IstioVersion, IstioResolution, bool),
) -> Vec<u32> {
    let proxy = IstioProxy {
        locality: "eu/a".into(),
        labels: labels(own),
        ..IstioProxy::default()
    };
    let effective = IstioEffectiveSetting {
        setting: Some(IstioLocalityLbSetting {
            failover_priority: keys.iter().map(ToString::to_string).collect(),
            ..IstioLocalityLbSetting::default()
        }),
        zone_aware: None,
        source: IstioSettingSource::DestinationRule,
    };
    let outlier_detection = IstioOutlierDetection::default();
    let view = IstioView {
        proxy: &proxy,
        effective: &effective,
        outlier_detection: Some(&outlier_detection),
        resolution,
        sends_unready: false,
        subset,
        version,
    };
    let endpoints: Vec<IstioEndpoint> = of
        .iter()
        .map(|of| IstioEndpoint {
            labels: labels(of),
            ..IstioEndpoint::new("10.0.0.1:80", "eu/a")
        })
        .collect();
    let found = istio_assignment(view, &endpoints);
    let group = |at| found.groups.iter().find(|of| of.endpoints.contains(&at));
    (0..of.len())
        .map(|at| group(at).unwrap().priority)
        .collect()
}

#[test]
fn failover_priority_of_dns_endpoints_applies_since_1_30() {
    let of = |version, subset| {
        let own: &[(&str, &str)] = &[("v", "1")];
        let endpoints: [&[(&str, &str)]; 2] = [&[("v", "2")], own];
        priorities(
            &["v"],
            own,
            &endpoints,
            (version, IstioResolution::Dns, subset),
        )
    };
    assert_eq!(
        ALL.map(|version| of(version, false)),
        [[0, 0], [0, 0], [1, 0], [1, 0]]
    );
    assert_eq!(ALL.map(|version| of(version, true)), [[0, 0]; 4]);
}

#[test]
fn since_1_31_labels_after_the_network_order_other_networks() {
    const NETWORK: &str = "topology.istio.io/network";
    let own: &[(&str, &str)] = &[(NETWORK, "n1"), ("region", "eu"), ("zone", "a")];
    let endpoints: [&[(&str, &str)]; 5] = [
        own,
        &[(NETWORK, "n1"), ("region", "us"), ("zone", "a")],
        &[(NETWORK, "n2"), ("region", "eu"), ("zone", "a")],
        &[(NETWORK, "n2"), ("region", "eu"), ("zone", "b")],
        &[(NETWORK, "n2"), ("region", "us"), ("zone", "a")],
    ];
    let of = |keys: &[&str], version| {
        priorities(
            keys,
            own,
            &endpoints,
            (version, IstioResolution::Static, false),
        )
    };
    let keys = [NETWORK, "region", "zone"];
    let (before, after) = ([0, 1, 2, 2, 2], [0, 1, 2, 3, 4]);
    assert_eq!(
        ALL.map(|version| of(&keys, version)),
        [before, before, before, after]
    );
    // The network counts as any other label at another place, and with a value of its own.
    let late = ["region", NETWORK, "zone"];
    assert_eq!(of(&late, IstioVersion::V1_31), [0, 2, 1, 1, 2]);
    let stated = ["topology.istio.io/network=n1", "region", "zone"];
    assert_eq!(of(&stated, IstioVersion::V1_31), before);
}

#[test]
fn since_1_31_services_send_endpoints_that_are_not_ready() {
    let health = |min_health_percent| IstioOutlierDetection {
        min_health_percent: Some(min_health_percent),
        ..IstioOutlierDetection::default()
    };
    let (mut service, zero, positive) = (IstioService::default(), health(0), health(1));
    let of = |service: &IstioService, outlier| ALL.map(|v| service.sends_unready(v, outlier));
    let since_1_31 = [false, false, false, true];
    assert_eq!(of(&service, None), since_1_31);
    assert_eq!(of(&service, Some(&zero)), since_1_31);
    assert_eq!(of(&service, Some(&positive)), [false; 4]);
    service.traffic_distribution = Some("PreferClose".into());
    assert_eq!(of(&service, Some(&positive)), [true; 4]);
}

#[test]
fn zone_aware_settings_exist_since_1_31_and_replace_others_of_the_same_policy() {
    let (locality, zone_aware) = (
        IstioLocalityLbSetting::default(),
        IstioZoneAwareLb::default(),
    );
    let rule = IstioSettings {
        destination_rule: Some(&locality),
        rule_zone_aware: Some(&zone_aware),
        ..IstioSettings::default()
    };
    let mesh = IstioSettings {
        mesh: Some(&locality),
        mesh_zone_aware: Some(&zone_aware),
        ..IstioSettings::default()
    };
    for settings in [rule, mesh] {
        let of = |version| {
            IstioSettings {
                version,
                ..settings
            }
            .effective()
        };
        for version in ALL {
            let found = of(version);
            let expected = version == IstioVersion::V1_31;
            assert_eq!(found.zone_aware.is_some(), expected, "{version:?}");
            assert_eq!(found.setting.is_none(), expected, "{version:?}");
        }
    }
    // A setting of the service is nearer than one of the mesh.
    let service = IstioSettings {
        traffic_distribution: Some("PreferClose"),
        ..mesh
    };
    assert_eq!(service.effective().source, IstioSettingSource::Service);
}

#[test]
fn zone_aware_settings_order_regions_and_leave_zones_to_envoy() {
    let setting = IstioZoneAwareLb {
        failover: vec![IstioFailover {
            from: "eu".into(),
            to: "us".into(),
        }],
        min_cluster_size: Some(3),
        ..IstioZoneAwareLb::default()
    };
    let proxy = IstioProxy {
        locality: "eu/a".into(),
        ..IstioProxy::default()
    };
    let endpoints =
        ["asia/a", "eu/a", "eu/b", "us/a"].map(|at| IstioEndpoint::new("10.0.0.1:80", at));
    let assign = |setting: IstioZoneAwareLb| {
        let effective = IstioEffectiveSetting {
            zone_aware: Some(setting),
            ..IstioEffectiveSetting::default()
        };
        let view = IstioView {
            proxy: &proxy,
            effective: &effective,
            outlier_detection: None,
            resolution: IstioResolution::Static,
            sends_unready: true,
            subset: false,
            version: IstioVersion::V1_31,
        };
        let found = istio_assignment(view, &endpoints);
        let priorities: Vec<u32> = found.groups.iter().map(|group| group.priority).collect();
        let cluster = plain_cluster(&found, |at| endpoints.get(at).map(|of| &of.host));
        (priorities, cluster.locality_lb)
    };
    let min_cluster_size = ZoneAware {
        min_cluster_size: 3,
        ..ZoneAware::DEFAULT
    };
    let expected = (vec![2, 0, 0, 1], LocalityLb::ZoneAware(min_cluster_size));
    assert_eq!(assign(setting.clone()), expected);
    let off = IstioZoneAwareLb {
        enabled: Some(false),
        ..setting
    };
    let expected = ZoneAware {
        routing_enabled: 0,
        ..min_cluster_size
    };
    assert_eq!(assign(off), (vec![0; 4], LocalityLb::ZoneAware(expected)));
}
