//! Istio's settings beyond the vectors.

use std::collections::BTreeMap;

use spillgate_mesh::{
    DropReason, MeshAssignment, MeshHost,
    istio::{
        IstioDistribute, IstioEffectiveSetting, IstioEndpoint, IstioFailover,
        IstioLocalityLbSetting, IstioOutlierDetection, IstioProxy, IstioResolution,
        IstioSettingSource, IstioSettings, IstioShare, IstioVersion, IstioView, istio_assignment,
        validate_istio_setting,
    },
    portable,
};

fn endpoints(localities: &[&str]) -> Vec<IstioEndpoint> {
    let localities = localities.iter().enumerate();
    localities
        .map(|(at, locality)| IstioEndpoint::new(format!("10.0.0.{at}:80"), *locality))
        .collect()
}

pub(crate) fn labels(labels: &[(&str, &str)]) -> BTreeMap<String, String> {
    let labels = labels
        .iter()
        .map(|&(key, value)| (key.into(), value.into()));
    labels.collect()
}

fn distribute(from: &str, to: &[(&str, i64)]) -> IstioDistribute {
    let to = to.iter().map(|&(locality, weight)| IstioShare {
        locality: locality.into(),
        weight,
    });
    IstioDistribute {
        from: from.into(),
        to: to.collect(),
    }
}

struct Case {
    proxy: IstioProxy,
    effective: IstioEffectiveSetting,
    outlier_detection: Option<IstioOutlierDetection>,
    resolution: IstioResolution,
    subset: bool,
    version: IstioVersion,
}

impl Case {
    fn new(locality: &str, setting: IstioLocalityLbSetting) -> Self {
        Self {
            proxy: IstioProxy {
                locality: locality.into(),
                ..IstioProxy::default()
            },
            effective: IstioEffectiveSetting {
                setting: Some(setting),
                zone_aware: None,
                source: IstioSettingSource::DestinationRule,
            },
            outlier_detection: Some(IstioOutlierDetection::default()),
            resolution: IstioResolution::Static,
            subset: false,
            version: IstioVersion::default(),
        }
    }

    fn assign(&self, endpoints: &[IstioEndpoint]) -> MeshAssignment {
        let view = IstioView {
            proxy: &self.proxy,
            effective: &self.effective,
            outlier_detection: self.outlier_detection.as_ref(),
            resolution: self.resolution,
            sends_unready: false,
            subset: self.subset,
            version: self.version,
        };
        istio_assignment(view, endpoints)
    }
}

fn groups(assignment: &MeshAssignment) -> Vec<(u32, String, Option<u32>)> {
    let groups = assignment.groups.iter();
    groups
        .map(|group| (group.priority, group.locality.to_string(), group.weight))
        .collect()
}

#[test]
fn a_wildcard_shares_its_weight_and_rounds_up() {
    let setting = IstioLocalityLbSetting {
        distribute: vec![distribute("eu/*", &[("eu/a", 70), ("us/*", 30)])],
        ..IstioLocalityLbSetting::default()
    };
    let mut endpoints = endpoints(&["eu/a", "us/a", "us/b", "asia/a"]);
    endpoints[1].host = MeshHost {
        weight: spillgate_core::model::Weight::new(3).unwrap(),
        ..endpoints[1].host.clone()
    };
    let found = Case::new("eu/b", setting).assign(&endpoints);
    assert_eq!(
        groups(&found),
        [
            (0, "eu/a".into(), Some(70)),
            (0, "us/a".into(), Some(23)),
            (0, "us/b".into(), Some(8)),
        ]
    );
    assert!(found.locality_weighted);
    assert_eq!(found.dropped[0].endpoint, 3);
    assert_eq!(found.dropped[0].reason, DropReason::NoShare { rule: 0 });
}

#[test]
fn distribute_without_a_matching_entry_changes_nothing() {
    let setting = IstioLocalityLbSetting {
        distribute: vec![distribute("us", &[("us", 100)])],
        ..IstioLocalityLbSetting::default()
    };
    let found = Case::new("eu/a", setting).assign(&endpoints(&["eu/a", "us/a"]));
    assert_eq!(
        groups(&found),
        [(0, "eu/a".into(), Some(1)), (0, "us/a".into(), Some(1))]
    );
    assert!(found.dropped.is_empty());
}

#[test]
fn failover_refines_failover_priority() {
    let setting = IstioLocalityLbSetting {
        failover: vec![IstioFailover {
            from: "eu".into(),
            to: "us".into(),
        }],
        failover_priority: vec!["version".into()],
        ..IstioLocalityLbSetting::default()
    };
    let mut case = Case::new("eu/a", setting);
    case.proxy.labels = labels(&[("version", "v1")]);
    let mut endpoints = endpoints(&["eu/a", "asia/a", "us/a", "eu/a"]);
    for endpoint in &mut endpoints[..3] {
        endpoint.labels = labels(&[("version", "v1")]);
    }
    assert_eq!(
        groups(&case.assign(&endpoints)),
        [
            (2, "asia/a".into(), Some(1)),
            (0, "eu/a".into(), Some(1)),
            (3, "eu/a".into(), Some(1)),
            (1, "us/a".into(), Some(1)),
        ]
    );
    // Before 1.30, the labels of endpoints from DNS are not read: only `failover` applies.
    case.resolution = IstioResolution::Dns;
    case.version = IstioVersion::V1_29;
    assert_eq!(
        groups(&case.assign(&endpoints)),
        [
            (2, "asia/a".into(), Some(1)),
            (0, "eu/a".into(), Some(2)),
            (1, "us/a".into(), Some(1)),
        ]
    );
}

#[test]
fn traffic_distribution_needs_no_outlier_detection() {
    let settings = IstioSettings {
        traffic_distribution: Some("prefersamenode"),
        ..IstioSettings::default()
    };
    let mut case = Case::new("eu/a", IstioLocalityLbSetting::default());
    case.effective = settings.effective();
    case.outlier_detection = None;
    case.proxy.labels = labels(&[("kubernetes.io/hostname", "n1")]);
    let mut endpoints = endpoints(&["eu/a", "eu/a"]);
    endpoints[0].labels = labels(&[("kubernetes.io/hostname", "n1")]);
    let found = case.assign(&endpoints);
    assert_eq!(
        groups(&found),
        [(0, "eu/a".into(), Some(1)), (1, "eu/a".into(), Some(1))]
    );
    assert!(found.locality_weighted);
    assert_eq!(found.panic_threshold, None);
    // An unknown value counts as not set.
    let unknown = IstioSettings {
        traffic_distribution: Some("Auto"),
        ..IstioSettings::default()
    };
    assert_eq!(unknown.effective(), IstioEffectiveSetting::default());
}

#[test]
fn the_panic_threshold_follows_outlier_detection() {
    let mut case = Case::new("eu/a", IstioLocalityLbSetting::default());
    for (min_health_percent, threshold) in [(None, 0), (Some(30), 30), (Some(500), 100)] {
        case.outlier_detection = Some(IstioOutlierDetection {
            min_health_percent,
            ..IstioOutlierDetection::default()
        });
        let found = case.assign(&endpoints(&["eu/a"]));
        assert_eq!(found.panic_threshold, Some(threshold));
        // Failover without rules needs no weights.
        assert!(!found.locality_weighted);
    }
}

#[test]
fn the_portable_form_has_weights_and_no_gaps() {
    let setting = IstioLocalityLbSetting::default();
    let endpoints = endpoints(&["eu/a", "us/a", "us/a"]);
    let mut found = Case::new("eu/a", setting).assign(&endpoints);
    for group in &mut found.groups {
        group.priority *= 7;
        group.weight = None;
    }
    let portable = portable(&found, |at| endpoints.get(at).map(|of| &of.host));
    assert_eq!(
        groups(&portable),
        [(0, "eu/a".into(), Some(1)), (1, "us/a".into(), Some(2))]
    );
    assert!(portable.locality_weighted);
}

#[test]
fn every_fault_of_a_setting_is_listed() {
    let setting = IstioLocalityLbSetting {
        distribute: vec![
            distribute(
                "eu/*",
                &[("eu/*/a", 0), ("us//a", 200), ("asia", 50), ("asia/x", 50)],
            ),
            distribute("eu/a", &[("eu/a", 40)]),
        ],
        failover: vec![IstioFailover {
            from: "eu".into(),
            to: "us/*".into(),
        }],
        failover_priority: vec!["topology.kubernetes.io/zone".into()],
        enabled: None,
    };
    let found = validate_istio_setting(&setting, None);
    let found: Vec<(&str, &str)> = found
        .iter()
        .map(|fault| (fault.path.as_str(), fault.code.name()))
        .collect();
    assert_eq!(
        found,
        [
            ("distribute", "distribute_and_failover"),
            ("failoverPriority[0]", "failover_with_locality_labels"),
            ("distribute[0].to[eu/*/a]", "weight_out_of_range"),
            ("distribute[0].to[eu/*/a]", "misplaced_wildcard"),
            ("distribute[0].to[us//a]", "weight_out_of_range"),
            ("distribute[0].to[us//a]", "empty_locality_part"),
            ("distribute[0].to[asia/x]", "overlapping_localities"),
            ("distribute[1].to", "weights_must_sum_to_100"),
            ("distribute[1].from", "overlapping_localities"),
            ("failover", "outlier_detection_missing"),
            ("failover[0].to", "failover_must_be_a_region"),
        ]
    );
}
