//! Istio's settings beyond the vectors.

use std::collections::BTreeMap;

use spillgate_mesh::{
    DropReason, MeshAssignment, MeshHost,
    istio::{
        IstioDestinationRule, IstioDistribute, IstioEffectiveSetting, IstioEndpoint, IstioFailover,
        IstioLoadBalancer, IstioLocalityLbSetting, IstioMergedRule, IstioOutlierDetection,
        IstioProxy, IstioResolution, IstioService, IstioSettingSource, IstioSettings, IstioShare,
        IstioSubset, IstioTrafficPolicy, IstioView, destination_rule, istio_assignment,
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

fn labels(labels: &[(&str, &str)]) -> BTreeMap<String, String> {
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
                source: IstioSettingSource::DestinationRule,
            },
            outlier_detection: Some(IstioOutlierDetection::default()),
            resolution: IstioResolution::Static,
        }
    }

    fn assign(&self, endpoints: &[IstioEndpoint]) -> MeshAssignment {
        let view = IstioView {
            proxy: &self.proxy,
            effective: &self.effective,
            outlier_detection: self.outlier_detection.as_ref(),
            resolution: self.resolution,
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
    // Endpoints from DNS have no labels: only `failover` applies.
    case.resolution = IstioResolution::Dns;
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

#[test]
fn the_nearest_and_most_specific_rule_applies() {
    let rule = |namespace: &str, host: &str| IstioDestinationRule {
        namespace: namespace.into(),
        host: host.into(),
        ..IstioDestinationRule::default()
    };
    let mut rules = vec![
        rule("istio-system", "*"),
        rule("shop", "*.shop.svc.cluster.local"),
        rule("shop", "cart"),
        rule("web", "*.local"),
        rule("web", "*.svc.cluster.local"),
    ];
    let service = IstioService {
        host: "cart.shop.svc.cluster.local".into(),
        namespace: "shop".into(),
        ..IstioService::default()
    };
    let found = |rules: &[IstioDestinationRule], namespace: &str| {
        let proxy = IstioProxy {
            namespace: namespace.into(),
            labels: labels(&[("app", "web")]),
            ..IstioProxy::default()
        };
        let found = destination_rule(rules, &proxy, &service, "istio-system")?;
        found.from.first().copied()
    };
    assert_eq!(found(&rules, "web"), Some(4));
    assert_eq!(found(&rules, "bank"), Some(2));
    rules[4].workload_selector = labels(&[("app", "api")]);
    // The most specific host decides, although its rule does not select the proxy.
    assert_eq!(found(&rules, "web"), None);
    assert_eq!(found(&rules[..1], "web"), Some(0));
    assert_eq!(found(&rules[3..4], "bank"), None);
}

/// A rule in namespace `shop` for host `cart`.
fn rule(name: &str, subsets: &[&str], simple: Option<&str>) -> IstioDestinationRule {
    let subsets = subsets.iter().map(|subset| IstioSubset {
        name: (*subset).into(),
        labels: labels(&[("rule", name)]),
        ..IstioSubset::default()
    });
    IstioDestinationRule {
        name: name.into(),
        namespace: "shop".into(),
        host: "cart".into(),
        subsets: subsets.collect(),
        traffic_policy: simple.map(|simple| IstioTrafficPolicy {
            load_balancer: Some(IstioLoadBalancer {
                simple: Some(simple.into()),
                ..IstioLoadBalancer::default()
            }),
            ..IstioTrafficPolicy::default()
        }),
        ..IstioDestinationRule::default()
    }
}

/// The merged rule of a proxy in a namespace with these labels.
fn merged(
    rules: &[IstioDestinationRule],
    namespace: &str,
    own: &[(&str, &str)],
) -> Option<IstioMergedRule> {
    let service = IstioService {
        host: "cart.shop.svc.cluster.local".into(),
        namespace: "shop".into(),
        ..IstioService::default()
    };
    let proxy = IstioProxy {
        namespace: namespace.into(),
        labels: labels(own),
        ..IstioProxy::default()
    };
    destination_rule(rules, &proxy, &service, "istio-system")
}

/// The load balancer of a merged rule, and its subsets with the rules that they come from.
fn shape(found: &IstioMergedRule) -> (Option<String>, Vec<String>) {
    let balancer = found.rule.policy(None, 80).load_balancer;
    let subsets = found.rule.subsets.iter();
    (
        balancer.and_then(|balancer| balancer.simple),
        subsets
            .map(|subset| format!("{}={}", subset.name, subset.labels["rule"]))
            .collect(),
    )
}

#[test]
fn rules_for_one_host_are_merged() {
    let subsets = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
    let mut rules = vec![
        rule("b", &["v2", "v1"], Some("RANDOM")),
        rule("c", &["v3"], Some("ROUND_ROBIN")),
        rule("a", &["v1"], None),
    ];
    rules[1].host = "cart.shop.svc.cluster.local".into();
    // Without creation times, the names decide the order.
    let found = merged(&rules, "shop", &[]).unwrap();
    assert_eq!(found.from, [2, 0, 1]);
    assert_eq!(
        shape(&found),
        (Some("RANDOM".into()), subsets(&["v1=a", "v2=b", "v3=c"]))
    );
    // The oldest rule with a policy wins.
    for (rule, created) in rules
        .iter_mut()
        .zip(["2024-02-01", "2023-12-31", "2025-01-01"])
    {
        rule.created = format!("{created}T00:00:00Z");
    }
    let found = merged(&rules, "bank", &[]).unwrap();
    assert_eq!(found.from, [1, 0, 2]);
    assert_eq!(
        shape(&found),
        (
            Some("ROUND_ROBIN".into()),
            subsets(&["v3=c", "v2=b", "v1=b"])
        )
    );
    // A rule in another namespace is not merged.
    rules[1].namespace = "bank".into();
    rules[1].host = "*".into();
    assert_eq!(merged(&rules, "bank", &[]).unwrap().from, [1]);
    assert_eq!(merged(&rules, "shop", &[]).unwrap().from, [0, 2]);
}

#[test]
fn exports_decide_which_rules_are_merged() {
    let exports = |names: &[&str]| names.iter().map(ToString::to_string).collect();
    let mut rules = vec![rule("a", &["v1"], None), rule("b", &["v2"], Some("RANDOM"))];
    rules[0].export_to = exports(&["."]);
    // Different exports: two rules, of which the last one applies.
    assert_eq!(merged(&rules, "shop", &[]).unwrap().from, [1]);
    assert_eq!(merged(&rules, "web", &[]).unwrap().from, [1]);
    rules[1].export_to = exports(&["bank"]);
    assert_eq!(merged(&rules, "shop", &[]).unwrap().from, [0]);
    assert_eq!(merged(&rules, "bank", &[]).unwrap().from, [1]);
    assert_eq!(merged(&rules, "web", &[]), None);
    // The exports of the first rule are among those of the second.
    rules[1].export_to = exports(&[".", "bank"]);
    assert_eq!(merged(&rules, "shop", &[]).unwrap().from, [0, 1]);
    assert_eq!(merged(&rules, "bank", &[]).unwrap().from, [1]);
}

#[test]
fn rules_with_a_workload_selector_are_private() {
    let mut rules = vec![
        rule("a", &["v1"], Some("RANDOM")),
        rule("b", &["v2"], None),
        rule("c", &["v3"], None),
    ];
    rules[1].workload_selector = labels(&[("app", "web")]);
    rules[2].workload_selector = labels(&[("app", "api")]);
    let web = [("app", "web")];
    assert_eq!(merged(&rules, "shop", &web).unwrap().from, [1]);
    assert_eq!(merged(&rules, "shop", &[]).unwrap().from, [0]);
    assert_eq!(merged(&rules, "bank", &web).unwrap().from, [0]);
    // A private rule for all workloads joins the selecting ones, and is not kept on its own.
    rules[0].export_to = ["."].map(String::from).into();
    let found = merged(&rules, "shop", &web).unwrap();
    assert_eq!(found.from, [1, 0]);
    assert_eq!(shape(&found).0, Some("RANDOM".into()));
    assert_eq!(merged(&rules, "shop", &[]), None);
}
