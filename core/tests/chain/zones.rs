//! Steps of a chain for a proxy that prefers its own zone, and for localities with weights.

use spillgate_core::model::{
    LocalInfo, Locality, LocalityLb, Priority, PriorityLocality, ZoneAware,
};

use super::*;

/// A cluster with two healthy hosts in zone `a` and two in zone `b`.
fn zones(policy: Policy, locality_lb: LocalityLb, priorities: usize) -> Cluster {
    let zone = |zone: &str, weight| PriorityLocality {
        locality: Locality {
            zone: zone.into(),
            ..Locality::default()
        },
        weight: Some(weight),
    };
    let priority = |number: usize| {
        let hosts = ["a1", "a2", "b1", "b2"].iter().enumerate();
        let hosts = hosts.map(|(at, name)| Endpoint {
            locality: at / 2,
            ..endpoint(&format!("{name}-{number}"), Healthy, Metadata::default())
        });
        Priority {
            localities: vec![zone("a", 3), zone("b", 1)],
            endpoints: hosts.collect(),
        }
    };
    Cluster {
        name: "c".into(),
        kind: ClusterKind::Plain(PlainCluster {
            policy,
            locality_lb,
            panic_threshold: PanicThreshold::from_percent(0.0),
            priorities: (0..priorities).map(priority).collect(),
            ..PlainCluster::default()
        }),
    }
}

/// These clusters for a proxy in zone `a`, whose cluster has hosts in both zones.
fn in_zone_a(mut shop: Cluster, chain: Vec<ChainStep>) -> Snapshot {
    let mut proxies = zones(Policy::RoundRobin, LocalityLb::default(), 1);
    proxies.name = "proxies".into();
    let local = LocalInfo {
        locality: Some(Locality {
            zone: "a".into(),
            ..Locality::default()
        }),
        cluster: Some("proxies".into()),
    };
    shop.name = "c".into();
    let model = model(vec![shop, proxies]).with_local(local);
    Snapshot::build(&model.with_chain(FallbackChain::new(chain).unwrap()))
}

fn near() -> LocalityLb {
    LocalityLb::ZoneAware(ZoneAware {
        min_cluster_size: 1,
        ..ZoneAware::DEFAULT
    })
}

#[test]
fn a_last_resort_prefers_the_zone_of_the_proxy_while_it_has_hosts() {
    let resort = ChainStep {
        min_healthy_hosts: 100,
        last_resort: true,
        ..any()
    };
    let snapshot = in_zone_a(zones(Policy::RoundRobin, near(), 1), vec![resort]);
    let served = step(&ask(&snapshot, "c", "").0);
    assert_eq!(served, Some((0, SubsetReason::LastResort)));
    let serving = serving(&snapshot, "c", "");
    assert_eq!(serving, [("a1-0".into(), 50), ("a2-0".into(), 50)]);
}

#[test]
fn only_priority_0_prefers_the_zone_of_the_proxy() {
    let snapshot = in_zone_a(zones(Policy::RoundRobin, near(), 2), Vec::new());
    assert_eq!(names(&serving(&snapshot, "c", "")), ["a1-0", "a2-0"]);
    let cluster = snapshot.cluster_id("c").unwrap();
    let failed: Vec<_> = (0..4)
        .map(|host| {
            let host = HostRef {
                cluster,
                priority: 0,
                host,
            };
            (host, Health::from_status(Unhealthy))
        })
        .collect();
    let snapshot = snapshot.with_health(&failed);
    let serving = serving(&snapshot, "c", "");
    assert_eq!(names(&serving), ["a1-1", "a2-1", "b1-1", "b2-1"]);
}

#[test]
fn hash_tables_of_a_last_resort_follow_the_weights_of_localities() {
    let policy = Policy::Maglev(MaglevConfig::new(10_007).unwrap());
    let resort = ChainStep {
        min_healthy_hosts: 100,
        last_resort: true,
        ..any()
    };
    let shop = zones(policy, LocalityLb::Weighted, 1);
    let serving = serving(&build(vec![shop], vec![resort]), "c", "");
    let share = |zone: &str| {
        let of_zone = serving.iter().filter(|(name, _)| name.starts_with(zone));
        of_zone.map(|(_, share)| share).sum::<u32>()
    };
    assert!((74..=76).contains(&share("a")), "{serving:?}");
    assert!((24..=26).contains(&share("b")), "{serving:?}");
}

/// Envoy creates the balancer of the local cluster before it knows the local hosts. With Envoy 1.40.0, each of six hosts
/// in three zones got 16.6 to 16.7 % of 2,000 requests, also after an update of the hosts.
#[test]
fn the_local_cluster_itself_prefers_no_zone() {
    let local = LocalInfo {
        locality: Some(Locality {
            zone: "a".into(),
            ..Locality::default()
        }),
        cluster: Some("c".into()),
    };
    let model = model(vec![zones(Policy::RoundRobin, near(), 1)]).with_local(local);
    let snapshot = Snapshot::build(&model);
    let cluster = snapshot.cluster_id("c").unwrap();
    let all = ["a1-0", "a2-0", "b1-0", "b2-0"];
    assert_eq!(names(&serving(&snapshot, "c", "")), all);
    let rebuilt = snapshot.with_hosts(&model, &[cluster]);
    assert_eq!(names(&serving(&rebuilt, "c", "")), all);
    let host = HostRef {
        cluster,
        priority: 0,
        host: 0,
    };
    let changed = snapshot.with_health(&[(host, Health::from_status(Unhealthy))]);
    assert_eq!(names(&serving(&changed, "c", "")), all[1..]);
}
