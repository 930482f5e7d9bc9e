//! Rules of one line: equality of expressions, reported weights, zones, shares without a host, hot hosts.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

mod common;

use std::sync::Arc;

use common::{endpoint, labels, model, partly, plain, priority_of};
use spillgate_core::{
    decide::{
        BalancerState, HostStats, OnLost, Reason, Request, Session, SessionMove, Sessions, decide,
        decide_leaving,
    },
    draw::SplitMix64,
    inspect::CountedCluster,
    load::{ZoneFacts, ZoneLimits, ZoneRouting, ZoneSize, zone_routing},
    model::{
        Cluster, ClusterKind, HealthStatus, LocalityLb, Metadata, OverrideStatuses, PanicThreshold,
        PlainCluster, Policy, Priority, PriorityLocality, SelectorFallback, SubsetConfig,
        SubsetSelector,
    },
    pick::reported_weights,
    route::{HeaderList, Pattern, Regex, RegexRewrite, Rewrite},
    snapshot::{HostRef, Snapshot},
    trace::NoTrace,
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
    let facts = ZoneFacts {
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
