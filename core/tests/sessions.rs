//! Session affinity: when a session stays, where it moves, and the reason.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

mod common;

use std::collections::BTreeMap;

use common::{aggregate, endpoint, labels, model, priority_of};
use proptest::prelude::*;
use spillgate_core::{
    decide::{
        BalancerState, Decision, HostStats, NoHostStats, OnLost, Reason, Request, Session,
        SessionMove, Sessions, decide,
    },
    draw::SplitMix64,
    model::{
        ChainHosts, ChainStep, Cluster, ClusterKind, Endpoint, FallbackChain, Health, HealthStatus,
        Metadata, OverrideStatuses, PanicThreshold, PlainCluster, Policy, RingHashConfig,
        SelectorFallback, SubsetConfig, SubsetFallback, SubsetSelector,
    },
    route::HeaderList,
    snapshot::{ClusterId, HostRef, Snapshot},
    trace::StepKind,
};

use HealthStatus::{Degraded, Draining, Healthy, Timeout, Unhealthy, Unknown};

const NO_HEADERS: HeaderList<'_, &str, &str> = HeaderList(&[]);

fn plain(name: &str, priorities: &[&[(&str, HealthStatus)]]) -> Cluster {
    let priority = |hosts: &&[(&str, HealthStatus)]| {
        let hosts = hosts.iter();
        priority_of(
            hosts
                .map(|(address, status)| endpoint(address, *status, Metadata::EMPTY))
                .collect(),
        )
    };
    of(name, priorities.iter().map(priority).collect())
}

fn of(name: &str, priorities: Vec<spillgate_core::model::Priority>) -> Cluster {
    Cluster {
        name: name.into(),
        kind: ClusterKind::Plain(PlainCluster {
            policy: Policy::RoundRobin,
            panic_threshold: PanicThreshold::OFF,
            priorities,
            ..PlainCluster::default()
        }),
    }
}

fn with(mut cluster: Cluster, change: impl FnOnce(&mut PlainCluster)) -> Cluster {
    if let ClusterKind::Plain(plain) = &mut cluster.kind {
        change(plain);
    }
    cluster
}

/// A request with a session.
struct Ask<'a> {
    snapshot: &'a Snapshot,
    cluster: &'a str,
    criteria: &'a str,
    clusters: &'a [&'a str],
    statuses: OverrideStatuses,
    on_lost: OnLost,
    key: Option<u64>,
    hosts: &'a dyn HostStats,
    seed: u64,
}

impl<'a> Ask<'a> {
    fn of(snapshot: &'a Snapshot, cluster: &'a str) -> Self {
        Self {
            snapshot,
            cluster,
            criteria: "",
            clusters: &[],
            statuses: OverrideStatuses::DEFAULT,
            on_lost: OnLost::Rebalance,
            key: Some(7),
            hosts: &NoHostStats,
            seed: 3,
        }
    }

    fn id(&self, name: &str) -> ClusterId {
        self.snapshot.cluster_id(name).unwrap()
    }

    fn decide(&self, session: Option<Session>) -> Decision {
        let criteria = labels(self.criteria);
        let clusters: Vec<ClusterId> = self.clusters.iter().map(|name| self.id(name)).collect();
        let request = Request {
            criteria: &criteria,
            hosts: self.hosts,
            sessions: Some(Sessions {
                session,
                statuses: self.statuses,
                clusters: &clusters,
                on_lost: self.on_lost,
                key: self.key,
            }),
            ..Request::new(self.id(self.cluster), &NO_HEADERS)
        };
        let mut draw = SplitMix64::new(self.seed);
        let mut state = BalancerState::new(self.snapshot, &mut draw);
        let mut steps = Vec::new();
        let decision = decide(self.snapshot, &mut state, &request, &mut draw, &mut steps);
        let traced = steps.iter().any(|step| step.kind() == StepKind::Session);
        assert_eq!(traced, session.is_some());
        decision
    }

    /// The host of a request with a session on this host, with the reason.
    fn session(&self, address: &str) -> (String, Reason, Option<SessionMove>) {
        let host = find(self.snapshot, address);
        let decision = self.decide(Some(Session { host }));
        let answer = decision.endpoint(self.snapshot);
        let answer = answer.map_or("none", |endpoint| endpoint.address.as_str());
        (answer.to_owned(), decision.reason, decision.moved)
    }

    fn kept(&self, address: &str) -> bool {
        let (answer, reason, moved) = self.session(address);
        assert_eq!(reason == Reason::Session, moved.is_none());
        assert!(reason != Reason::Session || answer == address);
        moved.is_none()
    }

    fn moved(&self, address: &str) -> Option<SessionMove> {
        self.session(address).2
    }
}

fn find(snapshot: &Snapshot, address: &str) -> Option<HostRef> {
    all_hosts(snapshot)
        .into_iter()
        .find(|&host| snapshot.endpoint(host).unwrap().address == address)
}

fn all_hosts(snapshot: &Snapshot) -> Vec<HostRef> {
    let mut hosts = Vec::new();
    for (cluster, _) in snapshot.clusters() {
        let priorities = snapshot.plain(cluster).map_or(&[][..], |p| &p.priorities);
        for (number, priority) in priorities.iter().enumerate() {
            hosts.extend((0..priority.len()).map(|host| HostRef {
                cluster,
                priority: number,
                host,
            }));
        }
    }
    hosts
}

fn build(clusters: Vec<Cluster>) -> Snapshot {
    Snapshot::build(&model(clusters))
}

#[test]
fn a_session_stays_in_any_priority_of_its_host() {
    let snapshot = build(vec![plain(
        "c",
        &[&[("a", Healthy), ("b", Healthy)], &[("x", Healthy)]],
    )]);
    let ask = Ask::of(&snapshot, "c");
    for host in ["a", "b", "x"] {
        assert!(ask.kept(host), "{host}");
    }
    // Requests without a session stay in priority 0.
    assert_eq!(ask.decide(None).priority.unwrap().number, 0);
}

#[test]
fn each_host_status_keeps_sessions_or_not() {
    let snapshot = build(vec![plain(
        "c",
        &[&[
            ("unknown", Unknown),
            ("healthy", Healthy),
            ("degraded", Degraded),
            ("draining", Draining),
            ("unhealthy", Unhealthy),
            ("timeout", Timeout),
        ]],
    )]);
    let mut ask = Ask::of(&snapshot, "c");
    for (host, kept) in [
        ("unknown", true),
        ("healthy", true),
        ("degraded", true),
        ("draining", false),
        ("unhealthy", false),
        ("timeout", false),
    ] {
        assert_eq!(ask.kept(host), kept, "{host}");
    }
    assert_eq!(ask.moved("draining"), Some(SessionMove::Status(Draining)));
    ask.statuses = OverrideStatuses::DEFAULT.with(Draining);
    assert!(ask.kept("draining"));
    // Requests without a session do not use a draining host.
    for key in 0..200 {
        ask.key = Some(key);
        let chosen = ask.decide(None).endpoint(&snapshot).unwrap();
        assert!(["unknown", "healthy", "degraded"].contains(&&*chosen.address));
    }
    ask.statuses = OverrideStatuses::EMPTY;
    assert!(!ask.kept("healthy"), "the empty set keeps no session");
}

#[test]
fn a_priority_in_panic_keeps_its_sessions() {
    let cluster = plain("c", &[&[("a", Unhealthy), ("b", Unhealthy)]]);
    let cluster = with(cluster, |plain| {
        plain.panic_threshold = PanicThreshold::from_percent(50.0);
    });
    let snapshot = build(vec![cluster]);
    assert!(Ask::of(&snapshot, "c").kept("b"));
    let off = Ask {
        statuses: OverrideStatuses::EMPTY,
        ..Ask::of(&snapshot, "c")
    };
    assert!(!off.kept("b"));
}

#[test]
fn no_session_stays_in_a_panic_priority_without_load() {
    let panics = |cluster| {
        with(cluster, |plain| {
            plain.panic_threshold = PanicThreshold::DEFAULT;
        })
    };
    let primary = panics(plain("primary", &[&[("p", Unhealthy), ("q", Unhealthy)]]));
    let secondary = panics(plain("secondary", &[&[("s", Healthy), ("t", Unhealthy)]]));
    let priorities: &[&[_]] = &[&[("a", Unhealthy)], &[("x", Healthy), ("y", Unhealthy)]];
    let all = aggregate("all", 0.0, &["primary", "secondary"]);
    let snapshot = build(vec![
        primary,
        secondary,
        all,
        panics(plain("c", priorities)),
    ]);
    let ask = Ask::of(&snapshot, "all");
    assert_eq!(ask.moved("p"), Some(SessionMove::Status(Unhealthy)));
    assert_eq!(ask.session("p").0, "s");
    let alone = Ask::of(&snapshot, "primary");
    assert!(alone.kept("p"), "all requests use this cluster");
    let priorities = Ask::of(&snapshot, "c");
    assert_eq!(priorities.moved("a"), Some(SessionMove::Status(Unhealthy)));
}

#[test]
fn a_session_stays_in_any_reachable_cluster() {
    let primary = plain("primary", &[&[("p", Healthy)]]);
    let secondary = plain("secondary", &[&[("s", Healthy)]]);
    let other = plain("other", &[&[("o", Healthy)]]);
    let all = aggregate("all", 0.0, &["primary", "secondary"]);
    let snapshot = build(vec![primary, secondary, other, all]);
    let ask = Ask::of(&snapshot, "all");
    assert!(ask.kept("p") && ask.kept("s"));
    assert_eq!(
        ask.session("o"),
        (
            "p".into(),
            Reason::SessionMoved,
            Some(SessionMove::OtherCluster)
        )
    );
    let split = Ask {
        clusters: &["primary", "all"],
        ..Ask::of(&snapshot, "other")
    };
    assert!(split.kept("p") && split.kept("s") && split.kept("o"));
    let decision = split.decide(Some(Session {
        host: find(&snapshot, "s"),
    }));
    assert_eq!(
        decision.cluster,
        split.id("all"),
        "the cluster that reaches the host"
    );
    let alone = Ask::of(&snapshot, "primary");
    assert_eq!(alone.moved("s"), Some(SessionMove::OtherCluster));
}

fn staged() -> Vec<Endpoint> {
    let host = |address, status, text| endpoint(address, status, labels(text));
    vec![
        host("canary", Healthy, "stage=prod version=2"),
        host("stable", Healthy, "stage=prod version=1"),
        host("dev", Healthy, "stage=dev version=2"),
    ]
}

#[test]
fn no_session_leaves_its_subset() {
    let cluster = with(of("c", vec![priority_of(staged())]), |plain| {
        plain.subsets = Some(SubsetConfig {
            fallback: SubsetFallback::AnyEndpoint,
            selectors: vec![
                SubsetSelector::new(["stage"], SelectorFallback::default(), false).unwrap(),
            ],
            ..SubsetConfig::default()
        });
    });
    let snapshot = build(vec![cluster]);
    let prod = Ask {
        criteria: "stage=prod",
        ..Ask::of(&snapshot, "c")
    };
    assert!(prod.kept("canary") && prod.kept("stable"));
    assert_eq!(prod.moved("dev"), Some(SessionMove::OtherSubset));
    let nowhere = Ask {
        criteria: "stage=lost",
        ..Ask::of(&snapshot, "c")
    };
    assert!(nowhere.kept("dev"), "the fallback allows every host");
}

#[test]
fn a_chain_keeps_sessions_on_every_matching_step() {
    let keys = |keys: &[&str]| {
        ChainStep::new(ChainHosts::Keys(
            keys.iter().map(|&key| key.into()).collect(),
        ))
    };
    let model = model(vec![of("c", vec![priority_of(staged())])]).with_chain(
        FallbackChain::new(vec![keys(&["stage", "version"]), keys(&["stage"])]).unwrap(),
    );
    let snapshot = Snapshot::build(&model);
    let ask = Ask {
        criteria: "stage=prod version=2",
        ..Ask::of(&snapshot, "c")
    };
    assert!(ask.kept("canary"));
    assert!(ask.kept("stable"), "the session may have moved there");
    assert_eq!(ask.moved("dev"), Some(SessionMove::OtherSubset));
    let bare = Ask {
        criteria: "version=2",
        ..Ask::of(&snapshot, "c")
    };
    assert_eq!(
        bare.moved("canary"),
        Some(SessionMove::OtherSubset),
        "no step"
    );
}

#[test]
fn a_lost_session_is_refused_if_configured() {
    let snapshot = build(vec![plain("c", &[&[("a", Unhealthy), ("b", Healthy)]])]);
    let ask = Ask {
        on_lost: OnLost::Refuse,
        ..Ask::of(&snapshot, "c")
    };
    let lost = (
        "none".into(),
        Reason::NoHost,
        Some(SessionMove::Status(Unhealthy)),
    );
    assert_eq!(ask.session("a"), lost);
    assert_eq!(ask.moved("unknown"), Some(SessionMove::Gone));
    assert_eq!(
        ask.decide(None).reason,
        Reason::Chosen,
        "a request without a session"
    );
}

/// Envoy tries the next candidate if a host fails before the next poll.
#[test]
fn the_second_candidate_is_where_the_session_would_move() {
    let hosts = [
        ("a", Healthy),
        ("b", Healthy),
        ("c", Healthy),
        ("d", Healthy),
    ];
    let snapshot = build(vec![plain("c", &[&hosts])]);
    let without = build(vec![plain("c", &[&hosts[1..]])]);
    let mut seen = BTreeMap::new();
    for key in 0..300 {
        let session = Session {
            host: find(&snapshot, "a"),
        };
        let mut ask = Ask::of(&snapshot, "c");
        ask.key = Some(key);
        let stays = ask.decide(Some(session));
        let list = stays.candidates(&snapshot, 4);
        let list: Vec<&str> = list.iter().map(|host| host.address.as_str()).collect();
        assert_eq!(list.len(), 4, "{list:?}");
        assert_eq!(list[0], "a");
        let mut later = Ask::of(&without, "c");
        later.key = Some(key);
        let moved = later.decide(Some(Session { host: None }));
        assert_eq!(moved.endpoint(&without).unwrap().address, list[1]);
        *seen.entry(list[1].to_owned()).or_insert(0) += 1;
    }
    assert!(
        seen.len() == 3 && seen.values().all(|n| *n > 60),
        "{seen:?}"
    );
}

fn shop(down: &[&str]) -> Vec<Cluster> {
    let names: Vec<String> = (0..12).map(|at| format!("h{at}")).collect();
    let hosts: Vec<(&str, HealthStatus)> = names
        .iter()
        .map(|name| {
            let status = if down.contains(&&**name) {
                Unhealthy
            } else {
                Healthy
            };
            (name.as_str(), status)
        })
        .collect();
    vec![
        plain("a", &[&hosts[..4], &hosts[4..6]]),
        plain("b", &[&hosts[6..]]),
        aggregate("shop", 0.0, &["a", "b"]),
    ]
}

#[test]
fn replicas_agree_on_the_host_of_a_session() {
    let snapshot = build(shop(&["h0", "h1", "h2"]));
    for key in 0..500 {
        let answers: Vec<String> = (0..4)
            .map(|seed| {
                let ask = Ask {
                    key: Some(key),
                    seed,
                    ..Ask::of(&snapshot, "shop")
                };
                ask.session("h0").0
            })
            .collect();
        assert!(
            answers.iter().all(|answer| *answer == answers[0]),
            "{answers:?}"
        );
    }
}

#[test]
fn only_sessions_of_failed_hosts_move_and_they_do_not_return() {
    let well = build(shop(&[]));
    let failed = build(shop(&["h0", "h1", "h2", "h3", "h4", "h5"]));
    let mut moves = 0;
    for key in 0..1_000 {
        let visit = |snapshot: &Snapshot, host: Option<&str>| {
            let ask = Ask {
                key: Some(key),
                ..Ask::of(snapshot, "shop")
            };
            let session = host.map(|host| Session {
                host: find(snapshot, host),
            });
            let decision = ask.decide(session);
            decision.endpoint(snapshot).unwrap().address.clone()
        };
        let first = visit(&well, None);
        let during = visit(&failed, Some(&first));
        moves += usize::from(during != first);
        assert_eq!(visit(&well, Some(&during)), during, "no session returns");
    }
    assert_eq!(moves, 1_000, "all sessions started in the failed cluster");
}

#[test]
fn keys_spread_by_weight_and_by_the_load_of_priorities() {
    let snapshot = build(shop(&["h0", "h1"]));
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    for key in 0..20_000_u64 {
        let ask = Ask {
            key: Some(key.wrapping_mul(0x9e37_79b9_7f4a_7c15)),
            ..Ask::of(&snapshot, "shop")
        };
        let decision = ask.decide(None);
        let address = &decision.endpoint(&snapshot).unwrap().address;
        *counts.entry(address.clone()).or_default() += 1;
    }
    // P0 of `a` has half of its hosts, so 70 percent; P1 gets the rest.
    let percent = |host: &str| f64::from(counts.get(host).copied().unwrap_or(0)) / 200.0;
    for (host, expected) in [
        ("h2", 35.0),
        ("h3", 35.0),
        ("h4", 15.0),
        ("h5", 15.0),
        ("h6", 0.0),
    ] {
        assert!((percent(host) - expected).abs() < 1.5, "{host}: {counts:?}");
    }
}

#[test]
fn new_sessions_avoid_hot_hosts_and_old_ones_stay() {
    struct Hot(HostRef);
    impl HostStats for Hot {
        fn is_hot(&self, host: HostRef) -> bool {
            host == self.0
        }
    }
    let ring = with(plain("c", &[&[("a", Healthy), ("b", Healthy)]]), |plain| {
        plain.policy = Policy::RingHash(RingHashConfig::default());
    });
    let snapshot = build(vec![ring, plain("d", &[&[("x", Healthy), ("y", Healthy)]])]);
    for (cluster, host, other) in [("c", "a", "b"), ("d", "y", "x")] {
        let hot = Hot(find(&snapshot, host).unwrap());
        for (seed, key) in (0..100).map(|n| (n, (n % 2 == 0).then_some(n))) {
            let ask = Ask {
                hosts: &hot,
                key,
                seed,
                ..Ask::of(&snapshot, cluster)
            };
            let chosen = ask.decide(None).endpoint(&snapshot).unwrap();
            assert_eq!(chosen.address, other);
            assert!(ask.kept(host));
        }
    }
    let single = build(vec![plain("c", &[&[("a", Healthy)]])]);
    let hot = Hot(find(&single, "a").unwrap());
    let ask = Ask {
        hosts: &hot,
        ..Ask::of(&single, "c")
    };
    assert_eq!(
        ask.decide(None).reason,
        Reason::Chosen,
        "no other host is available"
    );
}

/// A second implementation of the session rules, one host at a time.
fn eligible(host: &(HealthStatus, u8), statuses: OverrideStatuses, wanted: Option<u8>) -> bool {
    statuses.contains(host.0) && wanted.is_none_or(|label| host.1 == label)
}

proptest! {
    #[test]
    fn a_session_moves_if_and_only_if_its_host_is_not_eligible(
        hosts in prop::collection::vec((prop::sample::select(HealthStatus::ALL.to_vec()), 0_u8..3), 1..12),
        statuses in prop::collection::vec(prop::sample::select(HealthStatus::ALL.to_vec()), 0..6),
        wanted in prop::option::of(0_u8..3),
        priorities in 1_usize..4,
        key in any::<u64>(),
        draws in any::<u64>(),
    ) {
        let statuses: OverrideStatuses = statuses.into_iter().collect();
        let endpoints = hosts.iter().enumerate().map(|(at, (status, label))| {
            endpoint(&format!("h{at}"), *status, labels(&format!("l={label}")))
        });
        let mut parts = vec![Vec::new(); priorities];
        for (at, endpoint) in endpoints.enumerate() {
            parts[at % priorities].push(endpoint);
        }
        let cluster = of("c", parts.into_iter().map(priority_of).collect());
        let mut chain = vec![ChainStep::new(ChainHosts::Keys(vec!["l".into()]))];
        if wanted.is_none() {
            chain = vec![ChainStep::new(ChainHosts::Any)];
        }
        let snapshot = Snapshot::build(&model(vec![cluster]).with_chain(FallbackChain::new(chain).unwrap()));
        let criteria = wanted.map_or(String::new(), |label| format!("l={label}"));
        let ask = Ask {
            criteria: &criteria,
            statuses,
            key: Some(key),
            seed: draws,
            ..Ask::of(&snapshot, "c")
        };
        for (at, host) in hosts.iter().enumerate() {
            let address = format!("h{at}");
            prop_assert_eq!(ask.kept(&address), eligible(host, statuses, wanted), "{}", address);
            let (answer, reason, _) = ask.session(&address);
            if reason == Reason::SessionMoved {
                let at: usize = answer.trim_start_matches('h').parse().unwrap();
                prop_assert!(wanted.is_none_or(|label| hosts[at].1 == label));
                prop_assert!(Health::from_status(hosts[at].0).coarse() != spillgate_core::model::CoarseHealth::Unhealthy);
            }
        }
    }
}

#[test]
fn without_a_key_the_policy_chooses() {
    let snapshot = build(shop(&["h0"]));
    let ask = |seed| Ask {
        key: None,
        seed,
        ..Ask::of(&snapshot, "shop")
    };
    let answers: std::collections::BTreeSet<String> =
        (0..50).map(|seed| ask(seed).session("h0").0).collect();
    assert!(answers.len() > 1, "the choice is random: {answers:?}");
}
