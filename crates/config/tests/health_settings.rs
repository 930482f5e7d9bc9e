//! Health checks and outlier detection as settings with places.

use std::time::Duration;

use spillgate_config::envoy::{Format, HealthSettings, ReadOptions, read_for_lint, read_with};
use spillgate_health::check::{HealthCheckKind, HttpStatuses, IntervalLimits};
use spillgate_health::outlier::OutlierDetection;

const fn s(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// A bootstrap with these fields and the cluster `shop`.
fn config(cluster: &str, bootstrap: &str) -> String {
    format!(
        "
{bootstrap}
static_resources:
  clusters:
  - name: shop
{cluster}
    type: EDS
    eds_cluster_config: {{eds_config: {{ads: {{}}}}}}
"
    )
}

/// The settings of the cluster `shop` in a bootstrap with these fields.
fn read_in(cluster: &str, bootstrap: &str) -> HealthSettings {
    let text = config(cluster, bootstrap);
    let config = read_with(&text, Format::Yaml, &ReadOptions::default()).unwrap();
    let marks = config.marks.cluster("shop").unwrap();
    *marks.health.clone().unwrap()
}

fn read(cluster: &str) -> HealthSettings {
    read_in(cluster, "")
}

/// The faults for which such a cluster is refused, by every purpose of reading.
fn faults(cluster: &str) -> Vec<(u32, &'static str, String)> {
    let text = config(cluster, "");
    let options = ReadOptions::default();
    let refused = read_with(&text, Format::Yaml, &options).unwrap_err();
    assert_eq!(
        read_for_lint(&text, Format::Yaml, &options).unwrap_err(),
        refused
    );
    let faults = refused.iter().map(|fault| {
        let prefix = "static_resources.clusters[0].";
        let path = fault.path.trim_start_matches(prefix);
        (fault.position.unwrap().line, fault.code, path.to_owned())
    });
    faults.collect()
}

#[test]
fn a_check_has_its_settings_and_the_lines_of_those_in_the_input() {
    let settings = read(
        "    health_checks:
    - timeout: 0.5s
      interval: {seconds: 5}
      unhealthy_threshold: 3
      healthyThreshold: {value: 2}
      interval_jitter_percent: 10
      unhealthy_edge_interval: 1.0009s
      always_log_health_check_failures: true
      http_health_check:
        path: /ready
        expected_statuses: [{start: 200, end: 300}]
        retriable_statuses: [{start: 503, end: '504'}]",
    );
    let check = &settings.checks[0];
    assert_eq!(check.settings.timeout, Duration::from_millis(500));
    assert_eq!(check.settings.interval, s(5));
    assert_eq!(
        (
            check.settings.unhealthy_threshold,
            check.settings.healthy_threshold
        ),
        (3, 2)
    );
    assert_eq!(check.settings.interval_jitter_percent, 10);
    assert_eq!(check.settings.unhealthy_edge_interval, Some(s(1)));
    assert_eq!(check.settings.no_traffic_interval, s(60));
    assert!(check.settings.reuse_connection && check.settings.always_log_health_check_failures);
    let statuses = HttpStatuses {
        expected: std::iter::once(200..300).collect(),
        retriable: std::iter::once(503..504).collect(),
    };
    assert_eq!(check.settings.kind, HealthCheckKind::Http(statuses));

    assert_eq!(check.place.position.line, 7);
    assert_eq!(
        check.place_of("unhealthy_threshold").unwrap().position.line,
        9
    );
    let expected = check.place_of("expected_statuses").unwrap();
    assert_eq!(expected.position.line, 16);
    let path = "static_resources.clusters[0].health_checks[0].http_health_check.expected_statuses";
    assert_eq!(expected.path, path);
    assert_eq!(check.place_of("no_traffic_interval"), None);
}

#[test]
fn each_checker_has_its_kind() {
    let settings = read(
        "    health_checks:
    - {timeout: 1s, interval: 1s, unhealthy_threshold: 1, healthy_threshold: 1, tcp_health_check: {}}
    - {timeout: 1s, interval: 1s, unhealthy_threshold: 1, healthy_threshold: 1, grpc_health_check: {}, name: g}
    - timeout: 1s
      interval: 1s
      unhealthy_threshold: 1
      healthy_threshold: 1
      custom_health_check: {name: envoy.health_checkers.redis}",
    );
    let kinds: Vec<_> = settings
        .checks
        .iter()
        .map(|check| &check.settings.kind)
        .collect();
    let redis = HealthCheckKind::Custom("envoy.health_checkers.redis".into());
    assert_eq!(
        kinds,
        [&HealthCheckKind::Tcp, &HealthCheckKind::Grpc, &redis]
    );
    assert_eq!(settings.checks[1].settings.name, "g");
}

#[test]
fn what_envoy_rejects_of_a_check_has_a_line() {
    let found = faults(
        "    health_checks:
    - timeout: 0s
      unhealthy_threshold: 1
      healthy_threshold: 1
      http_health_check:
        path: ''
        expected_statuses:
        - {start: 300, end: 200}
        - {start: 99, end: 200}
        - {start: 100, end: 601}
    - {timeout: 1s, interval: 1s, unhealthy_threshold: 1, healthy_threshold: 1}",
    );
    let expected = [
        (7, "config/missing", "health_checks[0].interval"),
        (7, "config/value", "health_checks[0].timeout"),
        (
            11,
            "config/value",
            "health_checks[0].http_health_check.path",
        ),
        (
            13,
            "config/value",
            "health_checks[0].http_health_check.expected_statuses[0].end",
        ),
        (
            14,
            "config/value",
            "health_checks[0].http_health_check.expected_statuses[1].start",
        ),
        (
            15,
            "config/value",
            "health_checks[0].http_health_check.expected_statuses[2].end",
        ),
        (16, "config/missing", "health_checks[1].http_health_check"),
    ];
    let expected = expected.map(|(line, code, path)| (line, code, path.to_owned()));
    assert_eq!(found, expected);
}

#[test]
fn an_empty_outlier_detection_has_the_defaults() {
    let settings = read("    outlier_detection: {}");
    let read = settings.outlier_detection.unwrap();
    let expected = OutlierDetection {
        max_ejection_time: Some(s(300)),
        ..OutlierDetection::default()
    };
    assert_eq!(read.settings, expected);
    assert_eq!(read.place.position.line, 6);
    assert_eq!(settings.checks, []);
    assert_eq!(settings.update_merge_window.settings, s(1));
    assert!(!settings.ignores_new_hosts && !settings.ignores_health_on_removal);
}

#[test]
fn outlier_detection_has_its_settings_and_their_lines() {
    let settings = read(
        "    ignore_health_on_host_removal: true
    common_lb_config:
      update_merge_window: 0s
      ignore_new_hosts_until_first_hc: true
    outlier_detection:
      consecutive_5xx: 7
      base_ejection_time: 400s
      enforcing_failure_percentage: 60
      split_external_local_origin_errors: true
      always_eject_one_host: true
      detect_degraded_hosts: true
      successful_active_health_check_uneject_host: false
      max_ejection_time_jitter: 5s",
    );
    let read = settings.outlier_detection.unwrap();
    let expected = OutlierDetection {
        consecutive_5xx: 7,
        base_ejection_time: s(400),
        max_ejection_time: Some(s(400)),
        enforcing_failure_percentage: 60,
        split_external_local_origin_errors: true,
        always_eject_one_host: true,
        detect_degraded_hosts: true,
        successful_active_health_check_uneject_host: false,
        max_ejection_time_jitter: s(5),
        ..OutlierDetection::default()
    };
    assert_eq!(read.settings, expected);
    assert_eq!(
        read.place_of("base_ejection_time").unwrap().position.line,
        12
    );
    assert_eq!(settings.update_merge_window.settings, s(0));
    let window = settings.update_merge_window.place_of("update_merge_window");
    assert_eq!(window.unwrap().position.line, 8);
    assert!(settings.ignores_new_hosts && settings.ignores_health_on_removal);
}

#[test]
fn what_envoy_rejects_of_outlier_detection_has_a_line() {
    let found = faults(
        "    outlier_detection:
      interval: 0s
      max_ejection_percent: 101
      base_ejection_time: 60s
      max_ejection_time: 59s",
    );
    let expected = [
        (7, "config/value", "outlier_detection.interval"),
        (8, "config/value", "outlier_detection.max_ejection_percent"),
        (10, "config/value", "outlier_detection.max_ejection_time"),
    ];
    let expected = expected.map(|(line, code, path)| (line, code, path.to_owned()));
    assert_eq!(found, expected);
}

#[test]
fn runtime_values_replace_settings() {
    let settings = read_in(
        "    outlier_detection: {consecutive_5xx: 7, interval: 3s}
    health_checks:
    - {timeout: 1s, interval: 1s, unhealthy_threshold: 1, healthy_threshold: 1, tcp_health_check: {}}",
        "layered_runtime:
  layers:
  - name: static
    static_layer:
      outlier_detection: {consecutive_5xx: 2, interval_ms: 500, enforcing_success_rate: 300}
      health_check: {min_interval: 2000}",
    );
    let read = settings.outlier_detection.unwrap();
    assert_eq!(
        (
            read.settings.consecutive_5xx,
            read.settings.enforcing_success_rate
        ),
        (2, 100)
    );
    assert_eq!(read.settings.interval, Duration::from_millis(500));
    assert_eq!(read.place_of("interval").unwrap().position.line, 6);
    let limits = settings.checks[0].settings.interval_limits;
    assert_eq!(
        limits,
        IntervalLimits {
            least: s(2),
            ..IntervalLimits::NONE
        }
    );
}

#[test]
fn a_fault_is_reported_once() {
    let wrong = "    outlier_detection: {interval: often, max_ejection_percent: most, base_ejection_tine: 3s}
    health_checks:
    - {timeout: 1s, interval: 1s, unhealthy_threshold: [], healthy_threshold: 1, tcp_health_check: {}}";
    let mut paths: Vec<_> = faults(wrong).into_iter().map(|(.., path)| path).collect();
    paths.sort();
    let expected = [
        "health_checks[0].unhealthy_threshold",
        "outlier_detection.base_ejection_tine",
        "outlier_detection.interval",
        "outlier_detection.max_ejection_percent",
    ];
    assert_eq!(paths, expected);
}

/// A running Envoy of another version accepted them.
#[test]
fn in_a_dump_a_fault_is_a_warning_and_the_settings_are_unknown() {
    let cluster = "{name: shop, type: EDS, eds_cluster_config: {eds_config: {ads: {}}}, outlier_detection: {interval: 0s}}";
    let text = format!(
        "configs: [{{'@type': t/envoy.admin.v3.ClustersConfigDump, dynamic_active_clusters: [{{cluster: {cluster}}}]}}]"
    );
    let config = read_with(&text, Format::Yaml, &ReadOptions::default()).unwrap();
    assert_eq!(config.marks.cluster("shop").unwrap().health, None);
    let mut warnings = config.warnings.iter();
    assert!(warnings.any(|warning| warning.path.ends_with("outlier_detection.interval")));
}
