//! Locality weights and zone-aware routing: `common_lb_config`, or the `LocalityLbConfig` of a
//! typed policy.

use spillgate_core::model::{LocalityBasis, LocalityLb, ZoneAware};

use crate::{
    envoy::{
        facts::FieldPlace,
        marks::ClusterMarks,
        schema::{
            FORCE_LOCAL_ZONE, LEGACY_ZONE_AWARE, LOCALITY_LB_CONFIG, LOCALITY_WEIGHTED, ZONE_AWARE,
        },
    },
    proto::{Message, Report, Schema},
};

const WEIGHTED: &str = "locality_weighted_lb_config";
const ZONE: &str = "zone_aware_lb_config";

/// `LocalityBasis`: the unit of zone-aware routing.
pub(crate) const LOCALITY_BASIS: [(&str, i64, LocalityBasis); 2] = [
    ("HEALTHY_HOSTS_NUM", 0, LocalityBasis::HealthyHostsNum),
    ("HEALTHY_HOSTS_WEIGHT", 1, LocalityBasis::HealthyHostsWeight),
];

/// The settings in `common_lb_config`.
pub(super) fn classic_locality_lb(
    common: &Message<'_, '_>,
    marks: &mut ClusterMarks,
    report: &mut Report,
) -> LocalityLb {
    read(common, &LEGACY_ZONE_AWARE, marks, report)
}

/// The settings in a policy's `locality_lb_config`.
pub(super) fn typed_locality_lb(
    policy: &Message<'_, '_>,
    marks: &mut ClusterMarks,
    report: &mut Report,
) -> LocalityLb {
    match policy.message("locality_lb_config", &LOCALITY_LB_CONFIG, report) {
        Some(locality) => {
            locality.one_of(&[ZONE, WEIGHTED], report);
            read(&locality, &ZONE_AWARE, marks, report)
        }
        None => LocalityLb::default(),
    }
}

/// The settings of a typed hash policy, which supports weights only.
pub(super) fn hash_locality_lb(
    policy: &Message<'_, '_>,
    marks: &mut ClusterMarks,
    report: &mut Report,
) -> LocalityLb {
    if weighted(policy, marks, report) {
        LocalityLb::Weighted
    } else {
        LocalityLb::default()
    }
}

/// Notes that a hash policy ignores zones.
pub(super) fn note_zones_of_hash_policy(common: &Message<'_, '_>, report: &mut Report) {
    if common.has(ZONE) {
        report.note(
            "config/no-effect",
            "zone_aware_lb_config has no effect with hash policies",
            &common.path.field(ZONE),
            common.position_of(ZONE),
        );
    }
}

fn read(
    message: &Message<'_, '_>,
    zone_schema: &Schema,
    marks: &mut ClusterMarks,
    report: &mut Report,
) -> LocalityLb {
    let zone = message.message(ZONE, zone_schema, report);
    if let (Some(zone), Some(facts)) = (&zone, marks.facts()) {
        facts.policy.zone_aware = Some(FieldPlace::of(zone));
    }
    if weighted(message, marks, report) {
        return LocalityLb::Weighted;
    }
    let Some(zone) = zone else {
        return LocalityLb::default();
    };
    marks.locality_lb = Some(zone.position);
    LocalityLb::ZoneAware(read_zone(&zone, report))
}

/// Whether `locality_weighted_lb_config` is present; it has no fields.
fn weighted(message: &Message<'_, '_>, marks: &mut ClusterMarks, report: &mut Report) -> bool {
    match message.message(WEIGHTED, &LOCALITY_WEIGHTED, report) {
        Some(weighted) => {
            marks.locality_lb = Some(weighted.position);
            true
        }
        None => false,
    }
}

fn read_zone(zone: &Message<'_, '_>, report: &mut Report) -> ZoneAware {
    let default = ZoneAware::DEFAULT;
    let fail = zone.bool("fail_traffic_on_panic", report);
    let direct = zone.bool("force_locality_direct_routing", report);
    // The message replaces the older flag, whatever its value.
    let force_local_zone = match zone.message("force_local_zone", &FORCE_LOCAL_ZONE, report) {
        Some(force) => Some(force.wrapped_u32("min_size", report).unwrap_or(1)),
        None => (direct == Some(true)).then_some(1),
    };
    ZoneAware {
        routing_enabled: zone
            .percent("routing_enabled", report)
            // The cast truncates, as in Envoy.
            .map_or(default.routing_enabled, |percent| percent as u32),
        min_cluster_size: zone
            .wrapped_u64("min_cluster_size", report)
            .unwrap_or(default.min_cluster_size),
        fail_traffic_on_panic: fail.unwrap_or(false),
        force_local_zone,
        locality_basis: zone
            .enumeration("locality_basis", &LOCALITY_BASIS, report)
            .unwrap_or_default(),
    }
}
