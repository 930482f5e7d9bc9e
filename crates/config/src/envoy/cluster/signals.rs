//! Settings of health and ejection that lint rules compare.

use crate::{
    envoy::{
        common::HTTP_OPTIONS,
        facts::{FieldPlace, OutlierFacts},
        marks::ClusterMarks,
        schema::OUTLIER_DETECTION,
    },
    node::{Node, NodeValue},
    proto::{Message, Report},
};

/// Envoy's default for `max_ejection_percent`.
const MAX_EJECTION_PERCENT: u32 = 10;

/// The detectors of outliers: the percentage of their findings that eject a host, and Envoy's default for it.
const DETECTORS: [Detector; 4] = [
    ("enforcing_consecutive_5xx", 100, Some("consecutive_5xx")),
    ("enforcing_success_rate", 100, None),
    (
        "enforcing_consecutive_gateway_failure",
        0,
        Some("consecutive_gateway_failure"),
    ),
    ("enforcing_failure_percentage", 0, None),
];

/// Those that work only with `split_external_local_origin_errors`.
const LOCAL_DETECTORS: [Detector; 3] = [
    (
        "enforcing_consecutive_local_origin_failure",
        100,
        Some("consecutive_local_origin_failure"),
    ),
    ("enforcing_local_origin_success_rate", 100, None),
    ("enforcing_failure_percentage_local_origin", 0, None),
];

/// The enforcing percentage, its default, and the row of failures that ejects.
type Detector = (&'static str, u32, Option<&'static str>);

/// Settings that lint rules compare.
pub(super) fn note_signals(
    cluster: &Message<'_, '_>,
    marks: &mut ClusterMarks,
    report: &mut Report,
) {
    let Some(facts) = marks.facts() else { return };
    let place = |field| FieldPlace::of_field(cluster, field);
    let is_empty =
        |node: &Node<'_>| matches!(&node.value, NodeValue::List(items) if items.is_empty());
    let checks = cluster.get("health_checks").filter(|node| !is_empty(node));
    facts.signals.health_checks = checks.and_then(|_| place("health_checks"));
    facts.signals.circuit_breakers = place("circuit_breakers");
    let outliers = cluster.message("outlier_detection", &OUTLIER_DETECTION, report);
    facts.signals.outlier_detection = outliers.map(|outliers| {
        let percent = outliers.wrapped_u32("max_ejection_percent", report);
        let one = outliers.bool("always_eject_one_host", report);
        OutlierFacts {
            place: FieldPlace::of(&outliers),
            max_ejection_percent: percent.unwrap_or(MAX_EJECTION_PERCENT).into(),
            always_eject_one_host: one.unwrap_or(false),
            enforced: is_enforced(&outliers, report),
        }
    });
    let ignores = cluster.bool("ignore_health_on_host_removal", report);
    facts.signals.ignores_health_on_removal = ignores.unwrap_or(false);
    facts.idle_timeout = idle_timeout(cluster);
}

/// Whether any detector ejects hosts.
fn is_enforced(outliers: &Message<'_, '_>, report: &mut Report) -> bool {
    let split = outliers.bool("split_external_local_origin_errors", report);
    let local = LOCAL_DETECTORS.iter().filter(|_| split == Some(true));
    DETECTORS.iter().chain(local).any(|(field, default, row)| {
        let percent = outliers.wrapped_u32(field, report);
        // A row of 0 is never complete.
        let row = row.and_then(|row| outliers.wrapped_u32(row, report));
        percent.unwrap_or(*default) > 0 && row != Some(0)
    })
}

/// The `idle_timeout` in a cluster's HTTP options.
fn idle_timeout(cluster: &Message<'_, '_>) -> Option<FieldPlace> {
    let [field, options] = HTTP_OPTIONS;
    let fields = [
        field,
        options,
        "common_http_protocol_options",
        "idle_timeout",
    ];
    let (node, path) = cluster.nested(&fields)?;
    Some(FieldPlace::new(&path, node.position))
}
