//! Circuit breakers: which requests they refuse while a host of three does not answer.
//!
//! The measured figures are those of Envoy 1.40.0 with random arrivals, 100 requests per second for 9 s, and a timeout
//! of 3 s.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::time::Duration;

use spillgate_core::{
    model::{Cluster, Endpoint, Metadata, Model, PlainCluster, Priority},
    route::{RetryBackOff, RetryCap, RetryPolicy},
};
use spillgate_incident::{
    ChangeKind, CircuitBreaker, HostBehavior, HostEvent, IncidentExpectation, IncidentHealth,
    IncidentPlan, IncidentReport, IncidentRun, IncidentScript, IncidentSetup, RequestLoad,
    RetryLimits, Timeouts,
};

const SECOND: Duration = Duration::from_secs(1);
const TIMEOUTS: Timeouts = Timeouts {
    route: Some(Duration::from_secs(3)),
    per_try: None,
};

const fn breaker(connections: u32, pending_requests: u32, requests: u32) -> CircuitBreaker {
    CircuitBreaker {
        connections,
        pending_requests,
        requests,
        shares_connections: Some(false),
    }
}

fn shared(requests: u32) -> CircuitBreaker {
    CircuitBreaker {
        shares_connections: Some(true),
        ..breaker(1_024, 1_024, requests)
    }
}

fn setup(breaker: CircuitBreaker) -> IncidentSetup {
    let hosts = ["10.0.0.1:80", "10.0.0.2:80", "10.0.0.3:80"].map(Endpoint::new);
    let shop = PlainCluster {
        priorities: vec![Priority::single_locality(hosts.into())],
        ..PlainCluster::default()
    };
    let model = Model::new(vec![Cluster::plain("shop", shop)]).unwrap();
    let health = IncidentHealth {
        breaker: Some(breaker),
        ..IncidentHealth::default()
    };
    let health = vec![("shop".into(), health)];
    let setup = IncidentSetup::new(model, "shop", Metadata::EMPTY, health).unwrap();
    setup.with_route(RetryPolicy::NONE, TIMEOUTS)
}

fn silent(rps: f64) -> IncidentScript {
    let event = HostEvent::parse(HostBehavior::Silent, "host=10.0.0.1:80@0s..").unwrap();
    IncidentScript {
        events: vec![event],
        load: RequestLoad::constant(rps),
        until: Some(9 * SECOND),
        ..IncidentScript::default()
    }
}

fn report(setup: &IncidentSetup, script: &IncidentScript) -> IncidentReport {
    let (plan, faults) = IncidentPlan::new(script, setup.scene());
    assert!(faults.is_empty(), "{faults:?}");
    IncidentReport::new(setup, &plan, &[IncidentRun::new(setup, &plan, 1)])
}

#[track_caller]
fn close(found: f64, expected: f64) {
    let most = expected.abs() * 1e-6 + 1e-6;
    assert!((found - expected).abs() <= most, "{found} {expected}");
}

/// 40 places are taken after 1.2 s, and free again when their requests time out. Measured: 570 of 913 requests refused,
/// also those to the two hosts that work, and 120 timeouts.
#[test]
fn max_requests_refuses_requests_to_hosts_that_work() {
    for breaker in [shared(40), breaker(1_024, 1_024, 40)] {
        let report = report(&setup(breaker), &silent(100.0));
        close(report.refused.mean, 540.0);
        close(report.failed.mean, 540.0 + 120.0);
        let opens = report.rows.iter().flat_map(|row| &row.changes);
        let opens = opens.filter(|change| change.kind == ChangeKind::BreakerOpens);
        let opens: Vec<u128> = opens.map(|change| change.first.as_millis()).collect();
        assert_eq!(opens, [1_200, 4_200, 7_200]);
        let own = IncidentExpectation::parse("no 503").unwrap();
        assert!(!own.check(&report).ok);
        let text = report.sentences().join(" ");
        let expected = "max_requests 40 refuses 540 of the requests with 503 (UO), also those to hosts that work.";
        assert!(text.contains(expected), "{text}");
    }
}

/// With a connection for each request, 38 have one, next to those of the two hosts that work, and 20 wait for one.
/// Measured: 120 refused, 168 timeouts, and no failure of a host that works.
#[test]
fn connections_keep_hosts_that_work_in_use() {
    let report = report(&setup(breaker(40, 20, 40)), &silent(100.0));
    close(report.refused.mean, 300.0 - 3.0 * 58.0);
    close(report.failed.mean, 300.0);
    let text = report.sentences().join(" ");
    let expected = "max_connections 40 with max_pending_requests 20 refuse 126 of the requests with 503 (UO), those to hosts that answer late.";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn a_breaker_with_enough_places_never_opens() {
    for places in [101, 1_024] {
        let report = report(&setup(shared(places)), &silent(100.0));
        assert_eq!(report.refused.most, 0.0);
        close(report.failed.mean, 300.0);
    }
}

/// Half of the requests find a place: Erlang's formula for 10 on average and 5 places has 56.4 %.
#[test]
fn the_service_time_takes_places() {
    let script = IncidentScript {
        service_time: Some(Duration::from_millis(100)),
        events: vec![HostEvent::parse(HostBehavior::Degraded, "host=10.0.0.1:80@0s..").unwrap()],
        ..silent(100.0)
    };
    let found = report(&setup(shared(5)), &script);
    close(found.refused.mean / 900.0, 0.563_952);
    assert_eq!(report(&setup(shared(100)), &script).refused.most, 0.0);
}

/// A host refuses connections, so a third of the requests are retried, each after 12.5 ms on average.
#[test]
fn max_retries_limits_retries_at_the_same_time() {
    let retried = |cap, rps: f64| {
        let retry = RetryPolicy {
            retry_on: "connect-failure".into(),
            retries: 1,
            ..RetryPolicy::NONE
        };
        let limits = RetryLimits {
            cap,
            back_off: RetryBackOff::DEFAULT,
        };
        let setup = setup(shared(1_024)).with_route(retry, TIMEOUTS);
        let setup = setup.with_retry_limits(Some(limits));
        let script = IncidentScript {
            events: vec![HostEvent::parse(HostBehavior::Refuse, "host=10.0.0.1:80@0s..").unwrap()],
            ..silent(rps)
        };
        report(&setup, &script)
    };
    let few = retried(RetryCap::Most(3), 720.0);
    // 240 retries per second, 3 of them active: Erlang's formula has 34.6 % for 3 places.
    close(few.retries_refused.mean, 9.0 * 240.0 * 0.346_154);
    close(few.retried.mean, 9.0 * 240.0 * (1.0 - 0.346_154));
    let text = few.sentences().join(" ");
    assert!(
        text.contains("max_retries 3 prevents 748 retries"),
        "{text}"
    );
    let budget = RetryCap::Budget {
        percent: 20.0,
        least: 3,
    };
    close(
        retried(budget, 720.0).retries_refused.mean,
        few.retries_refused.mean,
    );
    assert_eq!(
        retried(RetryCap::Most(1_000), 720.0).retries_refused.most,
        0.0
    );
}
