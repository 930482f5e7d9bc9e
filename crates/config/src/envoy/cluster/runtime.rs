//! Runtime values that replace settings of all clusters.

use spillgate_core::model::{LocalityLb, PanicThreshold};

#[cfg(feature = "yaml")]
use crate::proto::Path;
use crate::{envoy::marks::ClusterMarks, proto::Report};

/// The panic threshold with `upstream.healthy_panic_threshold`, which every cluster reads.
pub(super) fn threshold_of_runtime(
    configured: PanicThreshold,
    marks: &mut ClusterMarks,
    report: &Report,
) -> PanicThreshold {
    match report.runtime_integer("upstream.healthy_panic_threshold") {
        Some((percent, position)) => {
            marks.healthy_panic_threshold = Some(position);
            PanicThreshold::from_percent(percent as f64)
        }
        None => configured,
    }
}

/// Replaces the settings of zone-aware routing by `upstream.zone_routing.*`.
pub(super) fn zones_of_runtime(of: &mut LocalityLb, marks: &mut ClusterMarks, report: &Report) {
    let LocalityLb::ZoneAware(zones) = of else {
        return;
    };
    let mut found = |key: &str| {
        let (value, position) = report.runtime_integer(key)?;
        marks.locality_lb = Some(position);
        Some(value)
    };
    let whole = |value: u64| u32::try_from(value).unwrap_or(u32::MAX);
    if let Some(percent) = found("upstream.zone_routing.enabled") {
        zones.routing_enabled = whole(percent).min(100);
    }
    if let Some(size) = found("upstream.zone_routing.min_cluster_size") {
        zones.min_cluster_size = size;
    }
    // 0 keeps the setting.
    let size = report.runtime_integer("upstream.zone_routing.force_local_zone.min_size");
    if let Some((size @ 1.., position)) = size {
        marks.locality_lb = Some(position);
        zones.force_local_zone = Some(whole(size));
    }
}

/// Names `upstream.zone_routing.*` for a cluster with locality weights: Envoy routes by zones where no
/// weight applies, as in subsets that ignore weights.
#[cfg(feature = "yaml")]
pub(super) fn name_zones_of_runtime(of: &LocalityLb, report: &mut Report) {
    if !of.is_weighted() {
        return;
    }
    let keys = ["enabled", "min_cluster_size", "force_local_zone.min_size"]
        .map(|key| alloc::format!("upstream.zone_routing.{key}"));
    for key in keys {
        if let Some((_, position)) = report.runtime_integer(&key) {
            let effect = alloc::format!(
                "runtime key {key} is not modeled where no locality weight applies; Envoy then routes \
                 by zones"
            );
            let path = Path::root().field("layered_runtime");
            report.limit("config/runtime-not-modeled", effect, &path, position);
        }
    }
}
