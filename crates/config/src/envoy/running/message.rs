//! `ClusterStatus` and `HostStatus` of `envoy.admin.v3`, as messages.

use alloc::{borrow::Cow, format, vec::Vec};

use spillgate_core::model::{Health, HealthFlags, HealthStatus, Weight};

use super::{ClusterStatus, HostLocality, HostStatus};
use crate::{
    envoy::{
        assignment::{HEALTH_STATUS, MAXIMUM_PRIORITY},
        common::read_address,
    },
    node::Node,
    proto::{
        Irrelevance::{Admission, Discovery, Observability},
        Message, Path, Report, Schema,
    },
};

pub(in crate::envoy) static CLUSTER_STATUS: Schema =
    Schema::new("ClusterStatus", "name host_statuses")
        .ignored(&[
            (Admission, "circuit_breakers"),
            (Discovery, "added_via_api eds_service_name"),
            (
                Observability,
                "local_origin_success_rate_ejection_threshold observability_name \
         success_rate_ejection_threshold",
            ),
        ])
        .of("envoy.admin.v3.ClusterStatus");

pub(in crate::envoy) static HOST_STATUS: Schema = Schema::new(
    "HostStatus",
    "address stats health_status weight hostname priority locality",
)
.ignored(&[(Observability, "local_origin_success_rate success_rate")])
.of("envoy.admin.v3.HostStatus");

pub(in crate::envoy) static HOST_HEALTH_STATUS: Schema = Schema::new(
    "HostHealthStatus",
    "failed_active_health_check failed_outlier_check failed_active_degraded_check \
     failed_degraded_outlier_detection pending_dynamic_removal pending_active_hc \
     excluded_via_immediate_hc_fail eds_health_status",
)
.ignored(&[(Observability, "active_hc_timeout")])
.of("envoy.admin.v3.HostHealthStatus");

pub(in crate::envoy) static SIMPLE_METRIC: Schema = Schema::new("SimpleMetric", "name value")
    .ignored(&[(Observability, "type")])
    .of("envoy.admin.v3.SimpleMetric");

static LOCALITY: Schema =
    Schema::new("Locality", "region zone sub_zone").of("envoy.config.core.v3.Locality");

/// Reads the hosts of one cluster.
pub(crate) fn read_status(
    node: &Node<'_>,
    path: Path,
    report: &mut Report,
) -> Option<ClusterStatus<'static>> {
    let message = Message::open(node, path, &CLUSTER_STATUS, report)?;
    let name = message.required_string("name", report)?;
    let mut hosts = Vec::new();
    for (path, node) in message.list("host_statuses", report) {
        hosts.extend(read_host(node, path, report));
    }
    Some(ClusterStatus {
        name: Cow::Owned(name.into()),
        position: node.position,
        hosts,
    })
}

/// Reads one host; the address is required.
fn read_host(node: &Node<'_>, path: Path, report: &mut Report) -> Option<HostStatus<'static>> {
    let message = Message::open(node, path, &HOST_STATUS, report)?;
    let address = read_address(&message, false, report)?;
    let mut host = HostStatus::new(Cow::Owned(address.text), node.position);
    host.health = read_health(&message, report);
    // Proto3 omits 0 and empty values.
    let hostname = message.string("hostname", report).unwrap_or_default();
    host.hostname = Some(Cow::Owned(hostname.into()));
    let weight = message.positive_u32("weight", report);
    host.weight = weight.and_then(Weight::new);
    let priority = message.u32("priority", report).unwrap_or_default();
    if priority > MAXIMUM_PRIORITY {
        message
            .error("priority", "clusters/value", "out of range")
            .expected(format!("an integer from 0 to {MAXIMUM_PRIORITY}"))
            .push_to(report);
    }
    host.priority = Some(priority);
    let locality = message.message("locality", &LOCALITY, report);
    let mut name = |field| {
        let text = locality.as_ref()?.string(field, report);
        Some(Cow::Owned(text.unwrap_or_default().into()))
    };
    host.locality = HostLocality {
        region: name("region"),
        zone: name("zone"),
        sub_zone: name("sub_zone"),
    };
    for (path, node) in message.list("stats", report) {
        if let Some(metric) = Message::open(node, path, &SIMPLE_METRIC, report)
            && metric.string("name", report) == Some("rq_active")
        {
            host.active_requests = Some(metric.wrapped_u64("value", report).unwrap_or_default());
        }
    }
    Some(host)
}

/// Reads the health flags and the status of EDS.
fn read_health(host: &Message<'_, '_>, report: &mut Report) -> Option<Health> {
    let Some(message) = host.message("health_status", &HOST_HEALTH_STATUS, report) else {
        let fault = "host without health";
        report.push(host.error("health_status", "clusters/no-health", fault));
        return None;
    };
    let status = message.enumeration("eds_health_status", &HEALTH_STATUS, report);
    let mut flag = |field| message.bool(field, report).unwrap_or(false);
    let flags = HealthFlags {
        failed_active_hc: flag("failed_active_health_check"),
        failed_outlier_check: flag("failed_outlier_check"),
        // Set by Envoy's health check or by outlier detection; both have the same effect on
        // balancing.
        degraded_active_hc: flag("failed_active_degraded_check")
            | flag("failed_degraded_outlier_detection"),
        pending_active_hc: flag("pending_active_hc"),
        excluded_via_immediate_hc_fail: flag("excluded_via_immediate_hc_fail"),
        pending_dynamic_removal: flag("pending_dynamic_removal"),
    };
    let status = match status {
        None | Some(HealthStatus::Unknown) => HealthStatus::Healthy,
        Some(status) => status,
    };
    Some(Health { status, flags })
}
