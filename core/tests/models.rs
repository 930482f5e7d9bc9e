//! Models: health as a status, hosts without a locality, metadata with a key twice, models without hosts.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

mod common;

use common::{aggregate, model, partly, plain};
use spillgate_core::{
    model::{
        Cluster, DropOverload, Endpoint, HashFunction, Health, HealthFlags, HealthStatus, Metadata,
        Model, PlainCluster, Policy, Priority, PriorityLocality, RingHashConfig, Value,
    },
    proto::{FieldValue, Fields},
    snapshot::{HostRef, Snapshot},
};

use HealthStatus::{Degraded, Draining, Healthy, Timeout, Unhealthy, Unknown};

#[test]
fn flags_have_the_effect_of_a_status() {
    let failed = HealthFlags {
        failed_active_hc: true,
        ..HealthFlags::default()
    };
    let degraded = HealthFlags {
        degraded_active_hc: true,
        ..HealthFlags::default()
    };
    let pending = HealthFlags {
        pending_active_hc: true,
        ..HealthFlags::default()
    };
    for (status, flags, equivalent, nearest) in [
        (Unknown, HealthFlags::default(), Some(Unknown), Unknown),
        (Timeout, HealthFlags::default(), Some(Timeout), Timeout),
        (Healthy, failed, Some(Unhealthy), Unhealthy),
        (Draining, failed, Some(Draining), Draining),
        (Healthy, degraded, Some(Degraded), Degraded),
        // No status excludes a usable host.
        (Healthy, pending, None, Unknown),
        (Degraded, pending, None, Degraded),
        (Unhealthy, pending, Some(Draining), Draining),
    ] {
        let health = Health { status, flags };
        let found = (health.equivalent_status(), health.nearest_status());
        assert_eq!(found, (equivalent, nearest), "{health:?}");
    }
}

#[test]
fn each_status_has_its_name() {
    for status in HealthStatus::ALL {
        assert_eq!(HealthStatus::from_name(status.name()), Some(status));
    }
    assert_eq!(HealthStatus::from_name("healthy"), None);
}

#[test]
fn shares_of_dropped_requests_and_sizes_of_rings_have_bounds() {
    let dropped = |millionths| DropOverload::from_millionths(millionths).millionths();
    assert_eq!(
        [0, 5, 999_999, 1_000_000, 1_000_001].map(dropped),
        [0, 5, 999_999, 1_000_000, 1_000_000]
    );
    let most = 8 * 1024 * 1024;
    let ring = |least, most| RingHashConfig::new(least, most, HashFunction::XxHash).is_ok();
    assert!(ring(most, most) && !ring(most + 1, most + 1) && !ring(1, most + 1));
}

#[test]
fn a_host_of_an_unknown_locality_gets_one_without_a_name() {
    let localities = |own: usize| {
        let plain = PlainCluster {
            priorities: vec![Priority {
                localities: vec![PriorityLocality::default()],
                endpoints: vec![Endpoint {
                    locality: own,
                    ..Endpoint::new("10.0.0.1:80")
                }],
            }],
            ..PlainCluster::default()
        };
        let model = Model::single("c", plain);
        let priority = &model.clusters()[0].priorities()[0];
        (priority.localities.len(), priority.endpoints[0].locality)
    };
    assert_eq!([0, 1, 2].map(localities), [(1, 0); 3]);
}

#[test]
fn the_last_of_equal_keys_counts() {
    let text = |text: &str| Value::Text(text.into());
    let twice = Metadata::new([("a", text("1")), ("a", text("2"))]);
    assert_eq!(twice, Metadata::new([("a", text("2"))]));
    assert_eq!(twice.to_string(), "a=2");
}

#[test]
fn a_model_without_hosts_keeps_its_clusters() {
    let hosts = plain("a", Policy::RoundRobin, 50.0, vec![partly(0, 1, 1)]);
    let model = model(vec![hosts, aggregate("all", 50.0, &["a"])]);
    let without = model.without_hosts();
    let names = without.clusters().iter().map(|cluster| &*cluster.name);
    assert!(names.eq(["a", "all"]));
    assert!(
        without
            .clusters()
            .iter()
            .all(|cluster| cluster.priorities().is_empty())
    );
    assert_eq!(model.clusters()[0].priorities().len(), 1);
}

#[test]
fn a_cluster_with_new_hosts_has_not_the_hosts_of_before() {
    let cluster = |name, number| plain(name, Policy::RoundRobin, 50.0, vec![partly(number, 2, 2)]);
    let mut model = model(vec![cluster("a", 0), cluster("b", 1)]);
    let before = Snapshot::build(&model);
    let [a, b] = ["a", "b"].map(|name| before.cluster_id(name).unwrap());
    model
        .set_priorities(a.index(), vec![partly(2, 2, 2)])
        .unwrap();
    let after = before.with_hosts(&model, &[a]);
    assert!(!after.has_hosts_of(a, &before) && after.has_hosts_of(b, &before));
    let host = HostRef {
        cluster: b,
        priority: 0,
        host: 0,
    };
    let failed = after.with_health(&[(host, Health::from_status(Unhealthy))]);
    assert!(failed.has_hosts_of(b, &before), "health is no host");
    let _: &Cluster = &model.clusters()[0];
}

#[test]
fn a_tag_has_at_most_five_bytes() {
    let first = |bytes: &'static [u8]| Fields::of(bytes).next();
    let one = Some(Some((1, FieldValue::Varint(5))));
    assert_eq!(first(&[8, 5]), one);
    assert_eq!(first(&[0x88, 0x80, 0x80, 0x80, 0, 5]), one);
    assert_eq!(first(&[0x88, 0x80, 0x80, 0x80, 0x80, 0, 5]), Some(None));
    assert_eq!(first(&[0, 5]), Some(None), "no field has the number 0");
}
