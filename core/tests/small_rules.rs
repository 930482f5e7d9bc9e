//! Rules of one line: equality of expressions and values, reported weights, zones, empty tables, shares
//! without a host, hot hosts.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

mod common;

use std::{
    hash::{DefaultHasher, Hash as _, Hasher as _},
    sync::Arc,
};

use common::{aggregate, endpoint, labels, model, partly, plain, priority_of};
use spillgate_core::{
    decide::{
        BalancerState, HostStats, OnLost, Reason, Request, Session, SessionMove, Sessions, decide,
        decide_leaving,
    },
    draw::SplitMix64,
    inspect::{CountedCluster, priorities},
    load::{ZoneAwareInputs, ZoneLimits, ZoneObstacle, ZoneRouting, ZoneSize, zone_routing},
    model::{
        Cluster, ClusterKind, HashFunction, HealthStatus, LocalityLb, Metadata, OverrideStatuses,
        PanicThreshold, PlainCluster, Policy, Priority, PriorityLocality, RingHashConfig,
        SelectorFallback, SubsetConfig, SubsetSelector, Value,
    },
    pick::reported_weights,
    route::{HeaderList, Pattern, Regex, RegexRewrite, Rewrite},
    snapshot::{HostRef, Snapshot},
    trace::{EmptyTable, NoTrace, StepData},
};

use HealthStatus::Healthy;

const NO_HEADERS: HeaderList<'_, &str, &str> = HeaderList(&[]);

/// An expression that matches its own text.
#[derive(Debug)]
struct Literal(&'static str);

#[derive(Debug)]
struct Unchanged;

impl Regex for Literal {
    fn matches(&self, text: &[u8]) -> bool {
        text == self.0.as_bytes()
    }

    fn rewrite(&self, _: &str) -> Result<Arc<dyn Rewrite>, String> {
        Ok(Arc::new(Unchanged))
    }
}

impl Rewrite for Unchanged {
    fn replace_all(&self, text: &[u8]) -> Vec<u8> {
        text.to_vec()
    }
}

#[test]
fn values_of_metadata_have_the_same_hash_only_if_they_are_equal() {
    let hash = |value: &Value| {
        let mut hasher = DefaultHasher::new();
        value.hash(&mut hasher);
        hasher.finish()
    };
    let fields = |value| Value::Struct(Metadata::new([("a", value)]));
    let values = [
        Value::Null,
        Value::Bool(false),
        Value::Bool(true),
        Value::Number(1.0),
        Value::Number(2.0),
        Value::Text("1".into()),
        Value::Text("2".into()),
        Value::List([Value::Number(1.0)].into()),
        Value::List([Value::Number(2.0)].into()),
        fields(Value::Null),
        fields(Value::Number(1.0)),
    ];
    for (i, a) in values.iter().enumerate() {
        for (j, b) in values.iter().enumerate() {
            assert_eq!(hash(a) == hash(&b.clone()), i == j, "{a:?} {b:?}");
        }
    }
}

#[test]
fn patterns_and_rewrites_are_equal_if_their_texts_are() {
    let pattern = |text| Pattern::new(text, Arc::new(Literal(text)));
    assert_eq!(pattern("a").source(), "a");
    assert_eq!(pattern("a"), pattern("a"));
    assert_ne!(pattern("a"), pattern("b"));
    let rewrite = |text, by| -> RegexRewrite { pattern(text).rewrite(by).unwrap() };
    assert_eq!(
        (rewrite("a", "x").source(), rewrite("a", "x").substitution()),
        ("a", "x")
    );
    assert_eq!(rewrite("a", "x"), rewrite("a", "x"));
    assert_ne!(rewrite("a", "x"), rewrite("b", "x"));
    assert_ne!(rewrite("a", "x"), rewrite("a", "y"));
}

#[test]
fn a_host_without_a_report_has_the_median_weight() {
    let median = |reports: &[u32]| {
        let mut hosts: Vec<Option<u32>> = reports.iter().copied().map(Some).collect();
        hosts.push(None);
        *reported_weights(&hosts).last().unwrap()
    };
    for (reports, expected) in [
        (&[][..], 1),
        (&[8], 8),
        (&[10, 30], 20),
        (&[30, 10, 25], 25),
        (&[1, 2, 5, 9], 3),
        (&[7, 1, 2, 9, 30], 7),
    ] {
        assert_eq!(median(reports), expected, "{reports:?}");
    }
}

#[test]
fn an_own_zone_whose_share_rounds_to_nothing_does_not_get_all_requests() {
    let zone = |upstream, local, upstream_hosts| ZoneSize {
        upstream,
        local,
        upstream_hosts,
    };
    let facts = ZoneAwareInputs {
        healthy_hosts: 20_000,
        local_total: 20_000,
        local_localities: 2,
        local_has_own: true,
        upstream_has_own: true,
    };
    let limits = ZoneLimits {
        min_cluster_size: 6,
        force_local_zone: None,
    };
    // Less than one ten-thousandth of the proxies and of the hosts.
    let tiny = zone_routing(
        &[zone(1, 1, 1), zone(19_999, 19_999, 19_999)],
        &facts,
        &limits,
    );
    assert!(
        matches!(tiny, ZoneRouting::Residual { local_part: 0, .. }),
        "{tiny:?}"
    );
    // Two of 20,000 are one ten-thousandth.
    let small = zone_routing(
        &[zone(2, 2, 2), zone(19_998, 19_998, 19_998)],
        &facts,
        &limits,
    );
    assert_eq!(small, ZoneRouting::Direct);
}

#[test]
fn zone_aware_routing_applies_only_if_its_conditions_are_met() {
    let zones = [(2, 2), (6, 2)].map(|(upstream, local)| ZoneSize {
        upstream,
        local,
        upstream_hosts: upstream,
    });
    let facts = ZoneAwareInputs {
        healthy_hosts: 8,
        local_total: 4,
        local_localities: 2,
        local_has_own: true,
        upstream_has_own: true,
    };
    let limits = ZoneLimits {
        min_cluster_size: 8,
        force_local_zone: None,
    };
    let forced = |least| ZoneLimits {
        force_local_zone: Some(least),
        ..limits
    };
    let residual = |local_part| ZoneRouting::Residual {
        local_part,
        residual: vec![0, 2_500],
    };
    let alone = ZoneAwareInputs {
        local_localities: 1,
        ..facts
    };
    let stranger = ZoneAwareInputs {
        local_has_own: false,
        healthy_hosts: 7,
        ..facts
    };
    let small = ZoneAwareInputs {
        healthy_hosts: 7,
        ..facts
    };
    let elsewhere = ZoneAwareInputs {
        upstream_has_own: false,
        ..facts
    };
    for (zones, facts, limits, expected) in [
        (&zones[..], facts, limits, residual(5_000)),
        (&zones[..1], facts, forced(1), ZoneRouting::Everywhere),
        (&zones, alone, limits, ZoneRouting::Everywhere),
        // A forced local zone needs no second locality of the local cluster, but enough hosts.
        (&zones, alone, forced(2), ZoneRouting::Direct),
        (&zones, facts, forced(2), ZoneRouting::Direct),
        (&zones, facts, forced(3), residual(5_000)),
        (&zones, elsewhere, forced(2), residual(0)),
        (
            &zones,
            stranger,
            limits,
            ZoneRouting::Unfit(ZoneObstacle::LocalClusterNotOk),
        ),
        (
            &zones,
            small,
            forced(2),
            ZoneRouting::Unfit(ZoneObstacle::ClusterTooSmall),
        ),
    ] {
        let found = zone_routing(zones, &facts, &limits);
        assert_eq!(found, expected, "{zones:?} {facts:?} {limits:?}");
    }
}

#[test]
fn an_empty_hash_table_has_a_reason() {
    let ring =
        |size| Policy::RingHash(RingHashConfig::new(size, size, HashFunction::XxHash).unwrap());
    for (policy, locality_lb, expected) in [
        (
            ring(0),
            LocalityLb::default(),
            Some(EmptyTable::RingSizeZero),
        ),
        (
            ring(0),
            LocalityLb::Weighted,
            Some(EmptyTable::RingSizeZero),
        ),
        (
            ring(8),
            LocalityLb::Weighted,
            Some(EmptyTable::NoLocalityWeight),
        ),
        (ring(8), LocalityLb::default(), None),
    ] {
        let mut cluster = plain("c", policy, 0.0, vec![partly(0, 2, 2)]);
        if let ClusterKind::Plain(plain) = &mut cluster.kind {
            plain.locality_lb = locality_lb;
        }
        let snapshot = Snapshot::build(&model(vec![cluster]));
        let request = Request::new(snapshot.cluster_id("c").unwrap(), &NO_HEADERS);
        let (mut draw, mut steps) = (SplitMix64::new(1), Vec::new());
        let mut state = BalancerState::new(&snapshot, &mut draw);
        let decision = decide(&snapshot, &mut state, &request, &mut draw, &mut steps);
        let found = steps.iter().find_map(|step| match &step.data {
            StepData::Host(choice) => Some(choice.empty_table),
            _ => None,
        });
        assert_eq!(found, Some(expected), "{policy:?} {locality_lb:?}");
        assert_eq!(decision.host_ref().is_some(), expected.is_none());
    }
}

fn weighted(hosts: &[&[&str]], weights: &[Option<u32>]) -> Snapshot {
    let localities = weights.iter().map(|&weight| PriorityLocality {
        weight,
        ..PriorityLocality::default()
    });
    let mut priority = Priority {
        localities: localities.collect(),
        endpoints: Vec::new(),
    };
    for (locality, names) in hosts.iter().enumerate() {
        priority.localities[locality].locality.zone = format!("z{locality}");
        for name in *names {
            let mut host = endpoint(name, Healthy, Metadata::EMPTY);
            host.locality = locality;
            priority.endpoints.push(host);
        }
    }
    Snapshot::build(&model(vec![Cluster {
        name: "c".into(),
        kind: ClusterKind::Plain(PlainCluster {
            policy: Policy::RoundRobin,
            locality_lb: LocalityLb::Weighted,
            priorities: vec![priority],
            ..PlainCluster::default()
        }),
    }]))
}

#[test]
fn a_state_of_another_snapshot_never_chooses_a_locality_without_weight() {
    let snapshot = weighted(&[&["a"], &["b"], &["c"]], &[None, Some(2), Some(1)]);
    let cluster = snapshot.cluster_id("c").unwrap();
    let request = Request::new(cluster, &NO_HEADERS);
    for seed in 0..20 {
        let mut state = BalancerState::default();
        let mut draw = SplitMix64::new(seed);
        let decision = decide(&snapshot, &mut state, &request, &mut draw, &mut NoTrace);
        assert_eq!(decision.endpoint(&snapshot).unwrap().address, "b");
    }
}

#[test]
fn requests_without_a_host_are_the_rest_of_those_that_lists_serve() {
    let by_locality = weighted(&[&["a"], &["b"]], &[Some(1), Some(3)]);
    let by_priority = Snapshot::build(&model(vec![plain(
        "c",
        Policy::RoundRobin,
        0.0,
        vec![partly(0, 1, 2), partly(1, 0, 2)],
    )]));
    let failed = Snapshot::build(&model(vec![plain(
        "c",
        Policy::RoundRobin,
        0.0,
        vec![partly(0, 0, 2)],
    )]));
    for (snapshot, expected) in [(by_locality, 0.0), (by_priority, 0.0), (failed, 100.0)] {
        let cluster = snapshot.cluster_id("c").unwrap();
        let quick = snapshot.no_host(cluster, &Metadata::EMPTY);
        let all = snapshot.distribution_for(cluster, &Metadata::EMPTY, None);
        assert!((quick - expected).abs() < 1e-9, "{quick} {expected}");
        assert!((quick - all.no_host).abs() < 1e-9);
    }
}

/// Hosts with these numbers are hot.
struct HotHosts(&'static [usize]);

impl HostStats for HotHosts {
    fn is_hot(&self, host: HostRef) -> bool {
        self.0.contains(&host.host)
    }
}

#[test]
fn a_session_leaves_its_host_only_for_one_that_is_not_hot() {
    let snapshot = Snapshot::build(&model(vec![Cluster {
        name: "c".into(),
        kind: ClusterKind::Plain(PlainCluster {
            policy: Policy::RoundRobin,
            panic_threshold: PanicThreshold::OFF,
            priorities: vec![partly(0, 2, 2)],
            ..PlainCluster::default()
        }),
    }]));
    let cluster = snapshot.cluster_id("c").unwrap();
    let host = HostRef {
        cluster,
        priority: 0,
        host: 0,
    };
    for (hot, leaves) in [(&[0][..], true), (&[0, 1], false)] {
        for seed in 0..20 {
            let request = Request {
                hosts: &HotHosts(hot),
                sessions: Some(Sessions {
                    session: Some(Session { host: Some(host) }),
                    statuses: OverrideStatuses::DEFAULT,
                    clusters: &[],
                    on_lost: OnLost::Rebalance,
                    key: None,
                }),
                ..Request::new(cluster, &NO_HEADERS)
            };
            let mut draw = SplitMix64::new(seed);
            let mut state = BalancerState::new(&snapshot, &mut draw);
            let decision = decide_leaving(
                &snapshot,
                &mut state,
                &request,
                &mut draw,
                &mut NoTrace,
                |_| true,
            );
            let expected = if leaves {
                (1, Reason::SessionMoved, Some(SessionMove::Hot))
            } else {
                (0, Reason::Session, None)
            };
            let chosen = decision.host_ref().unwrap();
            assert_eq!(
                (chosen.host, decision.reason, decision.moved),
                expected,
                "{hot:?}"
            );
        }
    }
}

#[test]
fn a_lost_host_counts_only_in_the_subset_that_has_it() {
    for single_host in [false, true] {
        let selector = SubsetSelector::new(["v"], SelectorFallback::NoFallback, single_host);
        let hosts = [("a", "v=1"), ("b", "v=2")]
            .map(|(name, text)| endpoint(name, Healthy, labels(text)))
            .into();
        let snapshot = Snapshot::build(&model(vec![Cluster {
            name: "c".into(),
            kind: ClusterKind::Plain(PlainCluster {
                panic_threshold: PanicThreshold::OFF,
                subsets: Some(SubsetConfig {
                    selectors: vec![selector.unwrap()],
                    ..SubsetConfig::default()
                }),
                priorities: vec![priority_of(hosts)],
                ..PlainCluster::default()
            }),
        }]));
        let cluster = snapshot.cluster_id("c").unwrap();
        for (criteria, served) in [("v=1", [false, true]), ("v=2", [true, false])] {
            for (host, served) in served.into_iter().enumerate() {
                let criteria = labels(criteria);
                let mut counted = CountedCluster::of(&snapshot, cluster, &criteria).unwrap();
                let before = counted.priorities(cluster).unwrap();
                let plain = snapshot.plain(cluster).unwrap();
                assert_eq!(before, priorities(plain, &criteria), "{criteria:?}");
                assert!(before.subset.is_some(), "{criteria:?}");
                counted.lose(HostRef {
                    cluster,
                    priority: 0,
                    host,
                });
                let healthy: u32 = counted
                    .priorities(cluster)
                    .unwrap()
                    .health
                    .iter()
                    .map(|of| of.healthy)
                    .sum();
                assert_eq!(
                    healthy,
                    u32::from(served),
                    "{single_host} {criteria:?} {host}"
                );
            }
        }
    }
}

#[test]
fn every_member_of_an_aggregate_is_counted() {
    let host = |name| endpoint(name, Healthy, Metadata::EMPTY);
    let member = |name: &str, host_name| {
        plain(
            name,
            Policy::RoundRobin,
            0.0,
            vec![priority_of(vec![host(host_name)])],
        )
    };
    let clusters = vec![
        member("a", "a1"),
        member("b", "b1"),
        aggregate("both", 0.0, &["a", "b"]),
    ];
    let snapshot = Snapshot::build(&model(clusters));
    let id = |name| snapshot.cluster_id(name).unwrap();
    let mut counted = CountedCluster::of(&snapshot, id("both"), &Metadata::EMPTY).unwrap();
    let loads = |counted: &CountedCluster<'_>| {
        let found = counted.linearized(id("both")).unwrap();
        found.load.healthy.to_vec()
    };
    assert_eq!(loads(&counted), [100, 0]);
    counted.lose(HostRef {
        cluster: id("a"),
        priority: 0,
        host: 0,
    });
    assert_eq!(loads(&counted), [0, 100]);
}
