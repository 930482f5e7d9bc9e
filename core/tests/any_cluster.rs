//! Random clusters of every kind: properties of all of them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

mod generated;

use generated::{clusters, hosts_of, metadata};
use proptest::{prelude::*, sample::select};
use spillgate_core::{
    decide::{BalancerState, ClusterChoice, Request, decide},
    draw::{Draw, SplitMix64},
    model::{ClusterKind, Health, HealthStatus, Metadata, Model, Value},
    route::{HeaderList, HostPredicate, RetryPolicy},
    snapshot::{HostRef, Snapshot},
    trace::{NoTrace, Step},
};

const NO_HEADERS: HeaderList<'_, &str, &str> = HeaderList(&[]);

/// A random request: criteria, a hash, tried hosts.
#[derive(Debug, Clone)]
struct Asked {
    criteria: Metadata,
    hash: Option<u64>,
    tried: usize,
    retry: RetryPolicy,
    cluster_choice: ClusterChoice,
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
    let choice = select(vec![ClusterChoice::Random, ClusterChoice::Hash]);
    (metadata(), any::<Option<u64>>(), 0_usize..4, retry, choice).prop_map(
        |(criteria, hash, tried, retry, cluster_choice)| {
            let (previous_priorities, predicates, host_selection_attempts) = retry;
            Asked {
                criteria,
                hash,
                tried,
                retry: RetryPolicy {
                    previous_priorities,
                    predicates,
                    host_selection_attempts,
                    ..RetryPolicy::NONE
                },
                cluster_choice,
            }
        },
    )
}

/// Checks that two snapshots give every cluster the same shares, with and without criteria.
fn same_shares(one: &Snapshot, other: &Snapshot, asked: &Asked) -> Result<(), TestCaseError> {
    for (cluster, _) in other.clusters() {
        for criteria in [&asked.criteria, &Metadata::default()] {
            let request = Request {
                criteria,
                cluster_choice: asked.cluster_choice,
                ..Request::new(cluster, &NO_HEADERS)
            };
            prop_assert_eq!(
                one.distribution_of(&request, asked.hash),
                other.distribution_of(&request, asked.hash)
            );
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn shares_sum_to_100_and_decisions_match_them(
        model in clusters(),
        asked in asked(),
        seed in any::<u64>(),
    ) {
        let snapshot = Snapshot::build(&model);
        let hosts = hosts_of(&snapshot);
        let tried: Vec<HostRef> = hosts.iter().copied().step_by(3).take(asked.tried).collect();
        let mut draw = SplitMix64::new(seed);
        let mut state = BalancerState::new(&snapshot, &mut draw);
        for (cluster, _) in snapshot.clusters() {
            let request = Request {
                criteria: &asked.criteria,
                tried: &tried,
                retry: &asked.retry,
                cluster_choice: asked.cluster_choice,
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

    /// A snapshot that was changed host by host equals one built from the changed model.
    #[test]
    fn changing_health_equals_building_again(
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
                plain.priorities[host.priority].endpoints[host.host].health = health;
            }
        }
        let rebuilt = Model::new(clusters)
            .unwrap()
            .with_local(model.local().clone())
            .with_chain(model.chain().clone());
        let rebuilt = Snapshot::build(&rebuilt);
        same_shares(&changed, &rebuilt, &asked)?;
    }

    /// A snapshot whose clusters took the hosts of other clusters, one after the other, equals one
    /// built from the changed model.
    #[test]
    fn changing_hosts_equals_building_again(
        model in clusters(),
        asked in asked(),
        takes in prop::collection::vec(any::<[prop::sample::Index; 2]>(), 1..5),
    ) {
        let mut changed = Snapshot::build(&model);
        let mut model = model;
        for [cluster, from] in takes {
            let (at, from) = (cluster.index(model.clusters().len()), from.index(model.clusters().len()));
            let id = changed.clusters().nth(at).unwrap().0;
            let mut priorities = model.clusters()[from].priorities().to_vec();
            if at == from {
                for priority in &mut priorities {
                    priority.endpoints.pop();
                }
            }
            model.set_priorities(at, priorities).unwrap();
            let before = changed.clone();
            changed = changed.with_hosts(&model, &[id]);
            for (other, _) in changed.clusters().filter(|(other, _)| *other != id) {
                prop_assert!(changed.has_hosts_of(other, &before));
            }
        }
        let rebuilt = Snapshot::build(&model);
        same_shares(&changed, &rebuilt, &asked)?;
    }

    /// A carried-over state yields the same decisions as for the same snapshot, and traces change
    /// nothing.
    #[test]
    fn traces_and_carried_states_change_no_answer(
        model in clusters(),
        asked in asked(),
        seed in any::<u64>(),
    ) {
        let snapshot = Snapshot::build(&model);
        let mut draw = SplitMix64::new(seed);
        let mut a = BalancerState::new(&snapshot, &mut draw);
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
