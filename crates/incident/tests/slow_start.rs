//! Slow start in incidents: which hosts get fewer requests at first, how many, and for how long.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use std::time::Duration;

use spillgate_core::model::{
    Cluster, Endpoint, Metadata, Model, PlainCluster, Priority, SlowStart,
};
use spillgate_health::{
    check::{ActiveCheck, HealthCheckKind},
    outlier::OutlierDetection,
};
use spillgate_incident::{
    ChangeKind, HostBehavior, HostEvent, IncidentHealth, IncidentPlan, IncidentRun, IncidentScript,
    IncidentSetup, RequestLoad,
};

const SECOND: Duration = Duration::from_secs(1);
const RPS: f64 = 100.0;

/// The run of two hosts with a window of 60 s, one of which does something.
fn run(health: IncidentHealth, behavior: HostBehavior, span: &str) -> IncidentRun {
    let hosts = ["10.0.0.1:80", "10.0.0.2:80"].map(Endpoint::new);
    let shop = PlainCluster {
        priorities: vec![Priority::single_locality(hosts.into())],
        slow_start: SlowStart::new(60 * SECOND, 1.0, 10.0),
        ..PlainCluster::default()
    };
    let model = Model::new(vec![Cluster::plain("shop", shop)]).unwrap();
    let health = vec![("shop".into(), health)];
    let setup = IncidentSetup::new(model, "shop", Metadata::EMPTY, health).unwrap();
    let event = HostEvent::parse(behavior, &format!("host=10.0.0.1:80@{span}")).unwrap();
    let script = IncidentScript {
        events: vec![event],
        load: RequestLoad::constant(RPS),
        until: Some(200 * SECOND),
        ..IncidentScript::default()
    };
    let (plan, faults) = IncidentPlan::new(&script, setup.scene());
    assert!(faults.is_empty(), "{faults:?}");
    IncidentRun::new(&setup, &plan, 1)
}

fn checks() -> IncidentHealth {
    let check = ActiveCheck::new(HealthCheckKind::Tcp, SECOND, SECOND);
    IncidentHealth {
        checks: vec![check.with_thresholds(1, 1)],
        ..IncidentHealth::default()
    }
}

/// When a change first happens.
fn time_of(run: &IncidentRun, kind: ChangeKind) -> Option<Duration> {
    let changes = run.rows.iter().flat_map(|row| &row.changes);
    let mut of_kind = changes.filter(|change| change.kind == kind);
    of_kind.next().map(|change| change.first)
}

/// The requests per second of the host that always works, at a time.
fn other(run: &IncidentRun, at: Duration) -> f64 {
    let mut rows = run.rows.iter().rev();
    rows.find(|row| row.from <= at)
        .map_or(0.0, |row| row.highest)
}

#[track_caller]
fn is_grown(run: &IncidentRun, start: Duration) {
    for (after, weight) in [(1, 0.1), (13, 0.25), (31, 0.55), (57, 0.95), (61, 1.0)] {
        let expected = RPS / (1.0 + weight);
        let found = other(run, start + after * SECOND);
        assert!(
            (found - expected).abs() < 0.01,
            "{after}: {found} {expected}"
        );
    }
}

/// Weights are those of the middle of each tenth of the window.
#[test]
fn a_host_that_passes_its_checks_again_starts_slowly() {
    let run = run(checks(), HostBehavior::Refuse, "10s..40s");
    let passes = time_of(&run, ChangeKind::ChecksPass).unwrap();
    assert_eq!(time_of(&run, ChangeKind::SlowStartBegins), Some(passes));
    is_grown(&run, passes);
    let ends = time_of(&run, ChangeKind::SlowStartEnds).unwrap();
    assert_eq!(ends, passes + 60 * SECOND);
    assert_eq!(run.recovered, Some(ends - 40 * SECOND));
}

#[test]
fn a_new_host_without_checks_starts_slowly() {
    let run = run(IncidentHealth::default(), HostBehavior::Add, "20s..");
    is_grown(&run, 20 * SECOND);
}

#[test]
fn a_new_host_starts_slowly_with_its_first_check() {
    let health = IncidentHealth {
        // Without it, workers see the passed check a second after the new host.
        merge_window: Duration::ZERO,
        ..checks()
    };
    let run = run(health, HostBehavior::Add, "20s..");
    is_grown(&run, time_of(&run, ChangeKind::ChecksPass).unwrap());
}

/// Envoy counts from the last passed check of a host that failed before, not from the end of an ejection.
#[test]
fn a_host_whose_ejection_ends_starts_at_full_weight() {
    let health = IncidentHealth {
        outlier: Some(OutlierDetection {
            max_ejection_percent: 100,
            ..OutlierDetection::default()
        }),
        ..IncidentHealth::default()
    };
    let run = run(health, HostBehavior::Refuse, "10s..12s");
    let returned = time_of(&run, ChangeKind::Returned).unwrap();
    assert_eq!(time_of(&run, ChangeKind::SlowStartBegins), None);
    assert!((other(&run, returned + 2 * SECOND) - RPS / 2.0).abs() < 0.01);
}

#[test]
fn hosts_are_not_new_at_the_start() {
    let run = run(checks(), HostBehavior::Refuse, "150s..160s");
    assert!((other(&run, Duration::ZERO) - RPS / 2.0).abs() < 0.01);
}
