//! The published text: all that is known, and nothing else. `SPILLGATE_GOLDEN=write` rewrites the golden file.

#![allow(clippy::unwrap_used)]

use std::{fs, path::Path, time::Duration};

use spillgate_exporter::{
    ClusterFigures, ClusterLoad, CountedDifference, EnvoyFigures, FindingCount, PriorityFigures,
    TargetTable, ZoneLossFigures, exposition, metrics,
};

const SECOND: Duration = Duration::from_secs(1);

/// Two Envoys with figures, of which one cannot be read any more, and one that was never read.
fn table() -> TargetTable {
    let first = PriorityFigures {
        load: 0.7,
        availability: 0.7,
        hosts: 4,
        healthy_hosts: 2,
        until_spillover: Some(1),
        until_panic: Some(1),
        difference: Some(CountedDifference {
            value: -0.05,
            low: -0.1,
            high: 0.01,
        }),
        ..PriorityFigures::default()
    };
    let second = PriorityFigures {
        place: 1,
        member: Some("b".into()),
        load: 0.3,
        availability: 1.0,
        degraded_availability: 0.25,
        is_in_panic: true,
        until_panic: Some(0),
        ..PriorityFigures::default()
    };
    let shop = ClusterLoad {
        has_margins: true,
        zone_loss: Some(ZoneLossFigures {
            survives: false,
            overload: Some(1.5),
        }),
        counted_requests: Some(1_000),
        agrees: Some(true),
        priorities: vec![first, second],
        ..ClusterLoad::default()
    };
    let cluster = |name: &str, load| ClusterFigures {
        cluster: name.into(),
        load,
    };
    let finding = |severity, count| FindingCount { severity, count };
    let envoy = EnvoyFigures {
        clusters: vec![
            cluster("a \"quoted\" name", Some(shop)),
            cluster("dynamic", None),
        ],
        left_out: 3,
        findings: vec![
            finding("error", 0),
            finding("warning", 2),
            finding("info", 1),
        ],
        limits: 1,
    };
    let mut table = TargetTable::default();
    table.set_targets(["edge", "gone", "new"], 7);
    table.count_discovery_errors(2);
    table
        .status_mut("edge")
        .unwrap()
        .succeed(10 * SECOND, SECOND / 4, envoy);
    let gone = table.status_mut("gone").unwrap();
    gone.succeed(SECOND, SECOND, EnvoyFigures::default());
    gone.fail(5 * SECOND);
    table
}

#[test]
fn the_text_has_all_that_is_known() {
    let text = exposition(table().into(), 12 * SECOND).unwrap();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/exposition.txt");
    if std::env::var_os("SPILLGATE_GOLDEN").is_some_and(|value| value == "write") {
        fs::write(&path, &text).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap();
    assert!(kept == text, "{} differs; now:\n{text}", path.display());
}

#[test]
fn every_metric_is_in_the_fixture() {
    let text = exposition(table().into(), 12 * SECOND).unwrap();
    let described = text.lines().filter_map(|line| line.strip_prefix("# HELP "));
    let described: Vec<_> = described
        .filter_map(|line| line.split(' ').next())
        .collect();
    let mut names: Vec<_> = metrics().map(|metric| metric.name).collect();
    for name in &described {
        let known = names
            .iter()
            .position(|of| name.strip_suffix("_total").unwrap_or(name) == *of);
        names.remove(known.unwrap());
    }
    assert!(names.is_empty(), "{names:?}");
}

#[test]
fn what_is_not_known_is_absent() {
    let text = exposition(table().into(), 12 * SECOND).unwrap();
    let has = |start: &str| text.lines().any(|line| line.starts_with(start));
    assert!(!has("spillgate_exporter_age_seconds{target=\"new\"}"));
    assert!(!has("spillgate_exporter_reading_success{target=\"new\"}"));
    assert!(has(
        "spillgate_exporter_reading_success{target=\"gone\"} 0.0"
    ));
    assert!(has("spillgate_exporter_age_seconds{target=\"gone\"} 11.0"));
    assert!(
        has("spillgate_envoy_clusters{target=\"gone\"} 0.0"),
        "the last figures stay"
    );
    assert!(!has(
        "spillgate_cluster_no_host_ratio{target=\"edge\",cluster=\"dynamic\"}"
    ));
    assert!(!has(
        "spillgate_priority_hosts_until_spillover{target=\"edge\",cluster=\"a \\\"quoted\\\" name\",priority=\"1\""
    ));
}

#[test]
fn a_removed_target_has_no_metrics() {
    let mut table = table();
    table.set_targets(["gone"], 0);
    let text = exposition(table.into(), 12 * SECOND).unwrap();
    assert!(!text.contains("edge") && text.contains("gone"));
}
