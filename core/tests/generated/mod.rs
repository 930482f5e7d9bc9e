//! Random models: plain clusters of every kind, an aggregate of them, and subset fallback chains.
#![allow(
    dead_code,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing
)]

use std::ops::Range;

use proptest::{prelude::*, sample::select};
use spillgate_core::{
    model::{
        AggregateCluster, ChainHosts, ChainStep, Cluster, ClusterKind, DropOverload, Endpoint,
        FallbackChain, HashBalanceFactor, Health, HealthStatus, LeastRequestConfig, LocalInfo,
        Locality, LocalityLb, MaglevConfig, Metadata, Model, OverprovisioningFactor,
        PanicThreshold, PlainCluster, Policy, Priority, PriorityLocality, RingHashConfig,
        SelectionMethod, SelectorFallback, SubsetConfig, SubsetFallback, SubsetSelector, Value,
        Weight, ZoneAware,
    },
    snapshot::{HostRef, Snapshot},
};

fn policy() -> impl Strategy<Value = Policy> {
    let ring = RingHashConfig::new(64, 4096, Default::default()).unwrap();
    select(vec![
        Policy::RoundRobin,
        Policy::Random,
        Policy::LeastRequest(LeastRequestConfig::default()),
        Policy::LeastRequest(LeastRequestConfig::new(SelectionMethod::FullScan, 0.5)),
        Policy::ClientSideWeightedRoundRobin,
        Policy::RingHash(ring),
        Policy::Maglev(MaglevConfig::new(101).unwrap()),
        Policy::Rendezvous,
    ])
}

fn locality_lb() -> impl Strategy<Value = LocalityLb> {
    let zone_aware = (
        0_u32..=100,
        0_u64..8,
        any::<bool>(),
        prop::option::of(0_u32..4),
    )
        .prop_map(
            |(routing_enabled, min_cluster_size, fail_traffic_on_panic, force_local_zone)| {
                LocalityLb::ZoneAware(ZoneAware {
                    routing_enabled,
                    min_cluster_size,
                    fail_traffic_on_panic,
                    force_local_zone,
                    ..ZoneAware::default()
                })
            },
        );
    prop_oneof![Just(LocalityLb::Weighted), zone_aware]
}

fn value() -> impl Strategy<Value = Value> {
    select(vec![
        Value::Number(1.0),
        Value::Text("1".into()),
        Value::List([Value::Number(1.0), Value::Text("1".into())].into()),
    ])
}

pub(crate) fn metadata() -> impl Strategy<Value = Metadata> {
    prop::collection::vec((select(vec!["a", "b"]), value()), 0..3).prop_map(Metadata::new)
}

fn subsets() -> impl Strategy<Value = SubsetConfig> {
    let keys = select(vec![vec!["a"], vec!["b"], vec!["a", "b"]]);
    let fallback = select(vec![
        SelectorFallback::NotDefined,
        SelectorFallback::NoFallback,
        SelectorFallback::AnyEndpoint,
        SelectorFallback::DefaultSubset,
        SelectorFallback::KeysSubset(vec!["a".into()]),
    ]);
    let selector = (keys, fallback, any::<bool>())
        .prop_filter_map("keys", |(keys, fallback, one)| {
            SubsetSelector::new(keys, fallback, one).ok()
        });
    let fallback = select(vec![
        SubsetFallback::NoFallback,
        SubsetFallback::AnyEndpoint,
        SubsetFallback::DefaultSubset,
    ]);
    let switches = any::<[bool; 6]>();
    let selectors = prop::collection::vec(selector, 0..4);
    (selectors, fallback, metadata(), switches).prop_map(
        |(selectors, fallback, default_subset, switches)| SubsetConfig {
            selectors,
            fallback,
            default_subset,
            fallback_list: switches[0],
            locality_weight_aware: switches[1],
            scale_locality_weight: switches[2],
            panic_mode_any: switches[3],
            list_as_any: switches[4],
            allow_redundant_keys: switches[5],
        },
    )
}

fn endpoint() -> impl Strategy<Value = Endpoint> {
    let status = select(HealthStatus::ALL.to_vec());
    let report = prop::option::of(0_u32..5);
    (status, 1_u32..5, 0_usize..3, metadata(), report).prop_map(
        |(status, weight, locality, metadata, reported_weight)| Endpoint {
            weight: Weight::new(weight).unwrap(),
            health: Health::from_status(status),
            locality,
            metadata,
            reported_weight,
            ..Endpoint::default()
        },
    )
}

fn plain() -> impl Strategy<Value = PlainCluster> {
    let priorities = prop::collection::vec(prop::collection::vec(endpoint(), 0..10), 0..3);
    let weights = prop::array::uniform3(prop::option::of(0_u32..4));
    let tuning = (
        prop::option::of(Just(HashBalanceFactor::new(125).unwrap())),
        select(vec![0_u32, 250_000]),
        any::<bool>(),
        select(vec![100_u32, 140, 200]),
    );
    let settings = (
        policy(),
        locality_lb(),
        0_u32..=100,
        prop::option::of(subsets()),
    );
    (priorities, weights, settings, tuning).prop_map(|(priorities, weights, settings, tuning)| {
        let priorities = priorities.into_iter().map(|endpoints| Priority {
            localities: weights
                .iter()
                .enumerate()
                .map(|(zone, &weight)| PriorityLocality {
                    locality: named(zone),
                    weight,
                })
                .collect(),
            endpoints,
        });
        PlainCluster {
            policy: settings.0,
            locality_lb: settings.1,
            panic_threshold: PanicThreshold::from_percent(f64::from(settings.2)),
            subsets: settings.3,
            hash_balance_factor: tuning.0,
            drop_overload: DropOverload::from_millionths(tuning.1),
            weighted_priority_health: tuning.2,
            overprovisioning_factor: OverprovisioningFactor(tuning.3),
            priorities: priorities.collect(),
            ..PlainCluster::default()
        }
    })
}

fn named(zone: usize) -> Locality {
    Locality {
        zone: format!("z{zone}"),
        ..Locality::default()
    }
}

fn chain(steps: Range<usize>) -> impl Strategy<Value = Vec<ChainStep>> {
    let keys = select(vec![vec!["a"], vec!["b"], vec!["b", "a"]]);
    let hosts = prop_oneof![
        4 => keys.prop_map(|keys| ChainHosts::Keys(keys.into_iter().map(Into::into).collect())),
        1 => metadata().prop_map(ChainHosts::Match),
        1 => Just(ChainHosts::Any),
    ];
    let minima = (0_u32..4, select(vec![0_u32, 0, 30, 50, 100]));
    let threshold = select(vec![0.0, 0.0, 50.0, 100.0]);
    let step = (hosts, minima, threshold, any::<bool>()).prop_map(
        |(hosts, (min_healthy_hosts, min_healthy_percent), threshold, last_resort)| ChainStep {
            min_healthy_hosts,
            min_healthy_percent,
            panic_threshold: PanicThreshold::from_percent(threshold),
            last_resort,
            ..ChainStep::new(hosts)
        },
    );
    prop::collection::vec(step, steps).prop_map(|mut steps| {
        let last = steps.len().saturating_sub(1);
        for (at, step) in steps.iter_mut().enumerate() {
            step.last_resort &= at == last;
        }
        steps
    })
}

/// Two clusters, an aggregate of both, and in some cases a local cluster.
pub(crate) fn clusters() -> impl Strategy<Value = Model> {
    prop_oneof![with_chain(0..1), with_chain(1..4)]
}

/// As [`clusters`], always with a chain.
pub(crate) fn chained_clusters() -> impl Strategy<Value = Model> {
    with_chain(1..4)
}

fn with_chain(steps: Range<usize>) -> impl Strategy<Value = Model> {
    let rest = (any::<bool>(), 0_u32..=100, chain(steps));
    (plain(), plain(), rest).prop_map(|(mut a, mut b, (local, threshold, chain))| {
        for (cluster, plain) in [&mut a, &mut b].into_iter().enumerate() {
            for (number, priority) in plain.priorities.iter_mut().enumerate() {
                for (host, endpoint) in priority.endpoints.iter_mut().enumerate() {
                    endpoint.address = format!("10.{cluster}.{number}.{host}:80");
                }
            }
        }
        let aggregate = AggregateCluster {
            members: ["a", "gone", "b"].map(String::from).into(),
            panic_threshold: PanicThreshold::from_percent(f64::from(threshold)),
            flatten: false,
        };
        let cluster = |name: &str, kind| Cluster {
            name: name.into(),
            kind,
        };
        let model = Model::new(vec![
            cluster("a", ClusterKind::Plain(a)),
            cluster("b", ClusterKind::Plain(b)),
            cluster("both", ClusterKind::Aggregate(aggregate)),
        ]);
        let local = LocalInfo {
            locality: Some(named(1)),
            cluster: local.then(|| "b".into()),
        };
        model
            .unwrap()
            .with_local(local)
            .with_chain(FallbackChain::new(chain).unwrap())
    })
}

pub(crate) fn hosts_of(snapshot: &Snapshot) -> Vec<HostRef> {
    let mut hosts = Vec::new();
    for (cluster, _) in snapshot.clusters() {
        if let Some(plain) = snapshot.plain(cluster) {
            for (number, priority) in plain.priorities.iter().enumerate() {
                hosts.extend((0..priority.len()).map(|host| HostRef {
                    cluster,
                    priority: number,
                    host,
                }));
            }
        }
    }
    hosts
}
