//! Added hosts and other settings, compared with models that have them.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unreachable
)]

mod common;

use common::{aggregate, hosts, losses, plain, priority, scene, shop};
use spillgate_core::model::{
    ClusterKind, Endpoint, HealthStatus, HealthyFor, LocalityLb, MaglevConfig, Metadata, Model,
    PlainCluster, Policy, Weight,
};
use spillgate_sim::{Addition, LoadState, Scene, Setting};

fn changed(model: &Model, cluster: &str, additions: &[&str], settings: &[&str]) -> Model {
    let mut changed = model.clone();
    for text in additions {
        let addition = Addition::parse(text).unwrap();
        let before = Scene::new(model, cluster, Metadata::EMPTY).unwrap();
        let place = addition.place(&before).unwrap();
        assert_eq!(addition.apply(&mut changed, &place).len(), addition.count);
    }
    for text in settings {
        let setting = Setting::parse(text).unwrap();
        let mut clusters = model.clusters().iter();
        let at = clusters.position(|of| of.name == setting.cluster).unwrap();
        setting.apply(&mut changed, at).unwrap();
    }
    changed
}

fn plain_of(model: &Model, at: usize) -> &PlainCluster {
    match &model.clusters()[at].kind {
        ClusterKind::Plain(plain) => plain,
        other => panic!("{other:?}"),
    }
}

fn addresses(model: &Model, at: usize, priority: usize) -> Vec<&str> {
    let endpoints = plain_of(model, at).priorities[priority].endpoints.iter();
    endpoints.map(|host| host.address.as_str()).collect()
}

#[test]
fn hosts_are_added_after_the_last_one_of_their_locality() {
    let model = shop(&["a+ b+ a- b+ c+", "a+"]);
    let changed = changed(&model, "shop", &["zone=b:2"], &[]);
    assert_eq!(
        addresses(&changed, 0, 0),
        [
            "10.0.0.0:80",
            "10.0.0.1:80",
            "10.0.0.2:80",
            "10.0.0.3:80",
            "10.0.0.5:80",
            "10.0.0.6:80",
            "10.0.0.4:80"
        ]
    );
    let added = &plain_of(&changed, 0).priorities[0].endpoints[4];
    let like = &plain_of(&model, 0).priorities[0].endpoints[1];
    assert_eq!(
        (added.locality, &added.metadata),
        (like.locality, &like.metadata)
    );
    assert_eq!(added.health.status, HealthStatus::Unknown);
    let scene = scene(&model);
    let fault = Addition::parse("zone=a:1")
        .unwrap()
        .place(&scene)
        .unwrap_err();
    assert_eq!(fault.code, "what-if/several-places");
    assert_eq!(
        fault.choices,
        [
            "cluster=shop,priority=0,locality=eu/a",
            "cluster=shop,priority=1,locality=eu/a"
        ]
    );
    for choice in fault.choices {
        let addition = Addition::parse(&format!("{choice}:1")).unwrap();
        assert!(addition.place(&scene).is_ok(), "{choice}");
    }
}

#[test]
fn an_added_host_is_like_most_hosts_of_its_place() {
    let mut model = shop(&["a+ a+ a+"]);
    model
        .change(0, |kind| match kind {
            ClusterKind::Plain(plain) => {
                let endpoints = &mut plain.priorities[0].endpoints;
                endpoints[0].metadata = Metadata::EMPTY;
                endpoints[1].weight = Weight::new(5).unwrap();
                endpoints[2].weight = Weight::new(5).unwrap();
                endpoints[1].hash_key = Some("key".into());
                plain.healthy_for = [0, 2]
                    .map(|host| HealthyFor {
                        priority: 0,
                        host,
                        time: core::time::Duration::from_secs(1),
                    })
                    .into();
            }
            _ => unreachable!(),
        })
        .unwrap();
    let changed = changed(&model, "shop", &["host=10.0.0.0:80:1"], &[]);
    let added: &Endpoint = &plain_of(&changed, 0).priorities[0].endpoints[3];
    assert_eq!(
        (added.address.as_str(), added.weight.get()),
        ("10.0.0.3:80", 5)
    );
    assert_eq!(added.hash_key, None);
}

/// The host before a change has another index after it: shares and the overload follow it.
#[test]
fn shares_before_are_those_of_the_same_hosts() {
    let model = shop(&["a+ b+ a+ b+", "c+"]);
    let changed = changed(&model, "shop", &["zone=a:2"], &[]);
    let (before, after) = (scene(&model), scene(&changed));
    let lost = after.lost(&losses(&["zone=b:1"])).unwrap();
    let answer = after.what_if_since(&before, &lost, &[]);
    let old = before.shares(before.snapshot());
    for (was, moved) in old.shares.iter().zip(&answer.shares_before.shares) {
        let address =
            |scene: &Scene, host| scene.snapshot().endpoint(host).unwrap().address.clone();
        assert_eq!(
            address(&before, was.host_ref()),
            address(&after, moved.host_ref())
        );
        assert_eq!(was.share, moved.share);
    }
    // A quarter becomes a fifth.
    assert!((answer.overload.unwrap().factor() - 0.8).abs() < 1e-9);
    assert_eq!(answer.before, before.load_state(before.snapshot()));
    // A scene before a change of settings has the same hosts.
    let same = after.what_if_since(&after, &lost, &[]);
    assert_eq!(same.overload, after.what_if(&lost, &[]).overload);
}

#[test]
fn settings_change_the_model_as_its_fields_do() {
    let model = Model::new(vec![
        plain("one", Policy::RoundRobin, 50, vec![priority(0, "a+ b+")]),
        plain(
            "two",
            Policy::RoundRobin,
            50,
            vec![priority(0, &hosts("a+", 3))],
        ),
        aggregate("shop", 50, &["one", "two"]),
    ])
    .unwrap();
    let set = |texts: &[&str]| changed(&model, "shop", &[], texts);
    let one = |texts: &[&str]| plain_of(&set(texts), 0).clone();
    assert_eq!(
        one(&["one.healthy_panic_threshold=20%"])
            .panic_threshold
            .percent(),
        20
    );
    assert_eq!(
        one(&["one.overprovisioning_factor=200"])
            .overprovisioning_factor
            .0,
        200
    );
    assert!(one(&["one.weighted_priority_health=true"]).weighted_priority_health);
    let maglev = Policy::Maglev(MaglevConfig::new(7).unwrap());
    assert_eq!(
        one(&["one.lb_policy=MAGLEV", "one.table_size=7"]).policy,
        maglev
    );
    let ring = one(&[
        "one.lb_policy=RING_HASH",
        "one.minimum_ring_size=5",
        "one.maximum_ring_size=9",
    ]);
    let Policy::RingHash(ring) = ring.policy else {
        panic!("{ring:?}");
    };
    assert_eq!((ring.minimum_ring_size(), ring.maximum_ring_size()), (5, 9));
    let weighted = one(&[
        "one.locality_weighted_lb_config=true",
        "one[zone=b].load_balancing_weight=3",
    ]);
    assert_eq!(weighted.locality_lb, LocalityLb::Weighted);
    let weights: Vec<_> = weighted.priorities[0]
        .localities
        .iter()
        .map(|of| of.weight)
        .collect();
    assert_eq!(weights, [None, Some(3)]);
    let host = one(&["one[host=10.0.0.1:80].lb_endpoints.load_balancing_weight=3"]);
    let weights: Vec<_> = host.priorities[0]
        .endpoints
        .iter()
        .map(|of| of.weight.get())
        .collect();
    assert_eq!(weights, [1, 3]);
    let zone = one(&[
        "one.routing_enabled=10",
        "one.common_lb_config.zone_aware_lb_config.min_cluster_size=2",
    ]);
    let zone = *zone.locality_lb.zone_aware().unwrap();
    assert_eq!((zone.routing_enabled, zone.min_cluster_size), (10, 2));
    let changed = set(&["shop.healthy_panic_threshold=0"]);
    let ClusterKind::Aggregate(aggregate) = &changed.clusters()[2].kind else {
        panic!("{changed:?}");
    };
    assert_eq!(aggregate.panic_threshold.percent(), 0);
    // The loads of the changed model are those of its scene.
    let after = Scene::new(
        &set(&["one.overprovisioning_factor=100"]),
        "shop",
        Metadata::EMPTY,
    )
    .unwrap();
    let lost = after.lost(&losses(&["cluster=one:1"])).unwrap();
    let loads: Vec<u32> = LoadState::loads(&after.state(&lost)).collect();
    assert_eq!(loads, [50, 50]);
}

#[test]
fn settings_without_an_effect_are_faults() {
    let model = Model::new(vec![
        plain("one", Policy::RoundRobin, 50, vec![priority(0, "a+ b+")]),
        aggregate("shop", 50, &["one"]),
    ])
    .unwrap();
    for (text, at) in [
        ("one.table_size=7", 0),
        ("one.minimum_ring_size=7", 0),
        ("one.hash_balance_factor=120", 0),
        ("one[zone=a].load_balancing_weight=7", 0),
        ("one[zone=x].lb_endpoints.load_balancing_weight=7", 0),
        ("shop.lb_policy=MAGLEV", 1),
    ] {
        let mut changed = model.clone();
        let setting = Setting::parse(text).unwrap();
        assert!(setting.apply(&mut changed, at).is_err(), "{text}");
        assert_eq!(changed, model, "{text}");
    }
    let mut ring = changed(&model, "one", &[], &["one.lb_policy=RING_HASH"]);
    let setting = Setting::parse("one.maximum_ring_size=7").unwrap();
    let fault = setting.apply(&mut ring, 0).unwrap_err();
    assert_eq!(fault.message, "minimum_ring_size exceeds maximum_ring_size");
}
