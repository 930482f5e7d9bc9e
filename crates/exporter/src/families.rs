//! The metrics: names, descriptions and values.

use crate::{ClusterLoad, EnvoyFigures, PriorityFigures};

/// The name and the description of a metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MetricInfo {
    /// The name in Prometheus.
    pub name: &'static str,
    /// The description.
    pub help: &'static str,
}

/// A metric with a value for each row of one kind; `None` if it is not known.
#[derive(Debug)]
pub(crate) struct Family<R> {
    pub(crate) info: MetricInfo,
    pub(crate) value: fn(&R) -> Option<f64>,
}

/// All metrics, in the order of the text.
pub fn metrics() -> impl Iterator<Item = MetricInfo> {
    let of_exporter = [TARGETS, TARGETS_LEFT_OUT, DISCOVERY_ERRORS];
    let of_target = [
        READING_SUCCESS,
        READING_SECONDS,
        AGE,
        READINGS,
        READING_ERRORS,
    ];
    let of_envoy = [CLUSTERS, CLUSTERS_LEFT_OUT, FINDINGS, LIMITS];
    let of_cluster = OF_CLUSTER.iter().map(|family| family.info);
    let of_priority = OF_PRIORITY.iter().map(|family| family.info);
    let fixed = of_exporter.into_iter().chain(of_target).chain(of_envoy);
    fixed
        .chain([CLUSTER_KNOWN])
        .chain(of_cluster)
        .chain(of_priority)
}

pub(crate) const TARGETS: MetricInfo = info("spillgate_exporter_targets", "Envoys that are read.");
pub(crate) const TARGETS_LEFT_OUT: MetricInfo = info(
    "spillgate_exporter_targets_left_out",
    "Envoys that are not read, because there are more than 1000.",
);
pub(crate) const DISCOVERY_ERRORS: MetricInfo = info(
    "spillgate_exporter_discovery_errors",
    "Failed attempts to read the file of targets or to resolve a name.",
);
pub(crate) const READING_SUCCESS: MetricInfo = info(
    "spillgate_exporter_reading_success",
    "Whether the last reading of the Envoy succeeded.",
);
pub(crate) const READING_SECONDS: MetricInfo = info(
    "spillgate_exporter_reading_seconds",
    "Time that the last reading took.",
);
pub(crate) const AGE: MetricInfo = info(
    "spillgate_exporter_age_seconds",
    "Time since the reading that the figures of the Envoy come from.",
);
pub(crate) const READINGS: MetricInfo = info(
    "spillgate_exporter_readings",
    "Readings of the Envoy that ended.",
);
pub(crate) const READING_ERRORS: MetricInfo = info(
    "spillgate_exporter_reading_errors",
    "Readings of the Envoy that failed.",
);
pub(crate) const CLUSTERS: MetricInfo =
    info("spillgate_envoy_clusters", "Clusters that are published.");
pub(crate) const CLUSTERS_LEFT_OUT: MetricInfo = info(
    "spillgate_envoy_clusters_left_out",
    "Clusters that are not published, because they or their priorities are too many.",
);
pub(crate) const FINDINGS: MetricInfo =
    info("spillgate_envoy_findings", "Lint findings by severity.");
pub(crate) const LIMITS: MetricInfo = info(
    "spillgate_envoy_limits",
    "Settings that can change figures and are not modeled.",
);
pub(crate) const CLUSTER_KNOWN: MetricInfo = info(
    "spillgate_cluster_known",
    "Whether the hosts of the cluster are known; 0 means that it has no further figures.",
);

const fn info(name: &'static str, help: &'static str) -> MetricInfo {
    MetricInfo { name, help }
}

const fn family<R>(
    name: &'static str,
    help: &'static str,
    value: fn(&R) -> Option<f64>,
) -> Family<R> {
    let info = info(name, help);
    Family { info, value }
}

/// Counts of hosts and requests are far below 2^53.
pub(crate) fn number(count: usize) -> f64 {
    count as f64
}

pub(crate) const fn flag(is: bool) -> f64 {
    if is { 1.0 } else { 0.0 }
}

pub(crate) const OF_CLUSTER: [Family<ClusterLoad>; 6] = [
    family(
        "spillgate_cluster_no_host_ratio",
        "Predicted part of the requests that finds no host.",
        |of| Some(of.no_host),
    ),
    family(
        "spillgate_cluster_margins_known",
        "Whether the numbers of hosts until spillover and panic mode are known.",
        |of| Some(flag(of.has_margins)),
    ),
    family(
        "spillgate_cluster_survives_zone_loss",
        "Whether, if any one zone fails, every request finds a host and no priority with load is in panic mode (N-1).",
        |of| of.zone_loss.map(|loss| flag(loss.survives)),
    ),
    family(
        "spillgate_cluster_zone_loss_overload_ratio",
        "Highest ratio of the share of a host after the loss of a zone to that before.",
        |of| of.zone_loss?.overload,
    ),
    family(
        "spillgate_cluster_counted_requests",
        "Requests that Envoy counted under the present prediction, in at most five minutes.",
        |of| of.counted_requests.map(number),
    ),
    family(
        "spillgate_cluster_agrees",
        "Whether the counted shares of all priorities and hosts fit the prediction.",
        |of| of.agrees.map(flag),
    ),
];

pub(crate) const OF_PRIORITY: [Family<PriorityFigures>; 11] = [
    family("spillgate_priority_load_ratio", "Predicted load.", |of| {
        Some(of.load)
    }),
    family(
        "spillgate_priority_availability_ratio",
        "Part of the requests that its healthy hosts have capacity for.",
        |of| Some(of.availability),
    ),
    family(
        "spillgate_priority_degraded_availability_ratio",
        "Part of the requests that its degraded hosts have capacity for.",
        |of| Some(of.degraded_availability),
    ),
    family(
        "spillgate_priority_panic",
        "Whether it has load and is in panic mode.",
        |of| Some(flag(of.is_in_panic)),
    ),
    family("spillgate_priority_hosts", "Hosts.", |of| {
        Some(number(of.hosts))
    }),
    family("spillgate_priority_healthy_hosts", "Healthy hosts.", |of| {
        Some(number(of.healthy_hosts))
    }),
    family(
        "spillgate_priority_hosts_until_spillover",
        "Smallest number of its hosts whose loss moves load to other priorities.",
        |of| of.until_spillover.map(number),
    ),
    family(
        "spillgate_priority_hosts_until_panic",
        "Smallest number of its hosts whose loss puts a priority with load into panic mode; 0 if one is.",
        |of| of.until_panic.map(number),
    ),
    family(
        "spillgate_priority_difference_ratio",
        "Predicted minus counted share.",
        |of| Some(of.difference?.value),
    ),
    family(
        "spillgate_priority_difference_low_ratio",
        "Lowest difference that fits the counted requests.",
        |of| Some(of.difference?.low),
    ),
    family(
        "spillgate_priority_difference_high_ratio",
        "Highest difference that fits the counted requests.",
        |of| Some(of.difference?.high),
    ),
];

/// A number of an Envoy.
type EnvoyCount = fn(&EnvoyFigures) -> usize;

/// The values of an Envoy without further labels.
pub(crate) const OF_ENVOY: [(MetricInfo, EnvoyCount); 3] = [
    (CLUSTERS, |of| of.clusters.len()),
    (CLUSTERS_LEFT_OUT, |of| of.left_out),
    (LIMITS, |of| of.limits),
];
