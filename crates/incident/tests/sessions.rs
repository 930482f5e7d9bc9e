//! Sessions in incidents: which stay, which move, and which requests fail meanwhile.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::time::Duration;

use spillgate_core::{
    draw::{Draw, SplitMix64},
    model::{Cluster, Endpoint, Metadata, Model, OverrideStatuses, PlainCluster, Policy, Priority},
    route::RetryPolicy,
};
use spillgate_health::check::{ActiveCheck, HealthCheckKind};
use spillgate_incident::{
    HostBehavior, HostEvent, IncidentHealth, IncidentPlan, IncidentRun, IncidentScript,
    IncidentSetup, RequestLoad, RouteSessions, SessionOutcome, Timeouts,
};

const SECOND: Duration = Duration::from_secs(1);
const RPS: f64 = 100.0;
const CLIENTS: u32 = 1_000;
const KEPT: RouteSessions = RouteSessions {
    strict: false,
    lifetime: None,
};

fn cluster(hosts: usize) -> PlainCluster {
    let hosts = (0..hosts).map(|host| Endpoint::new(format!("10.0.0.{host}:80")));
    PlainCluster {
        policy: Policy::Random,
        priorities: vec![Priority::single_locality(hosts.collect())],
        ..PlainCluster::default()
    }
}

/// A check each second, of which one decides.
fn checks() -> IncidentHealth {
    let check = ActiveCheck::new(HealthCheckKind::Tcp, SECOND, SECOND);
    IncidentHealth {
        checks: vec![check.with_thresholds(1, 1)],
        ..IncidentHealth::default()
    }
}

fn setup(cluster: PlainCluster, health: IncidentHealth) -> IncidentSetup {
    let model = Model::new(vec![Cluster::plain("shop", cluster)]).unwrap();
    let health = vec![("shop".into(), health)];
    IncidentSetup::new(model, "shop", Metadata::EMPTY, health).unwrap()
}

fn run(setup: &IncidentSetup, behavior: HostBehavior, text: &str) -> IncidentRun {
    let script = IncidentScript {
        events: vec![HostEvent::parse(behavior, text).unwrap()],
        load: RequestLoad::constant(RPS),
        sessions: CLIENTS,
        until: Some(100 * SECOND),
        ..IncidentScript::default()
    };
    let (plan, faults) = IncidentPlan::new(&script, setup.scene());
    assert!(faults.is_empty(), "{faults:?}");
    IncidentRun::new(setup, &plan, 1)
}

fn outcome(run: &IncidentRun) -> SessionOutcome {
    run.sessions.unwrap()
}

fn near(found: f64, expected: f64, most: f64) {
    assert!((found - expected).abs() <= most, "{found} {expected}");
}

#[test]
fn sessions_of_a_failed_host_move_one_by_one_and_do_not_return() {
    let setup = setup(cluster(2), checks()).with_sessions(Some(KEPT));
    let run = run(&setup, HostBehavior::Refuse, "host=10.0.0.0:80@10s..60s");
    let noticed = run.detections[0].failed + run.detections[0].after;
    // Until then half of the requests fail, afterwards none.
    let waits = run.detections[0].after.as_secs_f64();
    near(run.totals.failed, RPS / 2.0 * waits, 0.5);
    // Each client sends a request in 10 s: the sessions that remain at the start and at the end of a row.
    let per_second = RPS / f64::from(CLIENTS);
    let left = |at: Duration| 50.0 * (-per_second * at.saturating_sub(noticed).as_secs_f64()).exp();
    for pair in run.rows.windows(2) {
        let (row, next) = (&pair[0], &pair[1]);
        if row.from > noticed && row.from < 60 * SECOND {
            let (most, least) = (left(row.from), left(next.from));
            let is_between = (least - 0.05..=most + 0.05).contains(&row.concerned);
            assert!(is_between, "{row:?}: {least} to {most}");
        }
    }
    let outcome = outcome(&run);
    near(outcome.before, 50.0, 1e-9);
    near(outcome.after, left(61 * SECOND), 0.2);
    near(outcome.moved, f64::from(CLIENTS) / 2.0, 5.0);
}

#[test]
fn strict_sessions_fail_until_their_host_returns() {
    let rules = RouteSessions {
        strict: true,
        ..KEPT
    };
    let setup = setup(cluster(2), checks()).with_sessions(Some(rules));
    let run = run(&setup, HostBehavior::Refuse, "host=10.0.0.0:80@10s..60s");
    let outcome = outcome(&run);
    near(outcome.moved, 0.0, 1e-9);
    near(outcome.after, 50.0, 1e-9);
    // A check notices the end up to a second later, and workers get it at once.
    let failed = run.totals.failed / (RPS / 2.0);
    assert!((50.0..=51.5).contains(&failed), "{failed}");
}

#[test]
fn without_statuses_no_session_is_kept() {
    let mut cluster = cluster(2);
    cluster.override_statuses = OverrideStatuses::EMPTY;
    let all = setup(cluster, checks());
    let without = run(&all, HostBehavior::Refuse, "host=10.0.0.0:80@10s..60s");
    assert_eq!(without.sessions, None);
    let with = all.with_sessions(Some(KEPT));
    let with = run(&with, HostBehavior::Refuse, "host=10.0.0.0:80@10s..60s");
    near(with.totals.failed, without.totals.failed, 1e-6);
    near(with.rows.last().unwrap().highest, 50.0, 1e-9);
}

#[test]
fn in_panic_mode_only_requests_that_get_another_host_move_their_session() {
    let setup = setup(cluster(2), checks()).with_sessions(Some(KEPT));
    let run = run(&setup, HostBehavior::Refuse, "priority=0@10s..60s");
    let row = run.rows.iter().find(|row| row.hosts.healthy == 0).unwrap();
    near(row.moved, RPS / 2.0, 1e-6);
    near(row.failed, RPS, 1e-6);
}

/// Nothing notices the failure of one host of three; a retry goes to any of them, and the session with it.
#[test]
fn retries_move_sessions_as_single_requests_do() {
    let retry = RetryPolicy {
        retry_on: "connect-failure".into(),
        retries: 1,
        ..RetryPolicy::NONE
    };
    let setup = setup(cluster(3), IncidentHealth::default())
        .with_route(retry, Timeouts::default())
        .with_sessions(Some(KEPT));
    let run = run(&setup, HostBehavior::Refuse, "host=10.0.0.0:80@10s..");
    let (moved, failed) = by_single_requests(90.0);
    near(run.totals.moved, moved, 15.0);
    near(run.totals.failed, failed, 30.0);
    near(outcome(&run).after, 0.2, 0.2);
}

/// Clients, request by request: how many sessions move, and how many requests fail, of `CLIENTS`.
fn by_single_requests(seconds: f64) -> (f64, f64) {
    const REPEATED: u32 = 20;
    let mut draw = SplitMix64::new(7);
    let mut on: Vec<u64> = (0..CLIENTS * REPEATED)
        .map(|client| u64::from(client % 3))
        .collect();
    let (mut moved, mut failed) = (0_u32, 0_u32);
    for _ in 0..(RPS * seconds) as u32 * REPEATED {
        let client = (draw.draw() % on.len() as u64) as usize;
        let host = on[client];
        if host == 0 {
            let next = draw.draw() % 3;
            failed += u32::from(next == 0);
            moved += u32::from(next != host);
            on[client] = next;
        }
    }
    let per = f64::from(REPEATED);
    (f64::from(moved) / per, f64::from(failed) / per)
}
