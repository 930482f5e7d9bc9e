//! Settings that Envoy uses to find out health, which is an input here.

use crate::{
    envoy::{
        facts::{FieldPlace, OutlierDetection},
        marks::ClusterMarks,
        schema::OUTLIER_DETECTION,
    },
    node::{Node, NodeValue},
    proto::{Message, Report, field_of},
};

/// Envoy's default for `max_ejection_percent`.
const MAX_EJECTION_PERCENT: u32 = 10;

/// The key of a cluster's HTTP options.
const HTTP_OPTIONS: &str = "envoy.extensions.upstreams.http.v3.HttpProtocolOptions";

/// Settings that affect the health of hosts, which is an input here, or that act after a host is
/// chosen.
pub(super) fn note_what_is_stated(
    cluster: &Message<'_, '_>,
    common: Option<&Message<'_, '_>>,
    report: &mut Report,
) {
    const NOT_SIMULATED: &str = "config/not-simulated";
    const CLUSTER: [(&str, &str, &str); 3] = [
        (
            "health_checks",
            NOT_SIMULATED,
            "health_checks are not simulated; using configured health",
        ),
        (
            "outlier_detection",
            NOT_SIMULATED,
            "outlier_detection is not simulated; using configured health",
        ),
        (
            "preconnect_policy",
            "config/not-modelled",
            "preconnect_policy is not modeled; ignored",
        ),
    ];
    const COMMON: [(&str, &str, &str); 1] = [(
        "ignore_new_hosts_until_first_hc",
        NOT_SIMULATED,
        "ignore_new_hosts_until_first_hc is not simulated; using configured health",
    )];
    let parts = [(Some(cluster), CLUSTER.as_slice()), (common, &COMMON)];
    for (message, fields) in parts {
        let Some(message) = message else { continue };
        for (field, code, why) in fields {
            if let Some(node) = message
                .get(field)
                .filter(|n| n.value != NodeValue::Bool(false))
            {
                let path = message.path.field(*field);
                report.note(*code, *why, &path, node.position);
            }
        }
    }
}

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
        OutlierDetection {
            place: FieldPlace::of(&outliers),
            max_ejection_percent: percent.unwrap_or(MAX_EJECTION_PERCENT).into(),
            always_eject_one_host: one.unwrap_or(false),
        }
    });
    facts.idle_timeout = idle_timeout(cluster);
}

/// The `idle_timeout` in a cluster's HTTP options.
fn idle_timeout(cluster: &Message<'_, '_>) -> Option<FieldPlace> {
    let field = "typed_extension_protocol_options";
    let mut node = cluster.get(field)?;
    let mut path = cluster.path.field(field);
    for field in [HTTP_OPTIONS, "common_http_protocol_options", "idle_timeout"] {
        node = field_of(node, field)?;
        path = path.field(field);
    }
    Some(FieldPlace::new(&path, node.position))
}
