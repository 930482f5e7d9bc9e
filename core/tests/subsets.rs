//! Subset load balancing: the existing subsets, fallbacks, and each switch separately.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

mod common;

use common::{endpoint, labels, model, priority_of};
use spillgate_core::{
    decide::{BalancerState, Decision, Reason, Request, decide},
    draw::SplitMix64,
    model::{
        Cluster, ClusterKind, Health, HealthStatus, Metadata, PanicThreshold, PlainCluster,
        Priority, SelectorFallback, SubsetConfig, SubsetFallback, SubsetSelector, Value,
    },
    route::HeaderList,
    snapshot::{HostRef, Snapshot},
    subset::{SubsetEntry, SubsetReason, SubsetTarget},
    trace::NoTrace,
};

use HealthStatus::{Healthy, Unhealthy};

/// The hosts in the documentation of Envoy's subset load balancer, e1 to e7.
fn documented_hosts() -> Vec<Priority> {
    let hosts = [
        ("e1", "stage=prod version=1.0 type=std xlarge=true"),
        ("e2", "stage=prod version=1.0 type=std"),
        ("e3", "stage=prod version=1.1 type=std"),
        ("e4", "stage=prod version=1.1 type=std"),
        ("e5", "stage=prod version=1.0 type=bigmem"),
        ("e6", "stage=prod version=1.1 type=bigmem"),
        ("e7", "stage=dev version=1.2-pre type=std"),
    ]
    .map(|(name, text)| endpoint(name, Healthy, labels(text)));
    vec![priority_of(hosts.into())]
}

fn selector(keys: &[&str], fallback: SelectorFallback) -> SubsetSelector {
    SubsetSelector::new(keys.iter().copied(), fallback, false).unwrap()
}

fn selectors(lists: &[&[&str]]) -> Vec<SubsetSelector> {
    let lists = lists.iter();
    lists
        .map(|keys| selector(keys, SelectorFallback::NotDefined))
        .collect()
}

fn documented() -> SubsetConfig {
    SubsetConfig {
        selectors: selectors(&[
            &["stage", "type"],
            &["stage", "version"],
            &["version"],
            &["xlarge", "version"],
        ]),
        fallback: SubsetFallback::DefaultSubset,
        default_subset: labels("stage=prod type=std version=1.0"),
        ..SubsetConfig::default()
    }
}

fn build(priorities: Vec<Priority>, threshold: f64, subsets: SubsetConfig) -> Snapshot {
    Snapshot::build(&model(vec![Cluster {
        name: "c".into(),
        kind: ClusterKind::Plain(PlainCluster {
            panic_threshold: PanicThreshold::from_percent(threshold),
            subsets: Some(subsets),
            priorities,
            ..PlainCluster::default()
        }),
    }]))
}

/// Every host that serves the criteria, by address, in priority order.
fn serving(snapshot: &Snapshot, criteria: &Metadata) -> Vec<String> {
    let cluster = snapshot.cluster_id("c").unwrap();
    let headers = HeaderList::<&str, &str>(&[]);
    let request = Request {
        criteria,
        ..Request::new(cluster, &headers)
    };
    let distribution = snapshot.distribution_of(&request, None);
    let mut decided: Vec<HostRef> = Vec::new();
    let mut draw = SplitMix64::new(3);
    let mut state = BalancerState::new(snapshot, &mut draw);
    for _ in 0..200 {
        let decision = decide(snapshot, &mut state, &request, &mut draw, &mut NoTrace);
        decided.extend(decision.host_ref());
        assert_eq!(decision.host.is_none(), distribution.shares.is_empty());
    }
    decided.sort_unstable();
    decided.dedup();
    let mut shares: Vec<HostRef> = distribution
        .shares
        .iter()
        .map(|share| HostRef {
            cluster: share.owner,
            priority: share.priority,
            host: share.host,
        })
        .collect();
    shares.sort_unstable();
    assert_eq!(shares, decided, "decisions and shares have the same hosts");
    let address = |host: &HostRef| snapshot.endpoint(*host).unwrap().address.clone();
    decided.iter().map(address).collect()
}

fn ask(snapshot: &Snapshot, criteria: &Metadata) -> Decision {
    let headers = HeaderList::<&str, &str>(&[]);
    let request = Request {
        criteria,
        ..Request::new(snapshot.cluster_id("c").unwrap(), &headers)
    };
    let mut draw = SplitMix64::new(5);
    let mut state = BalancerState::new(snapshot, &mut draw);
    decide(snapshot, &mut state, &request, &mut draw, &mut NoTrace)
}

#[test]
fn the_ten_subsets_of_the_documentation() {
    let snapshot = build(documented_hosts(), 50.0, documented());
    let plain = snapshot.plain(snapshot.cluster_id("c").unwrap()).unwrap();
    let subsets = plain.subsets.as_ref().unwrap();
    let shown = |entry: &SubsetEntry| {
        let SubsetTarget::Set(number) = entry.target else {
            panic!("{} is a single host", entry.criteria);
        };
        let members = subsets.sets[number].priorities[0].members();
        let name = |host: usize| plain.endpoint(0, host).unwrap().address.clone();
        let hosts: Vec<String> = members.iter().map(name).collect();
        format!("{}: {}", entry.criteria, hosts.join(" "))
    };
    let mut found = Vec::new();
    for selector in &subsets.index.config().selectors {
        let own = subsets.index.entries().iter().filter(|entry| {
            let keys = entry.criteria.fields().iter().map(|field| &field.key);
            keys.eq(selector.keys())
        });
        found.extend(own.map(shown));
    }
    assert_eq!(
        found,
        [
            "stage=prod, type=std: e1 e2 e3 e4",
            "stage=prod, type=bigmem: e5 e6",
            "stage=dev, type=std: e7",
            "stage=prod, version=1.0: e1 e2 e5",
            "stage=prod, version=1.1: e3 e4 e6",
            "stage=dev, version=1.2-pre: e7",
            "version=1.0: e1 e2 e5",
            "version=1.1: e3 e4 e6",
            "version=1.2-pre: e7",
            "version=1.0, xlarge=true: e1",
        ]
    );
}

#[test]
fn criteria_match_exactly_one_selector_or_fall_back() {
    let snapshot = build(documented_hosts(), 50.0, documented());
    let default = ["e1", "e2"];
    for (criteria, hosts) in [
        ("stage=prod version=1.1", &["e3", "e4", "e6"][..]),
        ("version=1.2-pre", &["e7"]),
        ("xlarge=true version=1.0", &["e1"]),
        ("", &default),
        // No selector has only this key, these keys, or this value.
        ("stage=prod", &default),
        ("stage=prod type=std version=1.0", &default),
        ("version=9", &default),
        ("other=1", &default),
    ] {
        assert_eq!(serving(&snapshot, &labels(criteria)), hosts, "{criteria}");
    }
}

#[test]
fn an_empty_default_subset_has_all_hosts_and_an_unmatched_one_has_none() {
    for (wanted, count) in [("", 7), ("stage=gone", 0)] {
        let config = SubsetConfig {
            default_subset: labels(wanted),
            ..documented()
        };
        let snapshot = build(documented_hosts(), 50.0, config);
        assert_eq!(
            serving(&snapshot, &Metadata::default()).len(),
            count,
            "{wanted:?}"
        );
    }
}

#[test]
fn values_are_typed() {
    let values = [
        Value::Number(1.0),
        Value::Text("1".into()),
        Value::Bool(true),
        Value::Text("true".into()),
        Value::Null,
        Value::Struct(labels("a=1 b=2")),
        Value::List([Value::Number(1.0), Value::Number(2.0)].into()),
        Value::List([Value::Number(2.0), Value::Number(1.0)].into()),
    ];
    let hosts = values.iter().enumerate().map(|(host, value)| {
        let metadata = Metadata::new([("v", value.clone())]);
        endpoint(&format!("h{host}"), Healthy, metadata)
    });
    let config = SubsetConfig {
        selectors: selectors(&[&["v"]]),
        ..SubsetConfig::default()
    };
    let snapshot = build(vec![priority_of(hosts.collect())], 50.0, config);
    for (host, value) in values.into_iter().enumerate() {
        let criteria = Metadata::new([("v", value)]);
        assert_eq!(serving(&snapshot, &criteria), [format!("h{host}")]);
    }
}

#[test]
fn a_selector_may_have_its_own_fallback() {
    let keys =
        |keys: &[&str]| SelectorFallback::KeysSubset(keys.iter().map(|&key| key.into()).collect());
    let config = |fallback| SubsetConfig {
        selectors: vec![
            selector(&["version"], SelectorFallback::AnyEndpoint),
            selector(&["stage", "version"], fallback),
        ],
        default_subset: labels("stage=dev"),
        fallback: SubsetFallback::NoFallback,
        ..SubsetConfig::default()
    };
    let missing = labels("stage=prod version=7");
    let halfway = labels("stage=canary version=1.1");
    for (fallback, of_missing, of_halfway) in [
        (SelectorFallback::NotDefined, 0, 0),
        (SelectorFallback::NoFallback, 0, 0),
        (SelectorFallback::AnyEndpoint, 7, 7),
        (SelectorFallback::DefaultSubset, 1, 1),
        // version=7 uses the fallback of its selector; version=1.1 exists.
        (keys(&["version"]), 7, 3),
        // No selector has only the key stage, so the cluster's fallback applies.
        (keys(&["stage"]), 0, 0),
    ] {
        let snapshot = build(documented_hosts(), 50.0, config(fallback.clone()));
        assert_eq!(
            serving(&snapshot, &missing).len(),
            of_missing,
            "{fallback:?}"
        );
        assert_eq!(
            serving(&snapshot, &halfway).len(),
            of_halfway,
            "{fallback:?}"
        );
    }
}

/// Only the selector that creates a trie node sets its fallback, as in Envoy.
#[test]
fn a_fallback_is_lost_after_a_longer_selector_with_the_same_prefix() {
    let with = |lists: &[(&[&str], SelectorFallback)]| SubsetConfig {
        selectors: lists
            .iter()
            .map(|(keys, fallback)| selector(keys, fallback.clone()))
            .collect(),
        ..SubsetConfig::default()
    };
    let any = || SelectorFallback::AnyEndpoint;
    let short: (&[&str], _) = (&["stage"], any());
    let long: (&[&str], _) = (&["stage", "type"], SelectorFallback::NotDefined);
    let criteria = labels("stage=canary");
    let heard = build(
        documented_hosts(),
        50.0,
        with(&[short.clone(), long.clone()]),
    );
    assert_eq!(serving(&heard, &criteria).len(), 7);
    let lost = build(documented_hosts(), 50.0, with(&[long, short]));
    assert_eq!(serving(&lost, &criteria).len(), 0);
}

#[test]
fn a_fallback_list_is_tried_in_order() {
    let config = SubsetConfig {
        fallback: SubsetFallback::NoFallback,
        fallback_list: true,
        ..documented()
    };
    let snapshot = build(documented_hosts(), 50.0, config.clone());
    let list = |base: &str, overrides: Vec<Value>| {
        let list = Metadata::new([("fallback_list", Value::List(overrides.into()))]);
        labels(base).overridden(&list)
    };
    let over = |text: &str| Value::Struct(labels(text));
    for (criteria, hosts) in [
        (list("", vec![over("version=9"), over("version=1.1")]), 3),
        (
            list("stage=prod", vec![over("version=9"), over("type=bigmem")]),
            2,
        ),
        // An item that is not a struct overrides nothing.
        (list("version=1.0", vec![Value::Number(1.0)]), 3),
        (list("version=9", vec![over("version=8")]), 0),
        // An empty or missing list is an ordinary lookup.
        (list("version=1.0", vec![]), 3),
        (labels("version=1.0 fallback_list=x"), 3),
    ] {
        assert_eq!(serving(&snapshot, &criteria).len(), hosts, "{criteria}");
    }
    // Without the policy, fallback_list is an ordinary criterion.
    let plain = SubsetConfig {
        fallback_list: false,
        ..config
    };
    let snapshot = build(documented_hosts(), 50.0, plain);
    assert!(serving(&snapshot, &labels("version=1.0 fallback_list=x")).is_empty());
}

#[test]
fn redundant_keys_are_ignored_if_allowed() {
    let config = SubsetConfig {
        fallback: SubsetFallback::NoFallback,
        allow_redundant_keys: true,
        ..documented()
    };
    let snapshot = build(documented_hosts(), 50.0, config);
    assert_eq!(
        serving(&snapshot, &labels("version=1.2-pre other=1")),
        ["e7"]
    );
    // The selector with the most keys applies, even if its subset does not exist.
    assert!(serving(&snapshot, &labels("version=1.1 xlarge=true")).is_empty());
}

#[test]
fn each_element_of_a_list_is_a_value() {
    let values = |values: &[&str]| {
        Value::List(
            values
                .iter()
                .map(|&value| Value::Text(value.into()))
                .collect(),
        )
    };
    let hosts = vec![
        endpoint(
            "a",
            Healthy,
            Metadata::new([("v", values(&["1", "2", "1"])), ("w", values(&["x"]))]),
        ),
        endpoint("b", Healthy, labels("v=2 w=y")),
        endpoint(
            "c",
            Healthy,
            Metadata::new([("v", values(&[])), ("w", Value::Text("z".into()))]),
        ),
    ];
    let config = SubsetConfig {
        selectors: selectors(&[&["v"], &["v", "w"]]),
        list_as_any: true,
        ..SubsetConfig::default()
    };
    let snapshot = build(vec![priority_of(hosts)], 50.0, config);
    for (criteria, hosts) in [
        ("v=1", &["a"][..]),
        ("v=2", &["a", "b"]),
        ("v=2 w=x", &["a"]),
        ("v=2 w=y", &["b"]),
        // The empty list is dropped, and the remaining keys form a subset, as in Envoy.
        ("w=z", &["c"]),
    ] {
        assert_eq!(serving(&snapshot, &labels(criteria)), hosts, "{criteria}");
    }
}

#[test]
fn a_single_host_subset_ignores_health() {
    let hosts = vec![
        endpoint("a", Unhealthy, labels("id=1")),
        endpoint("b", Healthy, labels("id=1")),
        endpoint("c", Healthy, labels("id=2")),
    ];
    let single = SubsetSelector::new(["id"], SelectorFallback::NotDefined, true).unwrap();
    let config = SubsetConfig {
        selectors: vec![single],
        ..SubsetConfig::default()
    };
    let snapshot = build(vec![priority_of(hosts)], 0.0, config);
    assert_eq!(serving(&snapshot, &labels("id=1")), ["a"]);
    assert_eq!(serving(&snapshot, &labels("id=2")), ["c"]);
}

#[test]
fn a_subset_without_healthy_hosts_never_falls_back() {
    let hosts = || {
        vec![priority_of(vec![
            endpoint("a", Unhealthy, labels("stage=prod")),
            endpoint("b", Unhealthy, labels("stage=prod")),
            endpoint("c", Healthy, labels("stage=dev")),
        ])]
    };
    for fallback in [
        SubsetFallback::NoFallback,
        SubsetFallback::AnyEndpoint,
        SubsetFallback::DefaultSubset,
    ] {
        let config = || SubsetConfig {
            selectors: selectors(&[&["stage"]]),
            fallback,
            ..SubsetConfig::default()
        };
        let panicking = build(hosts(), 50.0, config());
        assert_eq!(serving(&panicking, &labels("stage=prod")), ["a", "b"]);
        let calm = build(hosts(), 0.0, config());
        assert_eq!(ask(&calm, &labels("stage=prod")).reason, Reason::NoHost);
    }
}

#[test]
fn panic_mode_any_serves_when_the_fallback_has_no_host() {
    let hosts = || {
        vec![priority_of(vec![
            endpoint("a", Unhealthy, labels("stage=prod")),
            endpoint("b", Healthy, labels("stage=dev")),
        ])]
    };
    let config = |panic_mode_any| SubsetConfig {
        selectors: selectors(&[&["stage"]]),
        fallback: SubsetFallback::DefaultSubset,
        default_subset: labels("stage=prod"),
        panic_mode_any,
        ..SubsetConfig::default()
    };
    let without = build(hosts(), 0.0, config(false));
    assert!(serving(&without, &labels("stage=canary")).is_empty());
    let with = build(hosts(), 0.0, config(true));
    assert_eq!(serving(&with, &labels("stage=canary")), ["b"]);
    let decision = ask(&with, &labels("stage=canary"));
    assert_eq!(decision.subset.unwrap().reason, SubsetReason::PanicModeAny);
}

#[test]
fn each_subset_has_its_own_priorities_and_loads() {
    let priorities = vec![
        priority_of(vec![
            endpoint("p0-dev", Healthy, labels("stage=dev")),
            endpoint("p0-prod", Unhealthy, labels("stage=prod")),
        ]),
        priority_of(vec![endpoint("p1-prod", Healthy, labels("stage=prod"))]),
    ];
    let config = SubsetConfig {
        selectors: selectors(&[&["stage"]]),
        ..SubsetConfig::default()
    };
    let snapshot = build(priorities, 50.0, config);
    assert_eq!(serving(&snapshot, &labels("stage=prod")), ["p1-prod"]);
    assert_eq!(serving(&snapshot, &labels("stage=dev")), ["p0-dev"]);
}

#[test]
fn a_subset_exists_while_it_has_hosts_whatever_their_health() {
    let snapshot = build(documented_hosts(), 0.0, documented());
    let cluster = snapshot.cluster_id("c").unwrap();
    let dev = labels("version=1.2-pre");
    let unhealthy = snapshot.with_health(&[(
        HostRef {
            cluster,
            priority: 0,
            host: 6,
        },
        Health::from_status(Unhealthy),
    )]);
    assert!(serving(&unhealthy, &dev).is_empty());
    let mut gone = documented_hosts();
    gone[0].endpoints.pop();
    let gone = build(gone, 0.0, documented());
    assert_eq!(serving(&gone, &dev), ["e1", "e2"]);
}

#[test]
fn many_selectors_and_many_subsets_are_found() {
    let keys: Vec<String> = (0..2_000).map(|key| format!("k{key}")).collect();
    let hosts = keys.iter().enumerate().map(|(host, key)| {
        let metadata = Metadata::new([(key.as_str(), Value::Number(host as f64))]);
        endpoint(&format!("h{host}"), Healthy, metadata)
    });
    let config = SubsetConfig {
        selectors: keys
            .iter()
            .map(|key| selector(&[key.as_str()], SelectorFallback::NotDefined))
            .collect(),
        ..SubsetConfig::default()
    };
    let snapshot = build(vec![priority_of(hosts.collect())], 50.0, config);
    for host in [0, 999, 1_999] {
        let criteria = Metadata::new([(keys[host].as_str(), Value::Number(host as f64))]);
        let decision = ask(&snapshot, &criteria);
        assert_eq!(decision.host, Some(host));
    }
}
