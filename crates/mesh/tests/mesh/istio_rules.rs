//! Which DestinationRule applies, and how several for one host are merged.

use spillgate_mesh::istio::{
    IstioDestinationRule, IstioLoadBalancer, IstioMergedRule, IstioProxy, IstioService,
    IstioSubset, IstioTrafficPolicy, destination_rule,
};

use crate::istio::labels;

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
