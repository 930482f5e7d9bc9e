//! Override hosts: stateful sessions, and the `override_host` policy.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

mod common;

use common::{Given, aggregate, endpoint, labels, model, priority_of};
use spillgate_core::{
    decide::{
        BalancerState, Decision, OverrideRequest, OverrideResolution, OverrideTarget, Reason,
        Request, SessionHost, decide_with_override,
    },
    draw::SplitMix64,
    model::{
        Cluster, ClusterKind, HealthStatus, Metadata, OverrideHostSource, OverrideStatuses,
        PlainCluster, Policy,
    },
    route::{
        HeaderList, HostPredicate, OverrideHost, RetryPolicy, SessionReading, SessionStateKind,
        StatefulSession,
    },
    snapshot::{ClusterId, HostRef, Snapshot},
    trace::{ConfigRef, Step, StepData, StepKind},
};

const NO_HEADERS: HeaderList<'_, &str, &str> = HeaderList(&[]);

fn session(strict: bool) -> StatefulSession {
    StatefulSession {
        carrier: SessionStateKind::Header("x-sess".into()),
        strict,
        status_not_found: 410,
    }
}

/// Two priorities: P0 has a healthy, a draining and an unhealthy host, P1 a degraded host.
fn snapshot(statuses: OverrideStatuses, override_hosts: Vec<OverrideHostSource>) -> Snapshot {
    let host = |address, status| endpoint(address, status, labels("stage=prod"));
    let shop = Cluster {
        name: "shop".into(),
        kind: ClusterKind::Plain(PlainCluster {
            policy: Policy::RoundRobin,
            override_hosts,
            override_statuses: statuses,
            priorities: vec![
                priority_of(vec![
                    host("a:1", HealthStatus::Healthy),
                    host("drains:1", HealthStatus::Draining),
                    host("unhealthy:1", HealthStatus::Unhealthy),
                ]),
                priority_of(vec![host("slow:1", HealthStatus::Degraded)]),
            ],
            ..PlainCluster::default()
        }),
    };
    Snapshot::build(&model(vec![shop, aggregate("all", 50.0, &["shop"])]))
}

fn decided(
    snapshot: &Snapshot,
    cluster: &str,
    named: &OverrideRequest<'_>,
    retry: &RetryPolicy,
    tried: &[HostRef],
) -> (Decision, Option<u16>, Vec<Step>) {
    let cluster = snapshot.cluster_id(cluster).unwrap();
    let request = Request {
        tried,
        retry,
        ..Request::new(cluster, &NO_HEADERS)
    };
    let mut draw = SplitMix64::new(1);
    let mut state = BalancerState::new(snapshot, &mut draw);
    let mut steps = Vec::new();
    let (decision, refused) =
        decide_with_override(snapshot, &mut state, &request, named, &mut draw, &mut steps);
    // Resolving without deciding gives the same result.
    let found = match named.resolve(snapshot, &request) {
        OverrideResolution::Host(host) => Some(host.host()),
        OverrideResolution::Refused(status) => {
            assert_eq!(refused, Some(status));
            None
        }
        OverrideResolution::Balancer { .. } => decision.host_ref(),
    };
    assert_eq!(found, decision.host_ref());
    (decision, refused, steps)
}

fn by_session<'s>(session: &'s StatefulSession, address: &str) -> OverrideRequest<'s> {
    OverrideRequest {
        sessions: vec![(session, SessionReading::Host(session.names(address.into())))],
        listed: Vec::new(),
    }
}

fn address<'s>(snapshot: &'s Snapshot, decision: &Decision) -> Option<&'s str> {
    decision.endpoint(snapshot).map(|e| e.address.as_str())
}

#[test]
fn a_session_stays_in_any_priority() {
    let snapshot = snapshot(OverrideStatuses::DEFAULT, Vec::new());
    let lax = session(false);
    for (host, kept) in [("a:1", "a:1"), ("slow:1", "slow:1")] {
        let named = by_session(&lax, host);
        let (decision, refused, steps) =
            decided(&snapshot, "shop", &named, &RetryPolicy::NONE, &[]);
        assert_eq!(address(&snapshot, &decision), Some(kept));
        assert_eq!((decision.reason, refused), (Reason::Session, None));
        let kinds: Vec<StepKind> = steps.iter().map(|step| step.kind()).collect();
        assert_eq!(kinds, [StepKind::Route, StepKind::Session, StepKind::Host]);
        assert_eq!(steps[1].config, ConfigRef::RouteSession);
    }
}

#[test]
fn a_session_whose_host_cannot_serve_moves_or_is_refused() {
    let snapshot = snapshot(OverrideStatuses::DEFAULT, Vec::new());
    let shop = snapshot.cluster_id("shop").unwrap();
    let (lax, strict) = (session(false), session(true));
    for (cluster, host, status, ground) in [
        ("shop", "drains:1", 503, ConfigRef::OverrideStatuses(shop)),
        (
            "shop",
            "unhealthy:1",
            503,
            ConfigRef::OverrideStatuses(shop),
        ),
        // The configured status applies to a host that does not exist.
        ("shop", "unknown:1", 410, ConfigRef::RouteSession),
        (
            "all",
            "a:1",
            410,
            ConfigRef::Members(snapshot.cluster_id("all").unwrap()),
        ),
    ] {
        let named = by_session(&lax, host);
        let (decision, refused, steps) =
            decided(&snapshot, cluster, &named, &RetryPolicy::NONE, &[]);
        assert_eq!(address(&snapshot, &decision), Some("a:1"), "{host}");
        assert_eq!((decision.reason, refused), (Reason::SessionMoved, None));
        // The step of the session follows the route and precedes the choice.
        assert_eq!(steps[1].kind(), StepKind::Session, "{steps:?}");
        assert_eq!(steps[1].config, ground);

        let named = by_session(&strict, host);
        let (decision, refused, steps) =
            decided(&snapshot, cluster, &named, &RetryPolicy::NONE, &[]);
        assert_eq!((decision.reason, refused), (Reason::NoHost, Some(status)));
        assert_eq!(decision.host_ref(), None);
        assert_eq!(steps.last().unwrap().config, ground);
    }
}

#[test]
fn each_status_counts_separately_and_the_empty_set_keeps_no_session() {
    let id = |snapshot: &Snapshot| -> ClusterId { snapshot.cluster_id("shop").unwrap() };
    let only = OverrideStatuses::EMPTY.with(HealthStatus::Draining);
    let draining = snapshot(only, Vec::new());
    let of = |address| draining.session_host(id(&draining), address);
    assert!(matches!(of("drains:1"), SessionHost::Accepted(_)));
    assert!(matches!(
        of("a:1"),
        SessionHost::Status(_, HealthStatus::Healthy)
    ));
    assert_eq!(of("unknown:1"), SessionHost::Unknown);
    let nothing = snapshot(OverrideStatuses::EMPTY, Vec::new());
    for host in ["a:1", "drains:1", "unhealthy:1", "slow:1"] {
        let found = nothing.session_host(id(&nothing), host);
        assert!(matches!(found, SessionHost::Status(..)), "{host}");
    }
}

#[test]
fn the_last_session_that_names_a_host_counts() {
    let snapshot = snapshot(OverrideStatuses::DEFAULT, Vec::new());
    let (first, second) = (session(false), session(true));
    let mut named = by_session(&first, "slow:1");
    for (reading, kept) in [
        (SessionReading::Absent, "slow:1"),
        (SessionReading::NotBase64, "slow:1"),
        (SessionReading::Expired { expires: 1 }, "slow:1"),
        (SessionReading::Host(second.names("a:1".into())), "a:1"),
    ] {
        named.sessions.truncate(1);
        named.sessions.push((&second, reading));
        let (decision, refused, _) = decided(&snapshot, "shop", &named, &RetryPolicy::NONE, &[]);
        assert_eq!(address(&snapshot, &decision), Some(kept));
        assert_eq!(refused, None);
    }
}

#[test]
fn each_session_that_names_no_host_is_a_step_with_its_reading() {
    let snapshot = snapshot(OverrideStatuses::DEFAULT, Vec::new());
    let session = session(false);
    let mut named = by_session(&session, "slow:1");
    for reading in [SessionReading::Absent, SessionReading::NotBase64] {
        named.sessions.push((&session, reading));
    }
    let (.., steps) = decided(&snapshot, "shop", &named, &RetryPolicy::NONE, &[]);
    let unread: Vec<_> = steps
        .iter()
        .filter_map(|step| match &step.data {
            StepData::NoSession { carrier, reading } => Some((step.config, carrier, reading)),
            _ => None,
        })
        .collect();
    let of = |reading| (ConfigRef::RouteSession, &session.carrier, reading);
    let expected = [&SessionReading::Absent, &SessionReading::NotBase64].map(of);
    assert_eq!(unread, expected);
}

#[test]
fn the_override_host_list_follows_its_order_and_not_health() {
    let sources = vec![OverrideHostSource::Header("x-host".into())];
    let snapshot = snapshot(OverrideStatuses::DEFAULT, sources);
    let list = |hosts: &[&str]| OverrideRequest {
        sessions: Vec::new(),
        listed: hosts.iter().map(ToString::to_string).collect(),
    };
    let shop = snapshot.cluster_id("shop").unwrap();
    let a = HostRef {
        cluster: shop,
        priority: 0,
        host: 0,
    };
    let again = RetryPolicy {
        predicates: vec![HostPredicate::PreviousHosts],
        host_selection_attempts: 3,
        ..RetryPolicy::NONE
    };
    for (hosts, tried, retry, expected) in [
        (
            &["unknown:1", "unhealthy:1", "a:1"][..],
            0,
            &RetryPolicy::NONE,
            "unhealthy:1",
        ),
        (&["drains:1"], 0, &RetryPolicy::NONE, "drains:1"),
        // Each attempt uses the next known host, then the fallback.
        (
            &["unhealthy:1", "unknown:1", "slow:1"],
            1,
            &RetryPolicy::NONE,
            "slow:1",
        ),
        (&["unhealthy:1"], 1, &RetryPolicy::NONE, "a:1"),
        (&["unknown:1"], 0, &RetryPolicy::NONE, "a:1"),
        // Retry host predicates do not reject hosts of the list.
        (&["slow:1", "a:1", "unhealthy:1"], 1, &again, "a:1"),
    ] {
        let tried = vec![a; tried];
        let (decision, ..) = decided(&snapshot, "shop", &list(hosts), retry, &tried);
        assert_eq!(address(&snapshot, &decision), Some(expected), "{hosts:?}");
    }
    // An aggregate ignores the list.
    let (decision, ..) = decided(
        &snapshot,
        "all",
        &list(&["unhealthy:1"]),
        &RetryPolicy::NONE,
        &[],
    );
    assert_eq!(address(&snapshot, &decision), Some("a:1"));
}

#[test]
fn retries_ignore_sessions_and_a_session_precedes_the_list() {
    let sources = vec![OverrideHostSource::Header("x-host".into())];
    let snapshot = snapshot(OverrideStatuses::DEFAULT, sources);
    let strict = session(true);
    let shop = snapshot.cluster_id("shop").unwrap();
    let slow = HostRef {
        cluster: shop,
        priority: 1,
        host: 0,
    };
    let named = by_session(&strict, "slow:1");
    let (decision, refused, _) = decided(&snapshot, "shop", &named, &RetryPolicy::NONE, &[slow]);
    assert_eq!(address(&snapshot, &decision), Some("a:1"));
    assert_eq!((decision.reason, refused), (Reason::Chosen, None));

    let both = OverrideRequest {
        listed: vec!["unhealthy:1".into()],
        ..named
    };
    let request = Request::new(shop, &NO_HEADERS);
    let resolved = both.resolve(&snapshot, &request);
    assert_eq!(
        resolved,
        OverrideResolution::Host(OverrideTarget::Session(slow))
    );
    // The session served the first attempt, so the retry is the first one to use the list.
    let (decision, ..) = decided(&snapshot, "shop", &both, &RetryPolicy::NONE, &[slow]);
    assert_eq!(address(&snapshot, &decision), Some("unhealthy:1"));
}

#[test]
fn overload_is_dropped_before_the_session_is_considered() {
    let mut model = model(vec![common::plain(
        "c",
        Policy::RoundRobin,
        50.0,
        vec![common::partly(0, 1, 1)],
    )]);
    let mut clusters = model.clone().into_clusters();
    if let ClusterKind::Plain(plain) = &mut clusters[0].kind {
        plain.drop_overload = spillgate_core::model::DropOverload::from_millionths(1_000_000);
    }
    model = common::model(clusters);
    let snapshot = Snapshot::build(&model);
    let strict = session(true);
    let named = by_session(&strict, "10.0.0.0:80");
    let request = Request::new(snapshot.cluster_id("c").unwrap(), &NO_HEADERS);
    let mut state = BalancerState::new(&snapshot, &mut SplitMix64::new(1));
    let mut steps = Vec::new();
    let (decision, refused) = decide_with_override(
        &snapshot,
        &mut state,
        &request,
        &named,
        &mut Given(vec![7]),
        &mut steps,
    );
    assert_eq!((decision.reason, refused), (Reason::Dropped, None));
    assert_eq!(decision.host_ref(), None);
}

#[test]
fn a_host_is_found_under_its_first_address() {
    let host = |status| endpoint("a:1", status, Metadata::EMPTY);
    let cluster = Cluster {
        name: "c".into(),
        kind: ClusterKind::Plain(PlainCluster {
            priorities: vec![
                priority_of(vec![host(HealthStatus::Unhealthy)]),
                priority_of(vec![host(HealthStatus::Healthy)]),
            ],
            ..PlainCluster::default()
        }),
    };
    let snapshot = Snapshot::build(&model(vec![cluster]));
    let id = snapshot.cluster_id("c").unwrap();
    let found = snapshot.session_host(id, "a:1");
    assert!(matches!(
        found,
        SessionHost::Status(_, HealthStatus::Unhealthy)
    ));
    let host = OverrideHost {
        address: "a:1".into(),
        strict: true,
        status_not_found: 410,
    };
    assert_eq!(found.refusal(&host), Some(503));
}

#[test]
fn a_cluster_has_its_own_override_host_list_and_an_aggregate_none() {
    let header = OverrideHostSource::Header("x-hosts".into());
    let snapshot = snapshot(OverrideStatuses::DEFAULT, vec![header.clone()]);
    let sources = |name| snapshot.override_sources(snapshot.cluster_id(name).unwrap());
    assert_eq!(sources("shop"), [header]);
    assert_eq!(sources("all"), []);
}
