//! Clusters of every kind at random: what holds for all of them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

use proptest::{prelude::*, sample::select};
use spillgate_core::{
    decide::{Request, State, decide},
    draw::{Draw, SplitMix64},
    model::{
        AggregateCluster, Cluster, ClusterKind, DropOverload, Endpoint, HashBalanceFactor, Health,
        HealthStatus, LeastRequestConfig, Level, LevelLocality, LocalInfo, Locality, LocalityLb,
        MaglevConfig, Metadata, Model, OverprovisioningFactor, PanicThreshold, PlainCluster,
        Policy, RingHashConfig, SelectionMethod, SelectorFallback, SubsetConfig, SubsetFallback,
        SubsetSelector, Value, Weight, ZoneAware,
    },
    route::{HeaderList, HostPredicate, RetryPolicy},
    snapshot::{HostRef, Snapshot},
    trace::{NoTrace, Step},
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

fn metadata() -> impl Strategy<Value = Metadata> {
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
    let levels = prop::collection::vec(prop::collection::vec(endpoint(), 0..10), 0..3);
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
    (levels, weights, settings, tuning).prop_map(|(levels, weights, settings, tuning)| {
        let levels = levels.into_iter().map(|endpoints| Level {
            localities: weights
                .iter()
                .enumerate()
                .map(|(zone, &weight)| LevelLocality {
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
            levels: levels.collect(),
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

/// Two clusters, an aggregate of both, and perhaps a local cluster.
fn clusters() -> impl Strategy<Value = Model> {
    (plain(), plain(), any::<bool>(), 0_u32..=100).prop_map(|(mut a, mut b, local, threshold)| {
        for (cluster, plain) in [&mut a, &mut b].into_iter().enumerate() {
            for (priority, level) in plain.levels.iter_mut().enumerate() {
                for (host, endpoint) in level.endpoints.iter_mut().enumerate() {
                    endpoint.address = format!("10.{cluster}.{priority}.{host}:80");
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
        model.unwrap().with_local(LocalInfo {
            locality: Some(named(1)),
            cluster: local.then(|| "b".into()),
        })
    })
}

fn hosts_of(snapshot: &Snapshot) -> Vec<HostRef> {
    let mut hosts = Vec::new();
    for (cluster, _) in snapshot.clusters() {
        if let Some(plain) = snapshot.plain(cluster) {
            for (priority, level) in plain.levels.iter().enumerate() {
                hosts.extend((0..level.len()).map(|host| HostRef {
                    cluster,
                    priority,
                    host,
                }));
            }
        }
    }
    hosts
}

const NO_HEADERS: HeaderList<'_, &str, &str> = HeaderList(&[]);

/// What a request may be: criteria, a hash, hosts that were tried.
#[derive(Debug, Clone)]
struct Asked {
    criteria: Metadata,
    hash: Option<u64>,
    tried: usize,
    retry: RetryPolicy,
}

fn asked() -> impl Strategy<Value = Asked> {
    let predicates = prop::collection::vec(
        select(vec![
            HostPredicate::PreviousHosts,
            HostPredicate::OmitHostMetadata(Metadata::new([("a", Value::Number(1.0))])),
        ]),
        0..2,
    );
    let retry = (prop::option::of(1_u32..3), predicates, 0_u32..4);
    (metadata(), any::<Option<u64>>(), 0_usize..4, retry).prop_map(
        |(criteria, hash, tried, (previous_priorities, predicates, host_selection_attempts))| {
            Asked {
                criteria,
                hash,
                tried,
                retry: RetryPolicy {
                    previous_priorities,
                    predicates,
                    host_selection_attempts,
                },
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn shares_sum_up_and_decisions_keep_to_them(
        model in clusters(),
        asked in asked(),
        seed in any::<u64>(),
    ) {
        let snapshot = Snapshot::build(&model);
        let hosts = hosts_of(&snapshot);
        let tried: Vec<HostRef> = hosts.iter().copied().step_by(3).take(asked.tried).collect();
        let mut draw = SplitMix64::new(seed);
        let mut state = State::new(&snapshot, &mut draw);
        for (cluster, _) in snapshot.clusters() {
            let request = Request {
                criteria: &asked.criteria,
                tried: &tried,
                retry: &asked.retry,
                ..Request::new(cluster, &NO_HEADERS)
            };
            let distribution = snapshot.distribution_of(&request, None);
            let sum: f64 = distribution.shares.iter().map(|share| share.share).sum();
            prop_assert!((sum + distribution.no_host - 100.0).abs() < 1e-6, "{:?}", distribution);
            for _ in 0..30 {
                let decision = decide(&snapshot, &mut state, &request, &mut draw, &mut NoTrace);
                match decision.host_ref() {
                    None => prop_assert!(distribution.no_host > 0.0, "{:?}", distribution),
                    Some(host) => prop_assert!(
                        distribution.shares.iter().any(|share| {
                            (share.owner, share.priority, share.host)
                                == (host.cluster, host.priority, host.host)
                        }),
                        "{:?} {:?}", decision, distribution
                    ),
                }
            }
        }
    }

    /// A snapshot that was changed host by host is the one that is built from the changed model.
    #[test]
    fn changing_health_is_the_same_as_building_anew(
        model in clusters(),
        asked in asked(),
        flips in prop::collection::vec((any::<prop::sample::Index>(), select(HealthStatus::ALL.to_vec())), 1..6),
    ) {
        let before = Snapshot::build(&model);
        let hosts = hosts_of(&before);
        prop_assume!(!hosts.is_empty());
        let mut changed = before.clone();
        let mut clusters = model.clone().into_clusters();
        for (which, status) in flips {
            let host = hosts[which.index(hosts.len())];
            let health = Health::from_status(status);
            changed = changed.with_health(&[(host, health)]);
            if let ClusterKind::Plain(plain) = &mut clusters[host.cluster.index()].kind {
                plain.levels[host.priority].endpoints[host.host].health = health;
            }
        }
        let anew = Model::new(clusters).unwrap().with_local(model.local().clone());
        let anew = Snapshot::build(&anew);
        for (cluster, _) in anew.clusters() {
            for criteria in [&asked.criteria, &Metadata::default()] {
                let request = Request {
                    criteria,
                    ..Request::new(cluster, &NO_HEADERS)
                };
                prop_assert_eq!(
                    changed.distribution_of(&request, asked.hash),
                    anew.distribution_of(&request, asked.hash)
                );
            }
        }
    }

    /// A state that is carried over gives what the same snapshot would give, and traces change
    /// nothing.
    #[test]
    fn traces_and_carried_states_change_no_answer(
        model in clusters(),
        asked in asked(),
        seed in any::<u64>(),
    ) {
        let snapshot = Snapshot::build(&model);
        let mut draw = SplitMix64::new(seed);
        let mut a = State::new(&snapshot, &mut draw);
        let mut b = a.clone().carried_over(&snapshot, &snapshot, &mut draw);
        let mut draws = (draw.clone(), draw);
        for (cluster, _) in snapshot.clusters() {
            let request = Request {
                criteria: &asked.criteria,
                ..Request::new(cluster, &NO_HEADERS)
            };
            for _ in 0..10 {
                let mut steps: Vec<Step> = Vec::new();
                let plain = decide(&snapshot, &mut a, &request, &mut draws.0, &mut NoTrace);
                let traced = decide(&snapshot, &mut b, &request, &mut draws.1, &mut steps);
                prop_assert_eq!(plain, traced);
                prop_assert!(!steps.is_empty());
                prop_assert_eq!(draws.0.clone().draw(), draws.1.clone().draw());
            }
        }
    }
}
