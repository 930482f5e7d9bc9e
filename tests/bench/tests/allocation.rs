//! No kind of decision allocates. The exceptions are named and counted here.

use allocation_counter::measure;
use spillgate_bench::{Shape, Worker, WorkerCase, model};
use spillgate_core::{
    decide::{BalancerState, Decision, Request, decide},
    draw::SplitMix64,
    model::{
        AggregateCluster, ChainHosts, ChainStep, Cluster, ClusterKind, FallbackChain, Metadata,
        PanicThreshold, PlainCluster, Policy, SelectorFallback, SubsetConfig, SubsetFallback,
        SubsetSelector, Value,
    },
    route::{HeaderList, HostPredicate, RetryPolicy},
    snapshot::{HostRef, Snapshot},
    trace::NoTrace,
};

const CHOICES: usize = 1_000;

#[test]
fn no_choice_allocates() {
    for case in WorkerCase::ALL {
        let mut worker = Worker::new(case, 100);
        let mut chosen = 0;
        let info = measure(|| {
            for _ in 0..CHOICES {
                chosen += usize::from(worker.pick().host.is_some());
            }
        });
        assert_eq!(chosen, CHOICES, "{case} found no host");
        assert_eq!(info.count_total, 0, "{case} allocated");
    }
}

#[test]
fn no_hash_policy_allocates_within_subsets() {
    for case in [
        WorkerCase::RingHash,
        WorkerCase::Maglev,
        WorkerCase::Rendezvous,
        WorkerCase::LeastRequest,
    ] {
        let mut shape = case.shape(100);
        shape.subsets = 10;
        let mut worker = Worker::of(&shape);
        let info = measure(|| {
            for _ in 0..CHOICES {
                assert!(worker.pick().host.is_some());
            }
        });
        assert_eq!(info.count_total, 0, "{case} allocated");
    }
}

/// Subsets by stage and version, where requests for other stages fall back.
fn falling_back(selector: SelectorFallback, config: SubsetConfig) -> Snapshot {
    let mut cluster = Shape {
        subsets: 10,
        ..Shape::new(Policy::RoundRobin, 100)
    }
    .cluster("c");
    let ClusterKind::Plain(PlainCluster { subsets, .. }) = &mut cluster.kind else {
        panic!("it has hosts of its own");
    };
    *subsets = Some(SubsetConfig {
        selectors: vec![
            SubsetSelector::new(["stage", "version"], selector, false).unwrap(),
            SubsetSelector::new(["version"], SelectorFallback::NotDefined, false).unwrap(),
        ],
        ..config
    });
    Snapshot::build(&model(vec![cluster]))
}

/// The number of allocations of a decision with these criteria, and its result.
fn ask(snapshot: &Snapshot, criteria: &Metadata) -> (u64, Decision) {
    let mut draw = SplitMix64::new(1);
    let mut state = BalancerState::new(snapshot, &mut draw);
    let headers = HeaderList::<&str, &str>(&[]);
    let request = Request {
        criteria,
        ..Request::new(snapshot.cluster_id("c").unwrap(), &headers)
    };
    let mut decision = None;
    let info = measure(|| {
        decision = Some(decide(
            snapshot,
            &mut state,
            &request,
            &mut draw,
            &mut NoTrace,
        ));
    });
    (info.count_total, decision.unwrap())
}

fn text(text: &str) -> Value {
    Value::Text(text.into())
}

#[test]
fn a_look_up_with_fewer_keys_does_not_allocate() {
    let keys = SelectorFallback::KeysSubset(vec!["version".into()]);
    let snapshot = falling_back(keys, SubsetConfig::default());
    let criteria = Metadata::new([("stage", text("none")), ("version", text("1.7"))]);
    let (allocations, decision) = ask(&snapshot, &criteria);
    assert!(decision.host.is_some());
    assert_eq!(allocations, 0);
}

#[test]
fn a_list_of_overrides_does_not_allocate() {
    let config = SubsetConfig {
        fallback_list: true,
        ..SubsetConfig::default()
    };
    let snapshot = falling_back(SelectorFallback::NotDefined, config);
    let by = |version| Value::Struct(Metadata::new([("version", text(version))]));
    let list = Value::List([by("2.0"), by("3.0"), by("1.7")].into());
    let criteria = Metadata::new([("stage", text("production")), ("fallback_list", list)]);
    let (allocations, decision) = ask(&snapshot, &criteria);
    assert!(decision.host.is_some());
    assert_eq!(allocations, 0);
}

#[test]
fn redundant_criteria_and_fallbacks_do_not_allocate() {
    let config = SubsetConfig {
        allow_redundant_keys: true,
        fallback: SubsetFallback::AnyEndpoint,
        panic_mode_any: true,
        ..SubsetConfig::default()
    };
    let snapshot = falling_back(SelectorFallback::NotDefined, config);
    for version in ["1.7", "none"] {
        let pairs = [("stage", "production"), ("version", version), ("x", "y")];
        let criteria = Metadata::new(pairs.map(|(key, value)| (key, text(value))));
        let (allocations, decision) = ask(&snapshot, &criteria);
        assert!(decision.host.is_some());
        assert_eq!(allocations, 0);
    }
}

/// The chain looks at three steps, in a cluster and in an aggregate, before one serves.
#[test]
fn a_chain_does_not_allocate() {
    let cluster = |name: &str| {
        Shape {
            subsets: 10,
            ..Shape::new(Policy::RoundRobin, 100)
        }
        .cluster(name)
    };
    let keys = |keys: &[&str]| {
        let keys = keys.iter().map(|&key| key.into()).collect();
        ChainStep::new(ChainHosts::Keys(keys))
    };
    let unmet = ChainStep {
        min_healthy_hosts: 1_000,
        ..keys(&["stage", "version"])
    };
    let constant = Metadata::new([("stage", text("none"))]);
    let chain = vec![
        keys(&["zone"]),
        unmet,
        ChainStep::new(ChainHosts::Match(constant)),
        keys(&["version"]),
    ];
    let criteria = Metadata::new([("stage", text("production")), ("version", text("1.7"))]);
    let aggregate = Cluster {
        name: "c".into(),
        kind: ClusterKind::Aggregate(AggregateCluster {
            members: vec!["a".into(), "b".into()],
            panic_threshold: PanicThreshold::DEFAULT,
            flatten: false,
        }),
    };
    for clusters in [
        vec![cluster("c")],
        vec![cluster("a"), cluster("b"), aggregate],
    ] {
        let snapshot = Snapshot::build(
            &model(clusters).with_chain(FallbackChain::new(chain.clone()).unwrap()),
        );
        let (allocations, decision) = ask(&snapshot, &criteria);
        assert_eq!(decision.subset.and_then(|subset| subset.step()), Some(3));
        assert!(decision.host.is_some());
        assert_eq!(allocations, 0);
    }
}

/// A retry of a request.
fn retry(retry: &RetryPolicy) -> u64 {
    let cluster: Cluster = Shape::new(Policy::RoundRobin, 100).cluster("c");
    let snapshot = Snapshot::build(&model(vec![cluster]));
    let mut draw = SplitMix64::new(1);
    let mut state = BalancerState::new(&snapshot, &mut draw);
    let headers = HeaderList::<&str, &str>(&[]);
    let cluster = snapshot.cluster_id("c").unwrap();
    let tried = [HostRef {
        cluster,
        priority: 0,
        host: 3,
    }];
    let request = Request {
        retry,
        tried: &tried,
        ..Request::new(cluster, &headers)
    };
    let info = measure(|| {
        let decision = decide(&snapshot, &mut state, &request, &mut draw, &mut NoTrace);
        assert!(decision.host.is_some());
    });
    info.count_total
}

#[test]
fn a_retry_that_avoids_hosts_does_not_allocate() {
    let policy = RetryPolicy {
        predicates: vec![HostPredicate::PreviousHosts, HostPredicate::OmitCanaryHosts],
        host_selection_attempts: 5,
        ..RetryPolicy::NONE
    };
    assert_eq!(retry(&policy), 0);
}

/// The loads of all priorities are computed again for a retry.
#[test]
fn a_retry_that_avoids_priorities_allocates_a_few_lists_and_no_more() {
    let policy = RetryPolicy {
        previous_priorities: Some(1),
        ..RetryPolicy::NONE
    };
    let allocations = retry(&policy);
    assert!((1..=8).contains(&allocations), "{allocations}");
}
