//! Detectors of outliers that are configured and never eject.

use alloc::format;
use spillgate_core::visible::quoted;

use spillgate_config::envoy::LocatedSettings;
use spillgate_health::outlier::OutlierDetection;

use crate::{
    context::{Context, Plain},
    figures::counted,
    finding::Severity,
    rule::Rule,
    sink::Sink,
};

/// A threshold of outlier detection differs from Envoy's default, and its detector does not eject: its `enforcing_*`
/// percentage is 0 by default, or `split_external_local_origin_errors` is off by default. Not reported if the
/// configuration states these.
///
/// No host is ejected because of the threshold.
pub(crate) static OFF: Rule = Rule {
    id: "outlier-threshold-unused",
    severity: Severity::Warning,
    summary: "threshold of outlier detection whose detector ejects no host",
    check: off,
};

/// Success rates or failure percentages are configured, and the cluster has fewer hosts than
/// `success_rate_minimum_hosts` or `failure_percentage_minimum_hosts` (default 5). Not reported if the number of hosts
/// is unknown.
///
/// Envoy never compares them.
pub(crate) static TOO_FEW: Rule = Rule {
    id: "outlier-too-few-hosts",
    severity: Severity::Warning,
    summary: "fewer hosts than outlier detection needs to compare success rates or failure percentages",
    check: too_few,
};

/// The outlier detection of all clusters.
fn detections<'c>(
    context: &Context<'c>,
) -> impl Iterator<Item = (Plain<'c>, &'c LocatedSettings<OutlierDetection>)> {
    let clusters = context.plains();
    clusters.filter_map(|cluster| Some((cluster, cluster.health()?.outlier_detection.as_ref()?)))
}

/// Finds thresholds without effect.
fn off(context: &Context<'_>, sink: &mut Sink) {
    let default = OutlierDetection::default();
    for (cluster, outlier) in detections(context) {
        let of = &outlier.settings;
        let lacks = |field| outlier.place_of(field).is_none();
        let thresholds = [
            (
                "consecutive_gateway_failure",
                (
                    of.consecutive_gateway_failure,
                    default.consecutive_gateway_failure,
                ),
                ("enforcing_consecutive_gateway_failure", "100"),
                true,
            ),
            (
                "failure_percentage_threshold",
                (
                    of.failure_percentage_threshold,
                    default.failure_percentage_threshold,
                ),
                ("enforcing_failure_percentage", "100"),
                lacks("enforcing_failure_percentage_local_origin"),
            ),
            (
                "consecutive_local_origin_failure",
                (
                    of.consecutive_local_origin_failure,
                    default.consecutive_local_origin_failure,
                ),
                ("split_external_local_origin_errors", "true"),
                true,
            ),
        ];
        for (field, (value, default), (switch, on), is_only) in thresholds {
            let is_off = is_only && lacks(switch) && value != default && value > 0;
            let Some(place) = outlier.place_of(field).filter(|_| is_off) else {
                continue;
            };
            let cause = format!(
                "cluster {} has {field} {value}, but not {switch}",
                quoted(cluster.name())
            );
            let effect = "no host is ejected because of it";
            let fix = format!("set {switch}: {on}, or remove {field}");
            sink.add(place, cause, effect, fix)
                .set(outlier.place.field(switch), on);
        }
    }
}

/// Finds comparisons of too few hosts.
fn too_few(context: &Context<'_>, sink: &mut Sink) {
    let default = OutlierDetection::default();
    for (cluster, outlier) in detections(context) {
        let (of, hosts) = (&outlier.settings, cluster.hosts());
        let rates = |of: &OutlierDetection| {
            (
                of.success_rate_minimum_hosts,
                of.success_rate_request_volume,
                of.success_rate_stdev_factor,
            )
        };
        let comparisons = [
            (
                "success_rate_minimum_hosts",
                of.success_rate_minimum_hosts,
                of.enforcing_success_rate > 0 && rates(of) != rates(&default),
            ),
            (
                "failure_percentage_minimum_hosts",
                of.failure_percentage_minimum_hosts,
                of.enforcing_failure_percentage > 0,
            ),
        ];
        for (field, least, is_asked) in comparisons {
            let is_short =
                is_asked && hosts > 0 && cluster.knows_hosts() && (hosts as u64) < u64::from(least);
            if !is_short {
                continue;
            }
            let place = outlier.place_of(field).unwrap_or(&outlier.place);
            let cause = format!(
                "{field} of cluster {} is {least}, and it has {}",
                quoted(cluster.name()),
                counted(hosts, "host")
            );
            let effect = "its hosts are never compared, and none is ejected by this";
            let fix = format!("set {field} to at most the number of hosts");
            let finding = sink.add(place, cause, effect, fix);
            if hosts > 1 {
                finding.set(outlier.place.field(field), format!("{hosts}"));
            }
        }
    }
}
