//! How much work a run is: hosts without events need no further checks, and mixed errors grow with the load.
#![allow(clippy::unwrap_used)]

use std::time::Duration;

use spillgate_core::model::{Cluster, Endpoint, Metadata, Model, PlainCluster, Priority};
use spillgate_health::{
    check::{ActiveCheck, HealthCheckKind},
    outlier::OutlierDetection,
};
use spillgate_incident::{
    ErrorAnswers, HostBehavior, HostEvent, IncidentHealth, IncidentPlan, IncidentRun,
    IncidentScript, IncidentSetup, RequestLoad,
};

const SECOND: Duration = Duration::from_secs(1);

fn setup(hosts: u8) -> IncidentSetup {
    let hosts = (1..=hosts).map(|number| Endpoint::new(format!("10.0.0.{number}:80")));
    let shop = PlainCluster {
        priorities: vec![Priority::single_locality(hosts.collect())],
        ..PlainCluster::default()
    };
    let model = Model::new(vec![Cluster::plain("shop", shop)]).unwrap();
    let check = ActiveCheck::new(HealthCheckKind::Tcp, SECOND, 5 * SECOND);
    let health = IncidentHealth {
        checks: vec![check.with_thresholds(3, 2)],
        outlier: Some(OutlierDetection::default()),
        ..IncidentHealth::default()
    };
    let health = vec![("shop".into(), health)];
    IncidentSetup::new(model, "shop", Metadata::EMPTY, health).unwrap()
}

fn plan(setup: &IncidentSetup, behavior: HostBehavior, event: &str, rps: f64) -> IncidentPlan {
    let script = IncidentScript {
        events: vec![HostEvent::parse(behavior, event).unwrap()],
        load: RequestLoad::constant(rps),
        until: Some(Duration::from_secs(3_600)),
        ..IncidentScript::default()
    };
    let (plan, faults) = IncidentPlan::new(&script, setup.scene());
    assert!(faults.is_empty(), "{faults:?}");
    plan
}

#[test]
fn mixed_errors_have_more_steps_with_more_requests() {
    let setup = setup(10);
    let event = "host=10.0.0.1:80:20%@10s..";
    let few = plan(
        &setup,
        HostBehavior::Errors(ErrorAnswers::ALL),
        event,
        100.0,
    )
    .steps(&setup);
    let many = plan(&setup, HostBehavior::Errors(ErrorAnswers::ALL), event, 1e7).steps(&setup);
    // A tenth of the requests of 3,590 s, with 0.32 rows of equal results for each.
    let results = 1e7 * 3_590.0 * 0.1 * 0.32;
    assert!((many / results - 1.0).abs() < 0.01, "{many}");
    assert!(few < 1e6, "{few}");
}

/// The hosts without events are healthy to the end, and the failing one returns.
#[test]
fn hosts_without_events_stay_healthy() {
    let setup = setup(10);
    let event = "host=10.0.0.1:80@10s..70s";
    let plan = plan(&setup, HostBehavior::Refuse, event, 100.0);
    let run = IncidentRun::new(&setup, &plan, 1);
    let fewest = run.rows.iter().map(|row| row.hosts.healthy).min();
    assert_eq!(fewest, Some(9));
    assert_eq!(run.rows.last().unwrap().hosts.healthy, 10);
    assert_eq!(run.detections.len(), 1);
}
